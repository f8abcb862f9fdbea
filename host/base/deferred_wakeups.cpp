#include "host/base/deferred_wakeups.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace gantry::host {
namespace {

thread_local DeferredWakeups* t_deferred = nullptr;

}  // namespace

DeferredWakeups::DeferredWakeups() : outer_(t_deferred == nullptr) {
  if (outer_) t_deferred = this;
}

DeferredWakeups::~DeferredWakeups() {
  if (!outer_) return;
  t_deferred = nullptr;
  for (const auto& queue : queues_) queue->wake_up();
}

bool DeferredWakeups::defer(std::shared_ptr<Wakeable> queue) noexcept {
  if (t_deferred == nullptr) return false;
  auto& known = t_deferred->queues_;
  if (std::find(known.begin(), known.end(), queue) != known.end()) return true;
  try {
    known.push_back(std::move(queue));
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

}  // namespace gantry::host
