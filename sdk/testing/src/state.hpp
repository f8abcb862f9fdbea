// The shared state of the fake host: the plugin's phase, violations, calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gantry/bytes.hpp>
#include <gantry/testing/fake_host.hpp>

#include "call_threads.hpp"
#include "sdk/contract/call_state.hpp"
#include "sdk/contract/call_writes.hpp"
#include "sdk/contract/manifest.hpp"

namespace gantry::testing::detail {

using contract::Item;
using contract::Manifest;

enum class Phase { idle, creating, created, starting, started, stopping, stopped, destroyed };

class HostState;

}  // namespace gantry::testing::detail

// The contract's opaque handle of an instance.
struct gantry_host {
  gantry::testing::detail::HostState* state;
};

namespace gantry::testing::detail {

// The answers and state from earlier rounds of a call.
struct Inputs {
  int round = 1;
  std::map<std::string, std::string, std::less<>> answers;
  std::string state;
  bool is_task = false;
};

// The caller of a call, as the properties "agent", "agent_scope" and "is_of_host" show it.
struct CallerTexts {
  std::string agent, scope;
  bool is_host = false;
};

}  // namespace gantry::testing::detail

// The contract's opaque handle of a call. Kept until the fake host is destroyed, so that a late use
// is reported instead of crashing.
struct gantry_call {
  gantry_call(gantry::testing::detail::HostState& of, std::string_view item_kind,
              std::string_view item_name, std::string_view given,
              gantry::testing::detail::CallerTexts of_caller, std::uint64_t until,
              gantry::testing::detail::Inputs brought = {})
      : host(of),
        kind(item_kind),
        name(item_name),
        arguments(given),
        caller(std::move(of_caller)),
        deadline(until),
        inputs(std::move(brought)),
        is_task(inputs.is_task) {}

  gantry::testing::detail::HostState& host;
  const std::string kind, name, arguments;
  const gantry::testing::detail::CallerTexts caller;
  const std::uint64_t deadline;  // CLOCK_MONOTONIC nanoseconds; 0 = none
  const gantry::testing::detail::Inputs inputs;

  gantry::contract::CallTree tree;  // has its own lock
  std::atomic<bool> writing{false};

  std::mutex mutex;  // guards everything below; `state` may also be read without it
  std::condition_variable changed;
  gantry::contract::CallState state;
  gantry::testing::Reply reply;
  bool returned = false;  // invoke() has returned
  gantry::contract::WriteLimit limit;
  gantry::contract::JsonOrder order;
  bool failed = false;
  std::string json, kept;
  std::size_t input_bytes = 0;  // of params and answers
  bool is_task = false;
};

namespace gantry::testing::detail {

// The use that the plugin makes of this call now.
inline contract::CallUse use_of(gantry_call& call) {
  return call.state.is_inside() ? contract::CallUse(call.tree, &call) : contract::CallUse();
}

// It has more than twelve members: everything of the host that a plugin can change or a test can
// ask for, under one lock.
class HostState {
 public:
  HostState(Options given, Manifest parsed)
      : options(std::move(given)),
        manifest(std::move(parsed)),
        max_answer_text(std::to_string(options.max_answer_bytes)) {}

  // Reports a violation.
  void violation(const std::string& text);
  // Reports, once for each, the use of a service that the manifest does not name.
  void report_undeclared(std::string_view id);

  const Item* find(std::string_view kind, std::string_view key) const;  // under `mutex`
  const Item* find_readable(std::string_view uri) const;                // under `mutex`

  Options options;
  Manifest manifest;
  const std::string max_answer_text;  // the property "max_answer_bytes"
  const gantry_plugin* table = nullptr;
  void* self = nullptr;
  gantry_host handle{this};
  std::atomic<Phase> phase{Phase::idle};

  std::mutex strand;  // one invoke() at a time of a plugin that is not re-entrant

  mutable std::mutex mutex;  // guards everything below
  std::vector<Item> items;
  std::vector<LogLine> log;
  std::vector<std::string> violations;
  std::set<std::string, std::less<>> undeclared;
  std::deque<std::unique_ptr<gantry_call>> calls;
  std::map<std::pair<std::string, std::string>, Provider> providers;
  std::map<std::string, std::string, std::less<>> answers;  // of the fake client, by key
  std::vector<Event> events;
  std::vector<std::string> watched;
  std::vector<std::thread> threads;

  CallThreads call_threads;  // the last member: they use the others
};

// The tables of the host's side.
const gantry_host_api& host_table();
const gantry_call_api& call_table();
const gantry_input_api& input_table();
const gantry_task_api& task_table();
const gantry_events_api& events_table();
// Null for an id that the fake host does not support.
const void* service_table(std::string_view id);

// Fails the running test; defined in gtest_failure.cpp. A program without GoogleTest defines its
// own.
void fail_test(const std::string& sentence);
// A name for messages: tool 'x'.
std::string label(const gantry_call& call);
// Runs the plugin's invoke() for `call` on the calling thread and records its result.
void enter_plugin(gantry_call& call);
// The reply of a call that ended: made from its status and checked against the rules.
Reply settle(gantry_call& call);
// The input of the next round, if a question of this round has a new answer, or if the call asked
// nothing and kept a state.
std::optional<Inputs> next_round(gantry_call& call);
// Nanoseconds of CLOCK_MONOTONIC.
std::uint64_t nanoseconds_from_now(std::chrono::milliseconds wait);
// Checks arguments or a result against a schema: the first findings as a sentence, or empty.
std::string mismatch(const schema::Validator& validator, std::string_view json,
                     std::string_view root);
// Marks the call as cancelled or past its deadline, and runs its callbacks.
void kill_call(gantry_call& call, bool timed_out);

}  // namespace gantry::testing::detail
