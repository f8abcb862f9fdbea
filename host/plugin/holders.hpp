// host/plugin/holders.hpp: counts the pointers to a generation that snapshots and calls hold.
//
// The loader owns the generation and ends it when it has no holders. The drop of the last pointer
// is a notification: no code of the plugin runs on that thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "host/plugin/instance.hpp"

namespace gantry::host {

class Holders {
 public:
  Holders();

  // A pointer to `instance`, which must live until it has no holders. Its copies count as one
  // holder. What the last holder did before it dropped the pointer is visible to a caller of any()
  // that gets false. Control thread.
  InstancePtr share(Instance& instance);

  // `none` is called without locks on the thread that drops the last pointer, perhaps after this
  // object is gone; it must not block. Set once, before share().
  void on_none(std::function<void()> none);

  bool any() const;  // any thread
  // False when there are holders at the deadline. Any thread that is none of them.
  bool wait_for_none(std::chrono::steady_clock::time_point deadline) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::weak_ptr<Instance> shared_;  // what share() made last
};

}  // namespace gantry::host
