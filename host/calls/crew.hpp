// host/calls/crew.hpp (private): the counters of a thread pool, and the rules that decide from them
// when a thread is added or ends.
//
// A value that starts no thread, so that each rule can be tested alone.
#pragma once

#include <cstddef>

namespace gantry::host {

struct PoolSize {
  unsigned threads = 1;  // that work at once; at least 1
  unsigned extra = 0;    // more at most, each in place of one that waits or blocks
  unsigned relief = 0;   // more at most, for groups whose calls waited behind other groups'
};

struct Crew {
  PoolSize size;
  unsigned alive = 0;     // all threads
  unsigned starting = 0;  // of these, those that have not looked at the queue yet
  unsigned idle = 0;      // of these, those that sleep
  unsigned working = 0;   // of these, those that run a piece of work
  unsigned waiting = 0;   // of the working ones, those that wait or block

  // Threads beyond the pool's own number may take a piece only of a group that has less than half
  // of that number under way; and the more it has, the smaller the part of the relief it may use:
  // with none all of it, with one half, with two a quarter. So a group that has nothing under way
  // finds a thread while others hold several each.
  bool relieves(std::size_t running) const;
  // A free thread may begin whatever is next: it is one of the pool's own number.
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
