// host/sessions/client_requests.hpp: the unanswered requests from the server to one legacy client.
//
// The server chooses the ids and never reuses one in a session. Any thread; no lock is held while a
// callback runs.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/text.hpp"

namespace gantry::host {

// A client's response: the JSON text of its result, or its error message. Both empty: the session
// ended first.
struct ClientAnswer {
  std::string result, error;
};

class ClientRequests {
 public:
  using Answered = std::function<void(ClientAnswer)>;

  // The id for a new request, to be sent as a JSON string. `answered` is called once, on the thread
  // that answers or ends, unless forget() comes first. After end() it is called before this
  // returns.
  std::string begin(Answered answered);
  // False: no request waits under this id; it was answered, forgotten or never made.
  bool answer(std::string_view id, ClientAnswer with);
  // Drops the request; its callback is not called any more.
  void forget(std::string_view id);
  // Gives every waiting request, and every later one, an empty answer.
  void end();
  // Requests without an answer.
  std::size_t waiting() const;

 private:
  mutable std::mutex mutex_;
  bool ended_ = false;
  std::uint64_t next_ = 1;
  std::unordered_map<std::string, Answered, TextHash, std::equal_to<>> waiting_;
};

}  // namespace gantry::host
