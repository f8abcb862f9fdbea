// tools/gantry/host/event_stream.hpp: the events of a text/event-stream while it arrives.
//
// One thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gantry::cli {

class EventStream {
 public:
  // `on_event` gets the data of each complete event that has any.
  explicit EventStream(std::function<void(std::string_view data)> on_event)
      : on_event_(std::move(on_event)) {}

  // `body` is the whole stream so far; what was read before is not read again. It may end anywhere,
  // within a line break or a character too.
  void read(std::string_view body);

 private:
  const std::function<void(std::string_view data)> on_event_;
  std::size_t read_ = 0;
};

}  // namespace gantry::cli
