// host/rpc/items/counted.hpp (private): one of those that are counted while they live. As their
// first member it goes last, so that who waits for none may end what the others refer to. Any
// thread.
#pragma once

#include <atomic>
#include <cstddef>

namespace gantry::host::rpc {

class Counted {
 public:
  explicit Counted(std::atomic<std::size_t>& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::size_t>& count_;
};

}  // namespace gantry::host::rpc
