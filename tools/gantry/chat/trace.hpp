// tools/gantry/chat/trace.hpp: what was sent and called in a session, for /trace.
//
// It holds no keys, no arguments and no texts of the conversation. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "tools/gantry/host/exchange.hpp"

namespace gantry::cli::chat {

class Trace {
 public:
  // One attempt of a request; of `headers` only those about limits and the request's id are kept.
  void request(const std::string& url, long status, std::int64_t ms, std::size_t bytes,
               const HttpHeaders& headers);
  void call(const std::string& tool, std::int64_t ms, std::size_t bytes, bool is_error);

  // A line for each, the newest last; at most 200.
  std::string text() const;

 private:
  void add(std::string line);

  std::deque<std::string> lines_;
};

// "1.2 KB".
std::string size_text(std::size_t bytes);

}  // namespace gantry::cli::chat
