#include "host/rpc/open_work.hpp"

#include <algorithm>

namespace gantry::host::rpc {

void OpenWork::add(const std::shared_ptr<RevocableWork>& work) {
  const std::lock_guard lock(mutex_);
  table_.emplace(work.get(), Entry{++ids_, work});
}

void OpenWork::remove(const RevocableWork& work) {
  const std::lock_guard lock(mutex_);
  table_.erase(&work);
}

// Released by the caller, without the lock.
OpenWork::Living OpenWork::living() const {
  Living all;
  const std::lock_guard lock(mutex_);
  all.reserve(table_.size());
  for (const auto& [key, entry] : table_) {
    if (auto work = entry.work.lock()) all.emplace_back(entry.id, std::move(work));
  }
  return all;
}

void OpenWork::take_agents(const AgentChanges& changes) {
  for (const auto& [id, work] : living()) work->take_agents(changes);
}

std::vector<ActiveCall> OpenWork::active_calls() const {
  std::vector<ActiveCall> out;
  for (const auto& [id, work] : living()) {
    auto call = work->active_call();
    if (!call) continue;
    call->id = id;
    out.push_back(std::move(*call));
  }
  std::sort(out.begin(), out.end(),
            [](const ActiveCall& a, const ActiveCall& b) { return a.id < b.id; });
  return out;
}

bool OpenWork::cancel(std::uint64_t id) const {
  for (const auto& [found, work] : living()) {
    if (found != id || !work->active_call()) continue;
    work->cancel_by_operator();
    return true;
  }
  return false;
}

}  // namespace gantry::host::rpc
