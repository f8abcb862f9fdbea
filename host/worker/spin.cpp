#include "host/worker/spin.hpp"

#include <sched.h>

#include <algorithm>

namespace gantry::host::worker {
namespace {

using std::chrono::microseconds;

// To be woken takes up to 60 us in virtual machines, on either end.
constexpr Look kLong{microseconds(200), microseconds(200)};
// More than a quick tool takes and less than it takes to wake somebody, since the thread may have
// other things to do; what passes between an answer and the next call.
constexpr Look kUsual{microseconds(20), microseconds(50)};
constexpr std::chrono::milliseconds kLongestPause{64};
constexpr int kMost = 8, kCost = 4;

}  // namespace

int usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

Look SpinPolicy::next_call(Time now) {
  if (!has_two_) return {};
  if (look_.there.count() > 0 && now > worker_sleeps_) missed(now);
  if (credit_ == 0 && now < again_) return look_ = {};
  return look_ = missed_last_ ? kLong : kUsual;
}

void SpinPolicy::found(Time now) {
  missed_last_ = false;
  worker_sleeps_ = now + look_.there;
  credit_ = std::min(credit_ + 1, kMost);
  if (credit_ == kMost) pause_ = kFirstPause;
}

void SpinPolicy::missed(Time now) {
  missed_last_ = true;
  look_ = {};
  credit_ = std::max(credit_ - kCost, 0);
  if (credit_ > 0) return;
  again_ = now + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
}

}  // namespace gantry::host::worker
