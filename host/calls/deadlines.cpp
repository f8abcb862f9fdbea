#include "host/calls/deadlines.hpp"

#include <algorithm>

#include "host/calls/error_answer.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {

Deadlines::Deadlines(Answers& answers, std::chrono::milliseconds heartbeat)
    : answers_(answers), heartbeat_(heartbeat) {
  timer_.start();
}

bool Deadlines::watch(gantry_call& call) {
  std::lock_guard lock(call.client.watch.mutex);
  if (call.state.is_over()) return false;
  call.client.watch.on = true;
  std::lock_guard live(mutex_);
  Watched& watched = live_[&call];
  watched.call = CallRef::share(&call);
  watched.timer = timer_.repeat(next_ring(call), [this, &call] { return ring(call); });
  return true;
}

void Deadlines::unwatch(gantry_call& call) {
  {
    std::lock_guard lock(call.client.watch.mutex);
    if (!call.client.watch.on) return;
  }
  Timer::Id timer = 0;
  {
    std::lock_guard live(mutex_);
    const auto it = live_.find(&call);
    if (it == live_.end()) return;
    timer = it->second.timer;
  }
  timer_.drop_and_wait(timer);
  decltype(live_)::node_type last;  // freed outside the lock
  std::lock_guard live(mutex_);
  last = live_.extract(&call);
  if (live_.empty()) none_.notify_all();
}

std::vector<CallRef> Deadlines::watched() {
  std::lock_guard lock(mutex_);
  std::vector<CallRef> out;
  for (const auto& [raw, watched] : live_) out.push_back(watched.call);
  return out;
}

bool Deadlines::wait_until_none(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return none_.wait_for(lock, limit, [&] { return live_.empty(); });
}

Timer::Time Deadlines::next_ring(const gantry_call& call) const {
  const Timer::Time deadline = time_of(call.deadline);
  if (!call.client.request.wants_progress || call.client.delivery.task || heartbeat_.count() <= 0)
    return deadline;
  return std::min(deadline, std::chrono::steady_clock::now() + heartbeat_);
}

// Runs on the timer's thread at the deadline and for each heartbeat. Returns its next time.
Timer::Time Deadlines::ring(gantry_call& raw) {
  CallRef call = CallRef::share(&raw);
  const auto now = std::chrono::steady_clock::now();
  if (now >= time_of(call->deadline)) {
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
        time_of(call->deadline) - call->client.started);
    ItemAnswer late;
    late.kind = ItemAnswer::Kind::error;
    late.error_code = "timeout";
    late.message = "The " + named(call->target.kind->name, call->target.name) +
                   " did not finish within " + std::to_string(limit.count()) + " ms";
    late.error_fits_schema = error_fits(call->target.item->output.get(), late);
    answers_.give(*call, std::move(late), TreeState::timed_out);
    return Timer::kNever;
  }
  ClientCall& client = call->client;
  Delivery& delivery = client.delivery;
  std::lock_guard lock(delivery.mutex);
  if (delivery.answered) return Timer::kNever;
  if (delivery.tool_reported || delivery.task || !client.request.wants_progress)
    return time_of(call->deadline);
  delivery.last_progress = std::chrono::duration<double>(now - client.started).count();
  delivery.listener->progress(delivery.last_progress, 0, "");
  return next_ring(*call);
}

}  // namespace gantry::host
