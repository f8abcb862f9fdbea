#include "host/bus/list_change_debouncer.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

ListChangeDebouncer::ListChangeDebouncer(std::function<void(const Event&)> publish,
                                         DebounceTimes times)
    : publish_(std::move(publish)), times_(times) {}

void ListChangeDebouncer::set_differences(Differences differences) {
  differences_ = std::move(differences);
}

void ListChangeDebouncer::changed(Event::Kind list) {
  std::lock_guard lock(mutex_);
  note(list);
}

void ListChangeDebouncer::changed(Event::Kind list, const std::vector<Event::Seen>& items) {
  std::lock_guard lock(mutex_);
  Series& series = note(list);
  // A change that concerns all subscribers makes the whole series concern them.
  const bool concerns_all = series.reported && series.items.empty();
  series.reported = true;
  if (concerns_all || items.empty()) return series.items.clear();
  for (const Event::Seen& item : items) {
    const auto known = std::find(series.items.begin(), series.items.end(), item);
    if (known == series.items.end()) series.items.push_back(item);
  }
}

ListChangeDebouncer::Series& ListChangeDebouncer::note(Event::Kind list) {
  Series& series = series_.at(static_cast<std::size_t>(list));
  series.last = std::chrono::steady_clock::now();
  if (series.open) return series;
  series.open = true;
  series.first = series.last;
  timer_.set(due(series), [this, list] { on_timer(list); });
  return series;
}

ListChangeDebouncer::Time ListChangeDebouncer::due(const Series& series) const {
  return std::min(series.last + times_.quiet, series.first + times_.longest);
}

void ListChangeDebouncer::on_timer(Event::Kind list) {
  Series over;
  {
    std::lock_guard lock(mutex_);
    Series& series = series_.at(static_cast<std::size_t>(list));
    if (due(series) > std::chrono::steady_clock::now()) {
      timer_.set(due(series), [this, list] { on_timer(list); });
      return;
    }
    over = std::exchange(series, {});
  }
  Event event;
  event.kind = list;
  if (differences_) event.seen = differences_(list);
  if (!over.reported && event.seen.empty()) return;
  if (over.reported && over.items.empty()) event.seen.clear();
  event.seen.insert(event.seen.end(), over.items.begin(), over.items.end());
  publish_(event);
}

}  // namespace gantry::host
