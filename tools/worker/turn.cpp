#include "turn.hpp"

namespace gantry::worker {
namespace {

constexpr std::chrono::milliseconds kMoment{2};

}  // namespace

void Turn::expect() {
  std::lock_guard lock(mutex_);
  ++readers_;
}

// While there are loans, one of those that wait looks every now and then whether it still is the
// same: to wake one for each loan would cost more than loans save.
void Turn::take() {
  std::unique_lock lock(mutex_);
  bool watches = false;
  Loan seen = loans_;
  while (taken_) {
    const bool is_lent_of_late = lent_ != 0 || loans_ != seen;
    if (!watches && (is_watched_ || !is_lent_of_late)) {
      wait(lock, std::nullopt);
      continue;
    }
    watches = is_watched_ = true;
    seen = loans_;
    const Loan lent = lent_;
    if (wait(lock, kMoment) == std::cv_status::no_timeout) continue;
    if (lent != 0 && lent_ == lent) {
      lent_ = 0;
      --readers_;  // the lender
      break;
    }
    if (lent_ == 0 && loans_ == seen) watches = is_watched_ = false;
  }
  if (watches) is_watched_ = false;
  taken_ = true;
}

std::cv_status Turn::wait(std::unique_lock<std::mutex>& lock,
                          std::optional<std::chrono::milliseconds> time) {
  ++waiting_;
  auto status = std::cv_status::no_timeout;
  if (time) {
    status = free_.wait_for(lock, *time);
  } else {
    free_.wait(lock);
  }
  --waiting_;
  is_waking_ = false;
  return status;
}

void Turn::wake_one() {
  if (waiting_ == 0 || is_waking_) return;
  is_waking_ = true;
  free_.notify_one();
}

bool Turn::give() {
  std::lock_guard lock(mutex_);
  if (readers_ < 2) return false;
  --readers_;
  taken_ = false;
  wake_one();
  return true;
}

Turn::Loan Turn::lend() {
  std::lock_guard lock(mutex_);
  if (readers_ < 2) return 0;
  if (!is_watched_) wake_one();
  return lent_ = ++loans_;
}

bool Turn::take_back(Loan loan) {
  std::lock_guard lock(mutex_);
  if (lent_ != loan) return false;
  lent_ = 0;
  return true;
}

void Turn::call_in() {
  std::lock_guard lock(mutex_);
  if (lent_ == 0) return;
  lent_ = 0;
  --readers_;
  taken_ = false;
  wake_one();
}

}  // namespace gantry::worker
