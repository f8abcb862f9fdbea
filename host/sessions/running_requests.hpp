// host/sessions/running_requests.hpp: a session's requests from the client that have no answer yet.
//
// Any thread; no lock is held while a callback runs.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/text.hpp"

namespace gantry::host {

// The reason for which a session stops a request.
enum class Stop { cancelled, disconnected, session_ended };

class RunningRequests {
 public:
  using Cancel = std::function<void(Stop)>;

  // Keeps `cancel` for the unanswered request `key` until forget(). False: the key is in use (or
  // the session has ended, then `cancel` was called).
  bool track(std::string key, Cancel cancel);
  // Call when the request has its answer; an unknown key is ignored.
  void forget(std::string_view key);
  bool contains(std::string_view key) const;
  std::size_t size() const;

  // Stops one request; false: none has this key.
  bool cancel(std::string_view key);
  // Stops all requests, also those tracked later. The second call does nothing.
  void end();

 private:
  mutable std::mutex mutex_;
  bool ended_ = false;
  std::unordered_map<std::string, Cancel, TextHash, std::equal_to<>> running_;
};

}  // namespace gantry::host
