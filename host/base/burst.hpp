// host/base/burst.hpp: lets a thread hand over a lot of work at the cost of one wake-up.
//
// While a Burst exists, whoever queues work for another thread (a mailbox) on this thread may put
// off waking that thread until the Burst ends. What is queued is visible at once; only the wake-up
// waits, so keep a Burst short and never wait inside it for what was queued.
//
// Lives on the stack of one thread; inside another one it does nothing and the outer one counts.
#pragma once

#include <memory>
#include <vector>

namespace gantry::host {

class Burst {
 public:
  class Sleeper {
   public:
    virtual ~Sleeper() = default;
    // The burst that this was put off to has ended. Any thread.
    virtual void wake_up() noexcept = 0;
  };

  Burst();
  ~Burst();
  Burst(const Burst&) = delete;
  Burst& operator=(const Burst&) = delete;

  // True: the thread is in a burst, at whose end `sleeper` is woken, once. False: it is not, or
  // memory is short; wake it yourself.
  static bool put_off(std::shared_ptr<Sleeper> sleeper) noexcept;

 private:
  bool outer_;
  std::vector<std::shared_ptr<Sleeper>> sleepers_;
};

}  // namespace gantry::host
