// host/calls/call.hpp: the record behind a gantry_call.
//
// A record comes from a slab and is reference-counted. References are held by the plugin while it
// may use the call, by nested calls, by the client's handle and by the queue. Slab memory is not
// freed while the engine lives, so a plugin's stale pointer never leads to freed memory.
//
// Threads: unless a comment names another rule, a member is written by the thread that makes the
// call, before any other thread sees the record, and is constant until the last reference is gone.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/abi/host.h>

#include "host/auth/agent.hpp"
#include "host/base/deadline.hpp"
#include "host/base/fair_queue.hpp"
#include "host/calls/calls.hpp"
#include "host/calls/input_round.hpp"
#include "host/calls/output.hpp"
#include "host/registry/snapshot.hpp"
#include "sdk/contract/call_state.hpp"
#include "sdk/contract/call_tree.hpp"
#include "sdk/contract/item_kinds.hpp"

namespace gantry::host {

using contract::CallTree;
using contract::TreeState;

class Engine;
class CallSlab;

// The item that a call enters. If the call is held while its plugin is being replaced, `plugin`
// becomes the new generation before the plugin is entered.
struct CallTarget {
  SnapshotPtr snapshot;  // keeps `item`
  InstancePtr plugin;
  const Item* item = nullptr;    // null for a self-check
  const Item* method = nullptr;  // of a client's call of call_method: the method it names, if any
  const contract::ItemKind* kind = nullptr;  // never null once the call is made
  std::string_view name;                     // text of the item
};

// The agent that a call acts for.
class CallAgent {
 public:
  AgentPtr profile;

  // The profile as JSON text, made by the first call. The text is valid while the record is
  // referenced. Any thread. Throws std::bad_alloc.
  std::string_view json();
  void reset();

 private:
  std::mutex mutex_;
  std::string json_;
};

// The side of a nested call that faces its caller. A self-check uses only `ended`.
struct Nested {
  gantry_call* parent = nullptr;       // the caller's call; counted
  int depth = 0;                       // of the caller's call plus 1; 0 for a client's call
  gantry_call* splice_into = nullptr;  // forward(): this part's bytes go into that call's JSON
  std::string splice_part;
  std::chrono::steady_clock::time_point began{};
  bool calls_back = false;  // `ended` runs the caller's code
  // Reports the end to the caller; runs once, on the thread that ended the call.
  std::function<void(gantry_call&, gantry_status)> ended;
};

// The parts of a client's request that the call needs until its end.
struct ClientRequest {
  std::string protocol, correlation_id;
  bool is_traced = false;
  bool wants_progress = false;
  int log_level = -1;  // the most verbose syslog level; -1: no log lines
  Inputs inputs;
  ApprovalPassPtr pass;  // null: no person was asked

  void reset();
};

// The delivery of messages to the client. `mutex` guards all members; `task` may also be read
// without it.
struct Delivery {
  std::mutex mutex;
  std::shared_ptr<CallListener> listener;     // null after the answer
  bool answered = false;                      // the thread that sets it gives the answer
  bool tool_reported = false;                 // the heartbeat has stopped for good
  double last_progress = -1;                  // the latest value that was sent
  double progress_offset = 0;                 // added to the plugin's own values
  std::atomic<bool> task{false};              // the call continues as a task
  std::optional<gantry_status> task_refused;  // the answer of begin_task()
  std::string denial_cause;                   // why the call is refused; for the host alone
  std::string notes;                          // for the audit record: JSON objects with commas

  void reset();
};

// The side of a client's call that faces the client. Nested calls use that of their root.
struct ClientCall {
  GroupId group = 0;  // the group whose share of threads and places it uses
  std::chrono::steady_clock::time_point started;
  ClientRequest request;
  std::unique_ptr<InputRound> round;  // made and used by the plugin's thread, when it first asks
  Delivery delivery;
  // `on`: Deadlines watches the call. The mutex orders the start of the watch and the end of the
  // call.
  struct {
    std::mutex mutex;
    bool on = false;
  } watch;
  // counted: the plugin counts the call as abandoned, that is, answered and not ended.
  enum class Abandonment { none, counted, ended };
  std::atomic<Abandonment> abandonment{Abandonment::none};
  bool tainted = false;  // an untrusted provider wrote into the structured result
  CallTree tree;         // has its own lock

  // Prepares the record for its next call. The calling thread holds the only reference.
  void reset();
};

}  // namespace gantry::host

struct gantry_call {
  std::atomic<int> references{0};
  gantry::contract::CallState state;
  gantry::host::CallSlab* slab = nullptr;
  gantry::host::Engine* engine = nullptr;

  gantry_call* root = nullptr;  // the client's call; itself for one
  gantry::host::CallTarget target;
  gantry::host::CallAgent agent;
  std::string arguments;        // JSON text of an object
  std::uint64_t deadline = 0;   // CLOCK_MONOTONIC ns, 0 = none
  gantry::host::Output output;  // written by one thread at a time, as the contract demands
  gantry::host::Nested nested;
  gantry::host::ClientCall client;  // of a root
};

namespace gantry::host {

// Owns the records. Any thread; must outlive every reference.
class CallSlab {
 public:
  CallSlab() = default;
  ~CallSlab();
  CallSlab(const CallSlab&) = delete;
  CallSlab& operator=(const CallSlab&) = delete;

  // A clean record with one reference. Throws std::bad_alloc.
  gantry_call* take();
  // Called when the last reference is gone; drops everything that the record owns.
  void give_back(gantry_call* call);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<gantry_call>> all_;
  std::vector<gantry_call*> free_;
};

// A counted pointer to a record.
class CallRef {
 public:
  CallRef() = default;
  static CallRef adopt(gantry_call* call) { return CallRef(call); }  // takes over one reference
  static CallRef share(gantry_call* call);
  CallRef(CallRef&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
  CallRef(const CallRef& other) : CallRef(share(other.call_)) {}
  CallRef& operator=(CallRef other) noexcept { return std::swap(call_, other.call_), *this; }
  ~CallRef();

  gantry_call* get() const { return call_; }
  gantry_call* operator->() const { return call_; }
  gantry_call& operator*() const { return *call_; }
  explicit operator bool() const { return call_ != nullptr; }
  gantry_call* release() { return std::exchange(call_, nullptr); }

 private:
  explicit CallRef(gantry_call* call) : call_(call) {}
  gantry_call* call_ = nullptr;
};

}  // namespace gantry::host
