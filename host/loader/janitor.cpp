#include "host/loader/janitor.hpp"

#include <algorithm>
#include <utility>

#include "host/loader/start_attempt.hpp"

namespace gantry::host {
namespace {

constexpr std::chrono::seconds kStopTime{10};

}  // namespace

void Janitor::retire(GenerationPtr instance) {
  if (instance) add({.instance = std::move(instance)});
}

void Janitor::retire(StartAttempt attempt) {
  if (!attempt.instance) return;
  if (attempt.instance->holders().any()) {
    add({std::move(attempt.instance), attempt.created, attempt.started});
  } else {
    end(attempt.instance, attempt.created, attempt.started);
  }
}

void Janitor::add(Retired retired) {
  retired_.push_back(std::move(retired));
  count_retired();
}

bool Janitor::collect() {
  bool some = false;
  for (auto at = retired_.begin(); at != retired_.end();) {
    if (at->instance->holders().any()) {
      log_if_stuck(*at++);
      continue;
    }
    end(at->instance, at->created, at->started);
    at = retired_.erase(at);
    some = true;
  }
  count_retired();
  return some;
}

std::optional<Janitor::Clock::time_point> Janitor::next_deadline() const {
  std::optional<Clock::time_point> next;
  for (const Retired& retired : retired_) {
    if (retired.is_stuck) continue;
    const Clock::time_point deadline = retired.since + grace_;
    next = std::min(next.value_or(deadline), deadline);
  }
  return next;
}

void Janitor::log_if_stuck(Retired& retired) {
  if (retired.is_stuck || Clock::now() - retired.since < grace_) return;
  retired.is_stuck = true;
  Generation& instance = *retired.instance;
  instance.log(GANTRY_LOG_WARNING, "generation " + std::to_string(instance.generation()) +
                                       " is still held by calls " +
                                       std::to_string(grace_.count() / 1000) +
                                       " s after it was replaced; it stays until they end");
}

void Janitor::end(const GenerationPtr& instance, bool created, bool started) {
  if (started) instance->stop(Clock::now() + kStopTime);
  if (created) instance->destroy();
  const bool pinned = !instance->manifest().unloadable || !instance->was_stopped_well();
  if (!instance->was_stopped_well()) instance->pin();
  const bool gone = instance->close();
  if (!gone && !pinned) {
    instance->log(GANTRY_LOG_WARNING,
                  "stays mapped after its end although it promises to be unloadable; look for "
                  "threads, thread-local objects and unique symbols");
  }
  std::lock_guard lock(mutex_);
  ++(gone ? counts_.unloaded : pinned ? counts_.kept : counts_.leaked);
}

std::size_t Janitor::draining(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(retired_.begin(), retired_.end(),
                    [&](const Retired& r) { return r.instance->manifest().name == name; }));
}

std::size_t Janitor::stuck(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      retired_.begin(), retired_.end(),
      [&](const Retired& r) { return r.is_stuck && r.instance->manifest().name == name; }));
}

void Janitor::add_counts(std::multimap<std::string, Instance::CallCount>& to) const {
  for (const Retired& retired : retired_) {
    to.emplace(retired.instance->manifest().name, retired.instance->abandoned_calls());
  }
}

std::vector<std::string> Janitor::names() const {
  std::vector<std::string> names;
  for (const Retired& retired : retired_) names.push_back(retired.instance->manifest().name);
  return names;
}

std::size_t Janitor::end_all(Clock::time_point deadline) {
  std::size_t in_use = 0;
  while (!retired_.empty()) {
    Retired retired = std::move(retired_.front());
    retired_.pop_front();
    if (retired.instance->holders().wait_for_none(deadline)) {
      end(retired.instance, retired.created, retired.started);
      continue;
    }
    ++in_use;
    retired.instance->log(GANTRY_LOG_WARNING,
                          "is still in use at the deadline and is left running");
    keep_for_ever(std::move(retired.instance));
  }
  count_retired();
  return in_use;
}

void Janitor::count_retired() {
  const auto stuck = std::count_if(retired_.begin(), retired_.end(),
                                   [](const Retired& retired) { return retired.is_stuck; });
  std::lock_guard lock(mutex_);
  counts_.draining = retired_.size();
  counts_.stuck = static_cast<std::size_t>(stuck);
}

LoaderCounts Janitor::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace gantry::host
