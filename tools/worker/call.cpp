#include "call.hpp"

namespace gantry::worker {

gantry_call* Calls::take_locked() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<gantry_call>(*this, link_));
    free_.push_back(all_.back().get());
  }
  gantry_call* const call = free_.back();
  free_.pop_back();
  return call;
}

gantry_call* Calls::begin(std::uint64_t id, std::string_view body) {
  std::lock_guard lock(mutex_);
  gantry_call* const call = take_locked();
  call->frame.assign(body);
  const auto entry = wire::Entry::from(call->frame);
  if (!entry) {
    free_.push_back(call);
    return nullptr;
  }
  call->id = id;
  call->entry = *entry;
  call->limit.reset(entry->room);
  call->references.store(1, std::memory_order_relaxed);
  call->state.enter();
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

void Calls::settle(gantry_call& call, gantry_status status) {
  if (call.state.left(status) == contract::CallState::Return::ends) {
    end(call, wire::FrameType::returned, status);
    drop(call);  // the plugin's reference
    return;
  }
  // The host judges a return after finish().
  wire::FrameWriter frame(wire::FrameType::returned, call.id);
  frame.number(status);
  link_.send(frame);
}

gantry_status Calls::finish(gantry_call& call, gantry_status status) {
  if (!call.state.finish()) return GANTRY_MISUSE;
  end(call, wire::FrameType::finish, status);
  drop(call);
  return GANTRY_OK;
}

// The plugin is done with the call; its state is over.
void Calls::end(gantry_call& call, wire::FrameType how, gantry_status status) {
  call.tree.forget(&call);
  {
    std::lock_guard lock(mutex_);
    by_id_.erase(call.id);
  }
  wire::FrameWriter frame(how, call.id);
  frame.number(status).raw(call.writes);
  link_.send(frame);
}

void Calls::drop(gantry_call& call) {
  if (call.references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  call.state.reset();
  call.tree.reset();
  call.writes.clear();
  call.json.reset();
  call.forwarding = false;
  call.answers.clear();
  std::lock_guard lock(mutex_);
  free_.push_back(&call);
}

}  // namespace gantry::worker
