#include "host/calls/call.hpp"

namespace gantry::host {

std::string_view CallAgent::json() {
  std::lock_guard lock(mutex_);
  if (json_.empty()) json_ = profile->to_json();
  return json_;
}

void CallAgent::reset() {
  profile.reset();
  json_.clear();
}

void ClientRequest::reset() {
  protocol.clear();
  correlation_id.clear();
  is_traced = false;
  wants_progress = false;
  log_level = -1;
  inputs = {};
  pass = nullptr;
}

void Delivery::reset() {
  listener.reset();
  answered = tool_reported = false;
  last_progress = -1;
  progress_offset = 0;
  task.store(false, std::memory_order_relaxed);
  task_refused.reset();
  denial_cause.clear();
  notes.clear();
}

void ClientCall::reset() {
  group = 0;
  request.reset();
  round.reset();
  delivery.reset();
  watch.on = tainted = false;
  abandonment.store(Abandonment::none, std::memory_order_relaxed);
  tree.reset();
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
  // Drops everything that owns something else, and resets the flags for the next call.
  CallRef parent = CallRef::adopt(call->nested.parent);
  call->state.reset();
  call->root = nullptr;
  call->target = {};
  call->agent.reset();
  call->arguments.clear();
  call->output.reset(Output::For::client, 0);
  call->nested = {};
  call->client.reset();
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
