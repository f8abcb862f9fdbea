#include "host/calls/call.hpp"

namespace gantry::host {

void ClientCall::reset() {
  group = 0;
  listener.reset();
  wants_progress = answered = tool_reported = timed = tainted = false;
  log_level = -1;
  inputs = {};
  round.reset();
  last_progress = -1;
  progress_offset = 0;
  task.store(false, std::memory_order_relaxed);
  task_refused.reset();
  abandonment.store(Abandonment::none, std::memory_order_relaxed);
}

CallSlab::~CallSlab() = default;

gantry_call* CallSlab::take() {
  gantry_call* call = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (free_.empty()) {
      all_.push_back(std::make_unique<gantry_call>());
      free_.push_back(all_.back().get());
    }
    call = free_.back();
    free_.pop_back();
  }
  call->slab = this;
  call->references.store(1, std::memory_order_relaxed);
  return call;
}

void CallSlab::give_back(gantry_call* call) {
  // Everything that may own something else goes now; flags are reset for the next user.
  CallRef parent = CallRef::adopt(std::exchange(call->parent, nullptr));
  call->phase.store(gantry_call::Phase::free, std::memory_order_release);
  call->root = nullptr;
  call->snapshot.reset();
  call->plugin.reset();
  call->item = nullptr;
  call->agent.reset();
  call->arguments.clear();
  call->output.reset(Output::For::client, 0);
  call->nested = {};
  call->agent_json.clear();
  call->tree.reset();
  call->client.reset();
  call->depth = 0;
  std::lock_guard lock(mutex_);
  free_.push_back(call);
}

CallRef CallRef::share(gantry_call* call) {
  if (call != nullptr) call->references.fetch_add(1, std::memory_order_relaxed);
  return CallRef(call);
}

CallRef::~CallRef() {
  if (call_ == nullptr) return;
  if (call_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) call_->slab->give_back(call_);
}

}  // namespace gantry::host
