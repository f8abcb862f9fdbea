// host/calls/calls.hpp: the interface of the call engine. It admits, validates and runs calls of
// tools and other items, enforces their deadlines and delivers one answer each.
//
//   start() -> [refused | running] -> done() exactly once
//
// A call runs on the pool (or, flagged non_blocking or sent to a worker, on the calling thread),
// under the snapshot that admitted it. On a deadline or a cancellation the answer is given at once,
// and later output of the plugin is dropped. All functions: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/abi/status.h>
#include <rapidjson/fwd.h>

#include "host/approvals/pass.hpp"
#include "host/auth/agent.hpp"
#include "host/bus/bus.hpp"
#include "host/config/limit_settings.hpp"
#include "host/observe/metrics.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {

// The kinds of input that a client can give, and its other capabilities.
struct ClientCan {
  bool elicit_form = false, elicit_url = false, sample = false, sample_with_tools = false;
  bool list_roots = false, tasks = false;
};

// State of the earlier input rounds of the same request (gantry.input/1).
struct Inputs {
  ClientCan can{};
  std::string answers;  // JSON object: key -> answer, of all rounds so far; empty = none
  std::string state;    // kept by the handler in the round before
  int round = 0;        // number of earlier rounds
};

// A client's request to enter an item. Borrowed views are used only until start() returns. One
// member for each parameter of start(), so it has more than twelve.
struct ItemCall {
  AgentPtr agent;
  // The group whose share of threads and places the call uses (parties.hpp): a credential, or an
  // address with a number for each of its clients, 0 for none.
  std::string_view party{};
  std::uint64_t client = 0;
  SnapshotPtr snapshot;        // the one `item` is of
  const Item* item = nullptr;  // null: nothing of that name
  // The kind as which the item is entered; empty = its own. "resource_list" and "completion" enter
  // a template or a prompt's completion item. A service is entered for the host's own needs.
  std::string_view kind;
  std::string_view name;                     // as the client wrote it, for messages
  std::string_view arguments;                // JSON text of the object; empty = {}
  const rapidjson::Value* parsed = nullptr;  // the same, parsed; null = {}. Tools only
  std::string_view protocol;                 // MCP revision of the client
  std::string_view correlation_id;
  bool is_traced = false;                  // plugins may write spans
  std::chrono::milliseconds most_time{0};  // if shorter than the item's own timeout; 0: that
  bool wants_progress = false;
  std::optional<int> log_level;  // most verbose syslog level the client wants; none = no logs
  Inputs inputs{};
  bool is_task = false;  // begun as a task in an earlier round
  // A person approved the call with these arguments; null: none was asked.
  ApprovalPassPtr pass{};
};

// The finished answer; owns its text. For a tool `content` is the inside of the JSON array
// of content blocks without the text copy of `structured`, which tool_result() adds for revisions
// that need it. For a service `content` is the part "text". For another kind `structured` is all:
// an object of the form that ABI.md gives for the kind.
// It has more than twelve members because each `kind` uses a few of them; the others are empty.
struct ItemAnswer {
  enum class Kind {
    result,             // the item's own output
    error,              // isError: `error_code`, `message`, `details`
    unknown_item,       // no plugin offers it to this agent: a protocol error
    invalid_arguments,  // as error, but a protocol error for peers before 2025-11-25
    busy,               // too many calls: HTTP 503, -32000
    internal,           // JSON-RPC internal error; the log has the cause
    input_required,     // `requests`, `state` and `answers` for the next entry
    // A person must approve the call before it is run. `arguments`: those that it would run with;
    // `above_rows`: only if it changes more rows than the agent may change unasked.
    approval_required,
    missing_capability,  // `requests`: the missing ones, as ClientCapabilities; `message`
  };
  Kind kind = Kind::result;
  std::string content;     // e.g. {"type":"text","text":"…"},{…}
  std::string structured;  // one JSON value, or empty
  bool is_error = false;   // of a result: the tool failed, and `content` is its output
  std::string error_code, message, details;
  // Why it was refused, as the plugin told the host: for operators, never for the client.
  std::string denial_cause;
  // What the plugins add to the audit record, a JSON array of objects; empty: nothing.
  std::string notes;
  bool cancelled = false;
  bool ran = false;  // the plugin was entered
  // The error may also be sent as structured content: the tool has no output schema, or it fits.
  bool error_fits_schema = false;
  std::string requests;  // JSON object: key -> {"method":…,"params":…}
  std::string state;     // for the next round: kept by the handler
  std::string answers;   // for the next round: JSON object of the answers used so far, or empty
  std::string arguments;
  bool above_rows = false;
};

// A tool that a sub-agent called inside a client's call has ended: an agent that a plugin narrowed
// by gantry.invoke/1. Refers to texts of the call.
struct SubAgentCall {
  const Agent& agent;
  std::string_view tool, plugin;
  std::uint64_t generation = 0;
  std::string_view arguments;   // JSON text of an object
  bool ran = false;             // the tool's plugin was entered
  std::string_view error_code;  // empty: success
  std::size_t bytes = 0;        // of the output
  std::chrono::steady_clock::duration took{};
};

// Receives the output of one call. Functions are called one at a time, from any thread; done() is
// the last.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void progress(double done, double total, std::string_view note) = 0;
  virtual void log(int level, std::string_view logger, std::string_view text) = 0;
  // The call requests to continue as a task (gantry.task/1). Called once, and only if the client
  // declared tasks. GANTRY_BUSY: too many tasks. The listener answers the client.
  virtual gantry_status begin_task() { return GANTRY_UNSUPPORTED; }
  virtual void sub_agent_called(const SubAgentCall& /*call*/) {}
  // A plugin finished a span of the call (contract::kSpanPart). Only of a traced call.
  virtual void span_ended(std::string_view /*span*/) {}
  // Closes the client's connection while the call continues (gantry.task/1); false: it stays open.
  virtual bool release() { return false; }
  virtual void done(ItemAnswer&& answer) = 0;
};

enum class CancelReason { notifications_cancelled, client_disconnected, session_terminated };

// Cancels one started call. Held by the request that started it.
class CallHandle {
 public:
  virtual ~CallHandle() = default;
  // Answers the call as cancelled, if it has no answer yet. A queued call is never started.
  virtual void cancel(CancelReason reason) = 0;
};

// Logs a plugin's violation of the contract: (plugin, sentence). Any thread.
using FaultLog = std::function<void(std::string_view, std::string_view)>;

class Calls : public HostServices {
 public:
  // `bus` takes the plugins' events; `metrics` counts entries into plugins and abandoned calls.
  // All must outlive the calls.
  static std::unique_ptr<Calls> create(Registry& registry, Bus& bus, Metrics& metrics,
                                       CallLimits limits, FaultLog faults);

  // Starts a call. `listener->done` may be called before this returns; then the handle is null. The
  // call owns the listener until done(). A refusal, a lack of places and a lack of memory are
  // answers too. Never throws.
  virtual std::shared_ptr<CallHandle> start(const ItemCall& call,
                                            std::shared_ptr<CallListener> listener) = 0;

  // Nothing if the agent may use the item, else the answer that a call would get.
  virtual std::optional<ItemAnswer> denied(const Agent& agent, const Item& item) const = 0;

  // Whether lists show the item to the agent: it may use it, and the tool that calls methods has
  // one that it may call. `snapshot`: the one the item is of.
  virtual bool lists(const Snapshot& snapshot, const Agent& agent, const Item& item) const = 0;

  // Runs the plugin's self-check and waits for it, at most `limit`. An error carries the plugin's
  // sentence. Control thread of the loader, before the instance is published.
  virtual Status self_check(InstancePtr instance, std::chrono::milliseconds limit) = 0;

  // Clients' calls that have begun and not ended.
  virtual int running() const = 0;
  // Calls that wait for a thread of the pool.
  virtual std::size_t queued() const = 0;
  // Calls that waited for a thread for 75 ms or longer, since the start.
  virtual std::uint64_t delayed() const = 0;

  // Refuses new calls, waits until none runs or `grace` has passed, then cancels the rest and waits
  // briefly for them. True: no plugin code runs any more.
  virtual bool drain(std::chrono::milliseconds grace) = 0;
};

}  // namespace gantry::host
