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

#include "host/calls/tree.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/worker/messages.hpp"

namespace gantry::worker {

namespace wire = host::worker;
class Worker;

}  // namespace gantry::worker

struct gantry_call {
  enum class Phase : int { free, entered, pending, ended };
  enum class Json : int { none, open, done };

  std::atomic<int> references{0};
  std::atomic<Phase> phase{Phase::free};
  gantry::worker::Worker* worker = nullptr;
  std::uint64_t id = 0;
  std::string frame;  // the text to which `entry` points
  gantry::worker::wire::Entry entry;
  gantry::host::CallTree tree;

  // One thread at a time, as the contract says.
  std::string writes;      // fields of a `write` frame, not sent yet
  std::uint64_t room = 0;  // bytes that surely fit into the answer
  Json json = Json::none;
  bool forwarding = false;
  std::deque<std::string> answers;  // of gantry.input/1, until the call ends
};

namespace gantry::worker {

class Calls {
 public:
  // A new record, with one reference; nothing when the body is not a valid entry.
  gantry_call* begin(Worker& worker, std::uint64_t id, std::string_view body);
  // Returns a new reference; null if no running call has this id.
  gantry_call* find(std::uint64_t id);
  // Removes the id.
  void forget(const gantry_call& call);
  static void keep(gantry_call& call) { call.references.fetch_add(1, std::memory_order_relaxed); }
  void drop(gantry_call& call);

 private:
  gantry_call* take_locked();

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, gantry_call*> by_id_;
  std::vector<std::unique_ptr<gantry_call>> all_;
  std::vector<gantry_call*> free_;
};

using host::bytes_of;
using host::view;

// GANTRY_OK if the plugin may write to this call now.
inline gantry_status writable(const gantry_call* call) {
  if (call == nullptr) return GANTRY_MISUSE;
  const auto phase = call->phase.load(std::memory_order_acquire);
  const bool over = phase == gantry_call::Phase::free || phase == gantry_call::Phase::ended;
  if (over) return GANTRY_MISUSE;
  return call->tree.is_cancelled() ? GANTRY_CANCELLED : GANTRY_OK;
}

// Runs `body` if the call can be written to. GANTRY_FAILED: out of memory.
template <class Call, class Body>
gantry_status guarded(Call* call, Body body) noexcept {
  if (const gantry_status s = writable(call); s < 0) return s;
  try {
    return body();
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace gantry::worker
