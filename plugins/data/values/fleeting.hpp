// values/fleeting.hpp: marks an answer as non-deterministic: it may differ although no row changed.
//
// Code that uses a source other than rows, such as random numbers or the clock, sets the mark. The
// mark is thread-local: a request is answered on one thread.
#pragma once

#include <utility>

namespace gantry::data {

class NonDeterminism {
 public:
  static void mark() { is_marked_ = true; }

  // Whether the mark was set on this thread during this object's lifetime, in nested watches too.
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
