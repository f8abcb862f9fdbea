// host/bus/list_change_debouncer.hpp: publishes list changes once a series of changes is over.
//
// Ten plugins that are replaced together become one message to a client, and a tool that is added
// and removed again becomes none. Each kind of list is debounced apart: its event is published
// `quiet` after the last change, or `longest` after the first one. Any thread.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include "host/base/timer.hpp"
#include "host/bus/event.hpp"

namespace gantry::host {

struct DebounceTimes {
  std::chrono::milliseconds quiet{50};     // after the last change
  std::chrono::milliseconds longest{250};  // after the first change
};

class ListChangeDebouncer {
 public:
  // Returns the items of a list that differ from those of its last call for this list. Called on
  // the debouncer's thread, with nothing locked.
  using Differences = std::function<std::vector<Event::Seen>(Event::Kind)>;

  // `publish` is called on the same thread.
  explicit ListChangeDebouncer(std::function<void(const Event&)> publish, DebounceTimes times = {});

  // Before the first changed().
  void set_differences(Differences differences);

  // The host's items of this list may differ; published only if the Differences function finds any.
  void changed(Event::Kind list);
  // A plugin reports a change of the resources that it lists itself: always published. No items:
  // all subscribers are notified.
  void changed(Event::Kind list, const std::vector<Event::Seen>& items);

 private:
  using Time = std::chrono::steady_clock::time_point;
  // Changes of one list that are not published yet.
  struct Series {
    bool open = false;
    bool reported = false;  // by a plugin
    Time first, last;
    std::vector<Event::Seen> items;  // that plugins reported
  };
  static constexpr std::size_t kLists = 3;

  Series& note(Event::Kind list);
  Time due(const Series& series) const;
  void on_timer(Event::Kind list);

  const std::function<void(const Event&)> publish_;
  const DebounceTimes times_;
  Differences differences_;
  std::mutex mutex_;
  std::array<Series, kLists> series_;
  Timer timer_;  // last: its thread uses the others
};

}  // namespace gantry::host
