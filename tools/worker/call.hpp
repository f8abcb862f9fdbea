// tools/worker/call.hpp: a gantry_call in a worker: the plugin's side of a call whose other
// side is in the host.
//
// A record is found by the call's id and is reference-counted. Its memory is never freed, so a
// plugin's late pointer finds a record in the state "ended". The plugin's writes are buffered here
// and sent with the end of the call. A write that surely fits is answered without the host.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <gantry/abi/abi.h>

#include "host/plugin/contract_bytes.hpp"
#include "host/worker/messages.hpp"
#include "link.hpp"
#include "sdk/contract/call_state.hpp"
#include "sdk/contract/call_writes.hpp"
#include "started.hpp"

namespace gantry::worker {

class Calls;

}  // namespace gantry::worker

struct gantry_call {
  gantry_call(gantry::worker::Calls& owner, gantry::worker::Link& host)
      : calls(owner), link(host) {}

  gantry::worker::Calls& calls;
  gantry::worker::Link& link;
  std::atomic<int> references{0};
  gantry::contract::CallState state;
  std::uint64_t id = 0;
  std::string frame;  // the text to which `entry` points
  gantry::worker::wire::Entry entry;
  mutable gantry::contract::CallTree tree;  // has its own lock

  // One thread at a time, as the contract says.
  std::string writes;                  // fields of a `write` frame, not sent yet
  gantry::contract::WriteLimit limit;  // the bytes that surely fit into the answer
  gantry::contract::JsonOrder json;
  bool forwarding = false;
  std::deque<std::string> answers;  // of gantry.input/1, until the call ends
};

namespace gantry::worker {

// The calls in this worker, from their frame `invoke` to their end. Any thread.
class Calls {
 public:
  // `link` outlives it.
  explicit Calls(Link& link) : link_(link) {}

  // A new record, with the plugin's reference; null when the body is not a valid entry.
  gantry_call* begin(std::uint64_t id, std::string_view body);
  // Returns a new reference; null if no running call has this id.
  gantry_call* find(std::uint64_t id);
  // invoke() has returned `status`. The caller holds a reference of its own.
  void settle(gantry_call& call, gantry_status status);
  // As gantry_call_api::finish().
  gantry_status finish(gantry_call& call, gantry_status status);

  static void keep(gantry_call& call) { call.references.fetch_add(1, std::memory_order_relaxed); }
  void drop(gantry_call& call);

  // The nested calls that calls have started.
  StartedCalls& started() { return started_; }

 private:
  gantry_call* take_locked();
  void end(gantry_call& call, wire::FrameType how, gantry_status status);

  Link& link_;
  StartedCalls started_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, gantry_call*> by_id_;
  std::vector<std::unique_ptr<gantry_call>> all_;
  std::vector<gantry_call*> free_;
};

using host::bytes_of;
using host::view;

// The use that the plugin makes of this call now.
inline contract::CallUse use_of(const gantry_call* call) {
  if (call == nullptr || !call->state.is_inside()) return {};
  return {call->tree, call};
}

// Runs `body` if the call can be written to. GANTRY_FAILED: out of memory.
template <class Body>
gantry_status guarded(const gantry_call* call, Body body) noexcept {
  return use_of(call).run(std::move(body));
}

}  // namespace gantry::worker
