// host/calls/nesting.hpp (private): calls that a plugin makes inside a call: gantry.invoke/1.
//
// They never queue: the provider runs at once on the calling thread. That thread waits only for an
// asynchronous provider, for the replacement of a provider and for the strand of a provider that is
// not re-entrant; while a pool thread waits, another may work in its place. A wait that would lead
// back to its own call tree is refused. Any thread of the plugin that has the call.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include <gantry/abi/abi.h>

#include "host/calls/nested_target.hpp"
#include "host/calls/runner.hpp"

namespace gantry::host {

class Nesting {
 public:
  // All arguments outlive it. `max_answer_bytes` of one nested call.
  Nesting(Runner& runner, CallSlab& slab, std::size_t max_answer_bytes)
      : runner_(runner), slab_(slab), max_answer_bytes_(max_answer_bytes) {}

  // As gantry_invoke_api::call(), or forward() where `splice` is not empty: that part of the answer
  // goes into the parent's JSON. Blocks until the provider has ended the call.
  gantry_status invoke(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                       std::string_view splice, gantry_answer answer);
  // As gantry_invoke_api::start().
  gantry_status start(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                      gantry_answer answer, void (*done)(void*, gantry_status), void* context);

 private:
  struct Waiter;

  // `target` says more about a failure, or has the answer of a call that enters nothing.
  Result<CallRef> make(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                       NestedTarget& target);
  gantry_status wait_for_replacement(gantry_call& child);
  gantry_status wait_for_strand(gantry_call& child);
  gantry_status wait_for_end(gantry_call& root, Waiter& waiter);
  bool would_deadlock(gantry_call& root, Instance& wanted, std::string& chain);

  Runner& runner_;
  CallSlab& slab_;
  const std::size_t max_answer_bytes_;
  std::mutex waits_mutex_;
  std::map<const gantry_call*, Instance*> waits_;  // the instance whose strand a tree waits for
};

}  // namespace gantry::host
