// host/calls/crew.hpp (private): the counters of a thread pool, and the rules that decide from them
// when a thread is added or ends.
//
// A value that starts no thread, so that each rule can be tested alone.
#pragma once

#include <cstddef>

namespace gantry::host {

struct PoolSize {
  unsigned threads = 1;  // threads that work at once; at least 1
  unsigned extra = 0;    // most further threads, each in place of one that waits or blocks
  unsigned relief = 0;   // most further threads for groups whose calls waited behind other groups'
};

struct Crew {
  PoolSize size;
  unsigned alive = 0;     // all threads
  unsigned starting = 0;  // … that have not looked at the queue yet
  unsigned idle = 0;      // … that sleep
  unsigned working = 0;   // … that run a piece of work
  unsigned waiting = 0;   // working threads that wait or block

  // A thread beyond the pool's own number takes a piece only of a group with fewer pieces under way
  // than half of that number. Each piece under way halves the relief that the group may use: all of
  // it without a piece, half with one, a quarter with two. So a group without a piece under way
  // finds a thread while other groups hold several each.
  bool relieves(std::size_t running) const;
  // A free thread may begin a piece of any group: it is one of the pool's own number.
  bool may_begin() const;
  // A free thread may begin a piece of a group with `running` pieces under way.
  bool may_begin(std::size_t running) const { return may_begin() || relieves(running); }
  // Groups with fewer pieces than this under way are relieved.
  std::size_t relieved_below() const;
  // A thread is to be added in place of one that waits.
  bool lacks_replacement() const;
  // Threads to be added for `overdue` groups that are relieved.
  unsigned lacks_relief(std::size_t overdue) const;
  // One extra thread is too many.
  bool has_surplus() const;

 private:
  unsigned beyond() const;
};

}  // namespace gantry::host
