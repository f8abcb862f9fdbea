// tools/worker/turn.hpp: whose turn it is to read what the host sends.
//
// One thread has the turn. Who has read a call and is about to enter the plugin gives the turn to
// one that waits for it, or lends it: then nobody needs to wake while the plugin is quick, and the
// thread reads on afterwards. A turn that is lent for longer than a moment (2 to 4 ms), or while
// something must be read for the plugin to go on (call_in()), goes to one that waits.
//
// Any thread, unless said otherwise.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace gantry::worker {

class Turn {
 public:
  // Another thread will take() it, now or later: a new one, or one that comes back.
  void expect();
  // Waits for the turn.
  void take();
  // By who has it: stops reading. False, and still its own, when nobody is expected.
  bool give();

  using Loan = std::uint64_t;
  // By who has it: it stops reading, perhaps only for now. 0, and still its own, when nobody is
  // expected.
  Loan lend();
  // True when it has the turn again, as if it had not been lent; else another one has it, and it is
  // as after give().
  bool take_back(Loan loan);
  // A lent turn goes to one that waits.
  void call_in();

 private:
  std::cv_status wait(std::unique_lock<std::mutex>& lock,
                      std::optional<std::chrono::milliseconds> time);
  void wake_one();

  std::mutex mutex_;
  std::condition_variable free_;
  int readers_ = 0;  // have it (lent or not) or are expected
  bool taken_ = false;
  // A thread that comes back may take the turn before one that is woken for it is there: nobody is
  // woken twice for that.
  int waiting_ = 0;
  bool is_waking_ = false;
  Loan lent_ = 0;  // 0: not lent
  Loan loans_ = 0;
  bool is_watched_ = false;  // one of those that wait looks at the loan every now and then
};

}  // namespace gantry::worker
