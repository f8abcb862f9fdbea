// plan/plan_memory.hpp: remembers that no row violates a plan's assumption, until the next commit
// or catalog.
//
// Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace gantry::data {

class VerifiedAssumptions {
 public:
  using Clock = std::chrono::steady_clock;
  // What a look saw: commits as Store::now() counts them, and the catalog, which a new model
  // replaces.
  struct State {
    std::uint64_t commits = 0;
    std::shared_ptr<const void> catalog;
  };

  // Whether this look found no row in the state, or lately, see keep().
  bool found_nothing(const std::string& look, const State& state) const {
    const std::lock_guard held(mutex_);
    if (catalog_ != state.catalog) return false;
    const auto it = found_nothing_.find(look);
    return it != found_nothing_.end() &&
           (it->second.commits == state.commits || Clock::now() < it->second.until);
  }
  // `until`: commits before it are not looked at.
  void keep(const std::string& look, const State& state, Clock::time_point until = {}) {
    constexpr std::size_t kMost = 1000;
    const std::lock_guard held(mutex_);
    if (found_nothing_.size() >= kMost || catalog_ != state.catalog) found_nothing_.clear();
    catalog_ = state.catalog;
    found_nothing_[look] = {state.commits, until};
  }

 private:
  struct Found {
    std::uint64_t commits = 0;
    Clock::time_point until;
  };

  mutable std::mutex mutex_;
  std::shared_ptr<const void> catalog_;                   // of all that is remembered
  std::unordered_map<std::string, Found> found_nothing_;  // by look
};

}  // namespace gantry::data
