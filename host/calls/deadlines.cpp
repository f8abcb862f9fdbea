#include "host/calls/deadlines.hpp"

#include <algorithm>

#include "host/calls/answer.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {

Deadlines::Deadlines(Answers& answers, std::chrono::milliseconds heartbeat)
    : answers_(answers),
      heartbeat_(heartbeat),
      alarm_([this](gantry_call& call) { return ring(call); }) {}

bool Deadlines::watch(gantry_call& call) {
  std::lock_guard lock(call.client.watch.mutex);
  if (call.state.is_over()) return false;
  {
    std::lock_guard live(mutex_);
    live_.emplace(&call, CallRef::share(&call));
  }
  call.client.watch.on = true;
  alarm_.set(call, next_ring(call));
  return true;
}

void Deadlines::unwatch(gantry_call& call) {
  {
    std::lock_guard lock(call.client.watch.mutex);
    if (!call.client.watch.on) return;
  }
  alarm_.drop(call);
  CallRef last;  // dropped outside the lock
  std::lock_guard live(mutex_);
  const auto it = live_.find(&call);
  if (it == live_.end()) return;
  last = std::move(it->second);
  live_.erase(it);
  if (live_.empty()) none_.notify_all();
}

std::vector<CallRef> Deadlines::watched() {
  std::lock_guard lock(mutex_);
  std::vector<CallRef> out;
  for (const auto& [raw, call] : live_) out.push_back(call);
  return out;
}

bool Deadlines::wait_until_none(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return none_.wait_for(lock, limit, [&] { return live_.empty(); });
}

Alarm::Time Deadlines::next_ring(const gantry_call& call) const {
  const Alarm::Time deadline = time_of(call.deadline);
  if (!call.client.request.wants_progress || call.client.delivery.task || heartbeat_.count() <= 0)
    return deadline;
  return std::min(deadline, std::chrono::steady_clock::now() + heartbeat_);
}

// Runs on the alarm's thread at the deadline and for each heartbeat. Returns its next time.
Alarm::Time Deadlines::ring(gantry_call& raw) {
  CallRef call = CallRef::share(&raw);
  const auto now = std::chrono::steady_clock::now();
  if (now >= time_of(call->deadline)) {
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
        time_of(call->deadline) - call->client.started);
    ItemAnswer late;
    late.kind = ItemAnswer::Kind::error;
    late.error_code = "timeout";
    late.message = "The " + named(call->target.kind, call->target.name) +
                   " did not finish within " + std::to_string(limit.count()) + " ms";
    late.error_fits_schema = error_fits(*call->target.item, late);
    answers_.give(*call, std::move(late), TreeState::timed_out);
    return Alarm::Time::max();
  }
  ClientCall& client = call->client;
  Delivery& delivery = client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (delivery.answered) return Alarm::Time::max();
  if (delivery.tool_reported || delivery.task || !client.request.wants_progress)
    return time_of(call->deadline);
  delivery.last_progress = std::chrono::duration<double>(now - client.started).count();
  delivery.listener->progress(delivery.last_progress, 0, "");
  return next_ring(*call);
}

}  // namespace gantry::host
