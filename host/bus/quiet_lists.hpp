// host/bus/quiet_lists.hpp: tells of changed lists once a burst of changes is over.
//
// Ten plugins that are replaced together are one message to a client, and a tool that comes and
// goes again is none. Each kind of list has its own burst: it is over when nothing has changed for
// a while, or after a longer while whatever happens. Any thread.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

#include "host/base/timer.hpp"
#include "host/bus/event.hpp"

namespace gantry::host {

struct Quiet {
  std::chrono::milliseconds after{50};  // the last change
  std::chrono::milliseconds most{250};  // after the first change
};

class QuietLists {
 public:
  // The items of a list that differ from when this was last called for it: whoever may see one of
  // them sees another list. Called on one thread of ours.
  using Differences = std::function<std::vector<Event::Seen>(Event::Kind)>;

  // `tell` is called on that thread.
  explicit QuietLists(std::function<void(const Event&)> tell, Quiet quiet = {});

  // Before the first changed().
  void set_differences(Differences differences);

  // What the host knows of this list may differ; told if set_differences' function says so.
  void changed(Event::Kind list);
  // A plugin says that what it lists itself has changed: told in any case.
  void changed(Event::Kind list, const std::vector<Event::Seen>& seen);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Burst {
    bool open = false, sure = false;
    Time first, last;
    std::vector<Event::Seen> seen;
  };
  static constexpr std::size_t kLists = 3;

  Burst& note(Event::Kind list);
  Time due(const Burst& burst) const;
  void ring(Event::Kind list);

  const std::function<void(const Event&)> tell_;
  const Quiet quiet_;
  Differences differences_;
  std::mutex mutex_;
  std::array<Burst, kLists> bursts_;
  Timer timer_;  // last: it uses the others
};

}  // namespace gantry::host
