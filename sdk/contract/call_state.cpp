#include "sdk/contract/call_state.hpp"

namespace gantry::contract {

CallState::Return CallState::left(gantry_status status) {
  const bool stays = status == GANTRY_PENDING;
  Phase expected = Phase::entered;
  if (phase_.compare_exchange_strong(expected, stays ? Phase::pending : Phase::returned)) {
    return stays ? Return::pending : Return::ends;
  }
  return stays ? Return::finished : Return::misuse;
}

bool CallState::finish() {
  // From `entered` it may become `pending` at any moment: invoke() returns on another thread.
  Phase now = phase_.load();
  do {
    if (!is_inside(now)) return false;
  } while (!phase_.compare_exchange_weak(now, Phase::finished));
  return true;
}

std::string_view CallState::broken_by_finish() const {
  return phase() == Phase::finished ? "called finish() twice" : kFinishedAndReturned;
}

std::int32_t CallUse::cancelled() const {
  const gantry_status now = status();
  return now < 0 && (now != GANTRY_CANCELLED || tree_->callbacks_started()) ? 1 : 0;
}

gantry_status CallUse::on_cancel(void (*fn)(void*), void* context) const noexcept {
  if (tree_ == nullptr || fn == nullptr) return GANTRY_MISUSE;
  try {
    return tree_->on_cancel(owner_, fn, context);
  } catch (...) {
    return GANTRY_FAILED;
  }
}

gantry_status CallUse::off_cancel(void (*fn)(void*), void* context) const noexcept {
  if (tree_ == nullptr || fn == nullptr) return GANTRY_MISUSE;
  return tree_->off_cancel(owner_, fn, context);
}

}  // namespace gantry::contract
