// host/limits/gate.hpp: bounds concurrent use of something.
//
// Any thread.
#pragma once

#include <atomic>
#include <utility>

namespace gantry::host {

class Gate {
 public:
  // 0 = unlimited.
  explicit Gate(int limit) : limit_(limit) {}

  // One taken place; its destructor returns it. The Gate must outlive it.
  class Place {
   public:
    Place() = default;
    Place(Place&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(gate_, other.gate_);
      return *this;
    }
    ~Place() {
      if (gate_ != nullptr) --gate_->taken_;
    }
    explicit operator bool() const { return gate_ != nullptr; }

   private:
    friend class Gate;
    explicit Place(Gate* gate) : gate_(gate) {}
    Gate* gate_ = nullptr;
  };

  // Empty when all places are taken.
  Place enter() {
    if (++taken_ > limit_ && limit_ > 0) {
      --taken_;
      return {};
    }
    return Place(this);
  }

  int taken() const { return taken_; }

 private:
  const int limit_;
  std::atomic<int> taken_{0};
};

}  // namespace gantry::host
