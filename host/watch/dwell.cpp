#include "host/watch/dwell.hpp"

#include <algorithm>

namespace gantry::host {

void Dwell::touch(const std::string& name, Touch how, Time now) {
  Entry& entry = entries_[name];
  entry.last = now;
  if (how != Touch::aside) entry.writing = how == Touch::part;
}

Dwell::Time Dwell::due(const Entry& entry) const {
  return entry.last + (entry.writing ? std::max(rest_, kPatience) : rest_);
}

bool Dwell::take(Time now) {
  return std::erase_if(entries_, [&](const auto& entry) { return due(entry.second) <= now; }) > 0;
}

std::optional<Dwell::Time> Dwell::next() const {
  std::optional<Time> first;
  for (const auto& [name, entry] : entries_) {
    first = first ? std::min(*first, due(entry)) : due(entry);
  }
  return first;
}

}  // namespace gantry::host
