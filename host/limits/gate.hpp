// host/limits/gate.hpp: bounds the number of concurrent users of a resource.
//
// Any thread; lock-free, allocates nothing.
#pragma once

#include <atomic>
#include <utility>

namespace gantry::host {

class Gate {
 public:
  // `limit`: the number of places; 0 = unlimited.
  explicit Gate(int limit) : limit_(limit) {}

  // One taken place, or none. Movable; its destructor returns the place. The Gate must outlive it.
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

  // Takes a place; an empty Place when all are taken.
  Place enter() {
    if (++taken_ > limit_ && limit_ > 0) {
      --taken_;
      return {};
    }
    return Place(this);
  }

  // Places taken now.
  int taken() const { return taken_; }

 private:
  const int limit_;
  std::atomic<int> taken_{0};
};

}  // namespace gantry::host
