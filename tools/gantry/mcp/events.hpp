// tools/gantry/mcp/events.hpp: reads the messages of an event stream while it arrives.
//
// One thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include "tools/gantry/host/event_stream.hpp"

namespace gantry::cli {

class Events {
 public:
  // `on_notification` gets each complete message that is no answer.
  explicit Events(std::function<void(const rapidjson::Value& message)> on_notification)
      : on_notification_(std::move(on_notification)),
        stream_([this](std::string_view data) { take(data); }) {}
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  // `body` is the whole stream so far; what was read before is not read again.
  void read(std::string_view body) { stream_.read(body); }

  // The message with the answer; empty when none came.
  const std::string& answer() const { return answer_; }

 private:
  void take(std::string_view data);

  const std::function<void(const rapidjson::Value& message)> on_notification_;
  EventStream stream_;
  std::string answer_;
};

}  // namespace gantry::cli
