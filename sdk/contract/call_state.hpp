// sdk/contract/call_state.hpp: the phases of one call, and the uses that a plugin may make of it.
//
//   free -> entered -> [pending] -> returned or finished -> free
//
// A call ends once: when invoke() returns a status, or with finish() where invoke() returns
// GANTRY_PENDING. finish() may come before that return. A call that ends without its plugin, for
// instance cancelled in a queue, goes from free to returned. Lock-free; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include <gantry/abi/status.h>

#include "sdk/contract/call_tree.hpp"

namespace gantry::contract {

class CallState {
 public:
  // free: the record has no call. returned, finished: the call has ended, by the status of invoke()
  // or by finish().
  enum class Phase : int { free, entered, pending, returned, finished };
  // The meaning of a return of invoke(). ends: the call ends with the returned status. pending: it
  // waits for finish(). finished: finish() has ended it, and the plugin returned GANTRY_PENDING as
  // it must. misuse: finish() has ended it, and the plugin returned another status.
  enum class Return { ends, pending, finished, misuse };

  Phase phase() const { return phase_.load(std::memory_order_acquire); }
  // True while the plugin may use the call.
  bool is_inside() const { return is_inside(phase()); }
  bool is_over() const { return phase() >= Phase::returned; }

  // Before invoke(): the plugin may use the call from here on.
  void enter() { phase_.store(Phase::entered, std::memory_order_release); }
  // Ends a call whose plugin was never entered.
  void end_outside() { phase_.store(Phase::returned, std::memory_order_release); }
  // Prepares the record for its next call. The caller holds the only reference.
  void reset() { phase_.store(Phase::free, std::memory_order_release); }

  // After invoke().
  Return left(gantry_status status);
  // finish(): true if this ends the call. False: GANTRY_MISUSE, and broken_by_finish() names the
  // rule.
  bool finish();
  // The rule that a refused finish() breaks, as the rest of a sentence about the item.
  std::string_view broken_by_finish() const;

 private:
  static bool is_inside(Phase phase) { return phase == Phase::entered || phase == Phase::pending; }

  std::atomic<Phase> phase_{Phase::free};
};

// The rule behind Return::misuse, as the rest of a sentence about the item.
inline constexpr std::string_view kFinishedAndReturned =
    "called finish() and did not return GANTRY_PENDING";

// One use of a call by its plugin, through a function of gantry_call_api or of another service.
class CallUse {
 public:
  // For a null pointer, or a call that the plugin may not use: every use is GANTRY_MISUSE.
  CallUse() = default;
  // `tree`: the cancellation of the call. `owner`: the owner of the call's callbacks in it.
  CallUse(CallTree& tree, const void* owner) : tree_(&tree), owner_(owner) {}

  // GANTRY_OK: the plugin may write. GANTRY_CANCELLED: the call was answered without it.
  gantry_status status() const {
    if (tree_ == nullptr) return GANTRY_MISUSE;
    return tree_->is_cancelled() ? GANTRY_CANCELLED : GANTRY_OK;
  }
  bool is_misuse() const { return tree_ == nullptr; }

  // Returns `body()` if the plugin may write, else status(). GANTRY_FAILED: out of memory.
  template <class Body>
  gantry_status run(Body body) const noexcept {
    if (const gantry_status refused = status(); refused < 0) return refused;
    try {
      return body();
    } catch (...) {
      return GANTRY_FAILED;
    }
  }

  // As the functions of gantry_call_api.
  std::int32_t cancelled() const;
  gantry_status on_cancel(void (*fn)(void*), void* context) const noexcept;
  gantry_status off_cancel(void (*fn)(void*), void* context) const noexcept;

 private:
  CallTree* tree_ = nullptr;
  const void* owner_ = nullptr;
};

}  // namespace gantry::contract
