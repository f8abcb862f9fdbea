// plan/plan_memory.hpp: remembers, until the next commit, that no row violates a plan's assumption.
//
// Any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace gantry::data {

class VerifiedAssumptions {
 public:
  // Whether this check found no row since the last commit, see Store::now().
  bool found_nothing(const std::string& look, std::uint64_t commits) const {
    const std::lock_guard held(mutex_);
    const auto it = found_nothing_.find(look);
    return it != found_nothing_.end() && it->second == commits;
  }
  void keep(const std::string& look, std::uint64_t commits) {
    constexpr std::size_t kMost = 1000;
    const std::lock_guard held(mutex_);
    if (found_nothing_.size() >= kMost) found_nothing_.clear();
    found_nothing_[look] = commits;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint64_t> found_nothing_;  // commit counter, by check
};

}  // namespace gantry::data
