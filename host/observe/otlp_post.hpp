// host/observe/otlp_post.hpp (private): posts JSON to a collector by libcurl.
//
// Keeps its connection. One thread at a time; hurry() on any. Nothing throws.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <string>

#include <gantry/status.hpp>

namespace gantry::host {

class OtlpPost {
 public:
  OtlpPost() = default;
  ~OtlpPost();
  OtlpPost(const OtlpPost&) = delete;
  OtlpPost& operator=(const OtlpPost&) = delete;

  // Waits for the answer, at most 10 s. An error for every answer but 2xx; redirects are not
  // followed. The answer's body is dropped.
  Status send(const std::string& url, const std::string& body);
  // Posts that run or begin later end 2 s from now.
  void hurry();

 private:
  using Ticks = std::chrono::steady_clock::rep;

  void* curl_ = nullptr;                                       // CURL*, made at the first post
  std::atomic<Ticks> end_{std::numeric_limits<Ticks>::max()};  // of all posts
};

}  // namespace gantry::host
