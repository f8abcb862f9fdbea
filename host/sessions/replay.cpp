#include "host/sessions/replay.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

void Replay::keep(EventId id, Text message, const Dropped& dropped) {
  if (!fits(message->size())) return dropped(id);
  bytes_ += message->size();
  kept_.push_back({id, std::move(message)});
  while (kept_.size() > limits_.events || bytes_ > limits_.bytes) {
    const EventId oldest = kept_.front().id;
    bytes_ -= kept_.front().message->size();
    kept_.pop_front();
    dropped(oldest);
  }
}

bool Replay::has_any_of(std::uint64_t stream) const {
  return std::any_of(kept_.begin(), kept_.end(),
                     [stream](const Kept& kept) { return kept.id.stream == stream; });
}

void Replay::each_after(EventId id, const std::function<bool(EventId, const Text&)>& visit) const {
  for (const auto& kept : kept_) {
    if (kept.id.stream != id.stream || kept.id.number <= id.number) continue;
    if (!visit(kept.id, kept.message)) return;
  }
}

void Replay::drop(const Dropped& dropped) {
  const auto gone = std::exchange(kept_, {});
  bytes_ = 0;
  for (const Kept& kept : gone) dropped(kept.id);
}

void Replay::clear() {
  kept_.clear();
  bytes_ = 0;
}

}  // namespace gantry::host
