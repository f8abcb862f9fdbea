#include "host/bus/quiet_lists.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

QuietLists::QuietLists(std::function<void(const Event&)> tell, Quiet quiet)
    : tell_(std::move(tell)), quiet_(quiet) {}

void QuietLists::set_differences(Differences differences) { differences_ = std::move(differences); }

void QuietLists::changed(Event::Kind list) {
  std::lock_guard lock(mutex_);
  note(list);
}

void QuietLists::changed(Event::Kind list, const std::vector<Event::Seen>& seen) {
  std::lock_guard lock(mutex_);
  Burst& burst = note(list);
  // Once it concerns everybody it stays so.
  const bool everybody = burst.sure && burst.seen.empty();
  burst.sure = true;
  if (everybody || seen.empty()) return burst.seen.clear();
  for (const Event::Seen& one : seen) {
    const auto known = std::find(burst.seen.begin(), burst.seen.end(), one);
    if (known == burst.seen.end()) burst.seen.push_back(one);
  }
}

QuietLists::Burst& QuietLists::note(Event::Kind list) {
  Burst& burst = bursts_.at(static_cast<std::size_t>(list));
  burst.last = std::chrono::steady_clock::now();
  if (burst.open) return burst;
  burst.open = true;
  burst.first = burst.last;
  timer_.set(due(burst), [this, list] { ring(list); });
  return burst;
}

QuietLists::Time QuietLists::due(const Burst& burst) const {
  return std::min(burst.last + quiet_.after, burst.first + quiet_.most);
}

void QuietLists::ring(Event::Kind list) {
  Burst over;
  {
    std::lock_guard lock(mutex_);
    Burst& burst = bursts_.at(static_cast<std::size_t>(list));
    if (due(burst) > std::chrono::steady_clock::now()) {
      timer_.set(due(burst), [this, list] { ring(list); });
      return;
    }
    over = std::exchange(burst, {});
  }
  Event event;
  event.kind = list;
  if (differences_) event.seen = differences_(list);
  if (!over.sure && event.seen.empty()) return;
  if (over.sure && over.seen.empty()) event.seen.clear();
  event.seen.insert(event.seen.end(), over.seen.begin(), over.seen.end());
  tell_(event);
}

}  // namespace gantry::host
