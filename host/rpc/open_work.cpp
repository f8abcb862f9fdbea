#include "host/rpc/open_work.hpp"

#include <vector>

namespace gantry::host::rpc {

void OpenWork::add(const std::shared_ptr<RevocableWork>& work) {
  const std::lock_guard lock(mutex_);
  table_.emplace(work.get(), work);
}

void OpenWork::remove(const RevocableWork& work) {
  const std::lock_guard lock(mutex_);
  table_.erase(&work);
}

void OpenWork::take_agents(const AgentChanges& changes) {
  std::vector<std::shared_ptr<RevocableWork>> all;  // released without the lock
  {
    const std::lock_guard lock(mutex_);
    all.reserve(table_.size());
    for (const auto& [key, weak] : table_) {
      if (auto work = weak.lock()) all.push_back(std::move(work));
    }
  }
  for (const auto& work : all) work->take_agents(changes);
}

}  // namespace gantry::host::rpc
