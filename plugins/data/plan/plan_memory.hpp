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

#include <gantry/lru.hpp>

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
  bool found_nothing(const std::string& look, const State& state) {
    const std::lock_guard held(mutex_);
    if (catalog_ != state.catalog) return false;
    const Found* const found = found_nothing_.find(look);
    return found != nullptr && (found->commits == state.commits || Clock::now() < found->until);
  }
  // `until`: commits before it are not looked at.
  void keep(const std::string& look, const State& state, Clock::time_point until = {}) {
    const std::lock_guard held(mutex_);
    if (catalog_ != state.catalog) found_nothing_.clear();
    catalog_ = state.catalog;
    found_nothing_.put(look, {state.commits, until});
  }

 private:
  struct Found {
    std::uint64_t commits = 0;
    Clock::time_point until;
  };

  std::mutex mutex_;
  std::shared_ptr<const void> catalog_;          // of all that is remembered
  Lru<std::string, Found> found_nothing_{1000};  // by look
};

}  // namespace gantry::data
