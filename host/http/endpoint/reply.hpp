// host/http/endpoint/reply.hpp: an exchange with the headers that all its answers carry.
//
// A cheap value: copied or moved to the code that answers. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/http/exchange.hpp"
#include "host/observe/metrics.hpp"

namespace gantry::host::http {

class Reply {
 public:
  static constexpr std::size_t kMostOwn = 8, kMostMore = 4;

  explicit Reply(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}

  // Counts the answer under this MCP method and its status, except 204, which answers no message.
  // `metrics` must outlive the reply. Without this call nothing is counted.
  void count(Metrics& metrics, Metrics::Method method) {
    metrics_ = &metrics;
    method_ = method;
  }
  // Sent with the answer; empty = none.
  void set_origin(std::string origin) { origin_ = std::move(origin); }
  void set_session(std::string id) { session_ = std::move(id); }
  // Further headers, at most kMostMore.
  void add_header(std::string name, std::string value) {
    if (more_.size() < kMostMore) more_.emplace_back(std::move(name), std::move(value));
  }
  // The answer of a preflight: these headers and our methods may be used.
  void set_preflight(std::string headers) { preflight_ = std::move(headers); }

  Exchange& exchange() const { return *exchange_; }

  void json(int status, std::string body) const;
  void text(std::string_view content_type, std::string body) const;
  // An answer without a body.
  void empty(int status) const;
  bool open_stream() const;
  // An answer whose bytes come piece by piece (Exchange::open_body), with at most kMostOwn headers
  // of its own.
  bool open_body(int status, std::string_view content_type, std::uint64_t length,
                 Headers own) const;

 private:
  template <class Send>
  bool with_headers(Send&& send, Headers own = {}) const;
  void counted(bool sent, int status) const;

  std::shared_ptr<Exchange> exchange_;
  Metrics* metrics_ = nullptr;
  Metrics::Method method_;
  std::string origin_, session_, preflight_;
  std::vector<std::pair<std::string, std::string>> more_;
};

// One message as an event of a stream.
std::string as_event(std::string_view message);

}  // namespace gantry::host::http
