// values/fleeting.hpp: whether an answer may be another one the next time although no row changed.
//
// Whatever takes part of an answer from anything but rows, such as chance or the clock, marks it.
// The mark is the thread's: a request is answered on one thread.
#pragma once

#include <utility>

namespace gantry::data {

class Fleeting {
 public:
  static void mark() { is_marked_ = true; }

  // What was marked on this thread while this one lived, watches inside it included.
  class Watch {
   public:
    Watch() : before_(std::exchange(is_marked_, false)) {}
    ~Watch() { is_marked_ = is_marked_ || before_; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    bool saw_mark() const { return is_marked_; }

   private:
    const bool before_;
  };

 private:
  static inline thread_local bool is_marked_ = false;
};

}  // namespace gantry::data
