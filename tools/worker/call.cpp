#include "call.hpp"

namespace gantry::worker {

gantry_call* Calls::take_locked() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<gantry_call>());
    free_.push_back(all_.back().get());
  }
  gantry_call* const call = free_.back();
  free_.pop_back();
  return call;
}

gantry_call* Calls::begin(Worker& worker, std::uint64_t id, std::string_view body) {
  std::lock_guard lock(mutex_);
  gantry_call* const call = take_locked();
  call->frame.assign(body);
  const auto entry = wire::Entry::from(call->frame);
  if (!entry) {
    free_.push_back(call);
    return nullptr;
  }
  call->worker = &worker;
  call->id = id;
  call->entry = *entry;
  call->room = entry->room;
  call->references.store(1, std::memory_order_relaxed);
  call->phase.store(gantry_call::Phase::entered, std::memory_order_release);
  by_id_[id] = call;
  return call;
}

gantry_call* Calls::find(std::uint64_t id) {
  std::lock_guard lock(mutex_);
  const auto it = by_id_.find(id);
  if (it == by_id_.end()) return nullptr;
  keep(*it->second);
  return it->second;
}

void Calls::forget(const gantry_call& call) {
  std::lock_guard lock(mutex_);
  by_id_.erase(call.id);
}

void Calls::drop(gantry_call& call) {
  if (call.references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  call.phase.store(gantry_call::Phase::free, std::memory_order_release);
  call.tree.reset();
  call.writes.clear();
  call.json = gantry_call::Json::none;
  call.forwarding = false;
  call.answers.clear();
  std::lock_guard lock(mutex_);
  free_.push_back(&call);
}

}  // namespace gantry::worker
