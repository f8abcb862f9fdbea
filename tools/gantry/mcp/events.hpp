// tools/gantry/mcp/events.hpp: reads the messages of an event stream while it arrives.
//
// Main thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace gantry::cli {

class Events {
 public:
  // `on_notification` gets each complete message that is no answer.
  explicit Events(std::function<void(const rapidjson::Value& message)> on_notification)
      : on_notification_(std::move(on_notification)) {}

  // `body` is the whole stream so far; what was read before is not read again.
  void read(std::string_view body);

  // The message with the answer; empty when none came.
  const std::string& answer() const { return answer_; }

 private:
  void take(std::string_view event);

  const std::function<void(const rapidjson::Value& message)> on_notification_;
  std::size_t read_ = 0;
  std::string answer_;
};

}  // namespace gantry::cli
