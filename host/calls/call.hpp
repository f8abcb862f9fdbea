// host/calls/call.hpp: the record behind a gantry_call.
//
// A record comes from a slab and is reference-counted. References are held by the plugin while it
// may use the call, by nested calls, by the client's handle and by the queue. Slab memory is not
// freed while the engine lives: a plugin's stale pointer finds a record in the state "ended".
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
#include "host/base/fair_queue.hpp"
#include "host/calls/calls.hpp"
#include "host/calls/input_round.hpp"
#include "host/calls/output.hpp"
#include "host/calls/tree.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host {

class Engine;
class CallSlab;

// Where a nested call's answer goes.
struct Nested {
  gantry_call* splice_into = nullptr;  // forward(): this part's bytes go into that call's JSON
  std::string splice_part;
  bool calls_back = false;  // `ended` runs the caller's code
  // How the caller hears of the end; runs once, on the thread that ended the call.
  std::function<void(gantry_call&, gantry_status)> ended;
};

// The side of a client's call that faces the client.
struct ClientCall {
  GroupId group = 0;  // the group whose share of threads and places it uses
  std::shared_ptr<CallListener> listener;
  std::string protocol, correlation_id;
  bool wants_progress = false;
  int log_level = -1;
  std::chrono::steady_clock::time_point started;
  Inputs inputs;
  std::unique_ptr<InputRound> round;  // made when the plugin first asks

  std::mutex mutex;                           // of the members down to `task_refused`
  bool answered = false;                      // which thread answers
  bool tool_reported = false;                 // the heartbeat has stopped for good
  double last_progress = -1;                  // the value that the client has seen
  double progress_offset = 0;                 // added to the plugin's own values
  std::atomic<bool> task{false};              // it goes on as a task; read without the lock
  std::optional<gantry_status> task_refused;  // the answer of begin_task()

  // Whether its plugin counts it as abandoned: answered before it ended.
  enum class Abandonment { none, counted, ended };
  std::atomic<Abandonment> abandonment{Abandonment::none};
  bool timed = false;    // Deadlines watches it; under lazy_mutex
  bool tainted = false;  // an untrusted provider wrote into the structured result

  // For another call. Its thread is alone with it.
  void reset();
};

}  // namespace gantry::host

struct gantry_call {
  // free -> entered (inside invoke) -> [pending] -> ended. Only the step to `ended` finishes.
  enum class Phase : int { free, entered, pending, ended };

  std::atomic<int> references{0};
  std::atomic<Phase> phase{Phase::free};
  gantry::host::CallSlab* slab = nullptr;
  gantry::host::Engine* engine = nullptr;

  gantry_call* root = nullptr;    // the client's call; itself for one
  gantry_call* parent = nullptr;  // the caller of a nested call; counted
  int depth = 0;
  gantry::host::SnapshotPtr snapshot;
  gantry::host::InstancePtr plugin;
  const gantry::host::Item* item = nullptr;  // kept by the snapshot; null for a self-check
  std::string_view kind, name;
  gantry::host::AgentPtr agent;
  std::string arguments;
  std::uint64_t deadline = 0;  // CLOCK_MONOTONIC ns, 0 = none
  gantry::host::Output output;
  gantry::host::Nested nested;

  std::mutex lazy_mutex;
  std::string agent_json;  // made when first asked for, under lazy_mutex

  gantry::host::CallTree tree;      // of a client's call
  gantry::host::ClientCall client;  // the same
};

namespace gantry::host {

class CallSlab {
 public:
  CallSlab() = default;
  ~CallSlab();
  CallSlab(const CallSlab&) = delete;
  CallSlab& operator=(const CallSlab&) = delete;

  gantry_call* take();  // a clean record with one reference
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

// CLOCK_MONOTONIC nanoseconds of a moment; never 0, which means "no deadline".
inline std::uint64_t deadline_from(std::chrono::steady_clock::time_point when) {
  const auto since = when.time_since_epoch();
  const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
  return count > 0 ? static_cast<std::uint64_t>(count) : 1;
}
inline std::chrono::steady_clock::time_point time_of(std::uint64_t deadline) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(deadline));
}

}  // namespace gantry::host
