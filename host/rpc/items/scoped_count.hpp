// host/rpc/items/scoped_count.hpp (private): increments a counter for the lifetime of its owner.
//
// Make it the first member: it is destroyed last, so that a thread that waits for zero may then
// destroy what the owner's other members refer to. Any thread.
#pragma once

#include <atomic>
#include <cstddef>

namespace gantry::host::rpc {

class ScopedCount {
 public:
  explicit ScopedCount(std::atomic<std::size_t>& count) : count_(count) { ++count_; }
  ~ScopedCount() { --count_; }
  ScopedCount(const ScopedCount&) = delete;
  ScopedCount& operator=(const ScopedCount&) = delete;

 private:
  std::atomic<std::size_t>& count_;
};

}  // namespace gantry::host::rpc
