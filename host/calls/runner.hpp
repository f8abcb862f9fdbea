// host/calls/runner.hpp (private): takes a call into its plugin and out again.
//
//   queue -> [held] -> strand -> enter -> settle -> [redact] -> end
//
// A call waits for a thread of the pool, for the replacement of its plugin, and for the strand of a
// plugin that is not re-entrant. It ends once: when invoke() returns a status, or finish() is
// called after GANTRY_PENDING. No lock is held while a plugin runs. Any thread.
#pragma once

#include <functional>
#include <memory>

#include "host/calls/admission.hpp"
#include "host/calls/answers.hpp"
#include "host/calls/deadlines.hpp"
#include "host/calls/pool.hpp"

namespace gantry::host {

class Redaction;

class Runner {
 public:
  // All arguments outlive it.
  Runner(Metrics& metrics, Admission& admission, Answers& answers, Deadlines& deadlines,
         CallSlab& slab, PoolSize size);

  // Enters the plugin on a thread of the pool.
  void queue(CallRef call);
  // Enters the plugin on this thread. A tool that takes over 1 ms three times runs on the pool from
  // then on (registry/inline_latency_guard.hpp).
  void run_inline(gantry_call& call, const Item& item);
  static bool runs_inline(const Item& item);
  // Enters the plugin on this thread, which owns the strand where one is needed.
  void run(gantry_call& call, bool blocking);
  // Enters a plugin that is not re-entrant: at once, or when its strand is free.
  void take_strand_or_queue(CallRef call);
  static void leave_strand(Instance& instance);
  // True: the plugin is being replaced. The call is queued again when the new generation is there,
  // and ends with an error if there is none.
  bool hold(const CallRef& call);
  // As gantry_call_api::finish(). GANTRY_MISUSE: the call has not been entered, or has ended.
  gantry_status finish(gantry_call& call, gantry_status status);

  Pool& pool() { return pool_; }
  const Pool& pool() const { return pool_; }

 private:
  void run_queued(gantry_call* adopted);
  void go_on(CallRef call, InstancePtr instead);
  void enter(gantry_call& call);
  CallRef hand_over(gantry_call& call);
  void settle(gantry_call& call, gantry_status status);
  void end(gantry_call& call, gantry_status status);
  void redact(const std::shared_ptr<Redaction>& answer, gantry_status status);
  void end_root(gantry_call& call, gantry_status status);

  Metrics& metrics_;
  Admission& admission_;
  Answers& answers_;
  Deadlines& deadlines_;
  CallSlab& slab_;
  Pool pool_;
};

}  // namespace gantry::host
