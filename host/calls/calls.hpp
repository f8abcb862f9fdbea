// host/calls/calls.hpp: runs tool calls: admit, validate, deadline, run, finish.
//
//   start() -> [refused | running] -> done() exactly once
//
// A call runs on the pool (or, flagged non_blocking, on the calling thread), under the snapshot
// that admitted it. When its deadline passes or it is cancelled the answer is given at once and
// whatever the plugin still writes is dropped. All functions: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "host/auth/agent.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {

// What a client asked for. Borrowed views are needed only until start() returns.
struct ToolCall {
  AgentPtr agent;
  std::string_view name;
  std::string_view arguments;                // JSON text of the object; empty = {}
  const rapidjson::Value* parsed = nullptr;  // the same, parsed; null = {}
  std::string_view protocol;                 // MCP revision of the client
  std::string_view correlation_id;
  bool wants_progress = false;
  std::optional<int> log_level;  // most verbose syslog level the client wants; none = no logs
};

// The finished answer. `content` is the inside of the JSON array of content blocks without the
// twin of `structured`, which the result finisher adds for whom it is due.
struct ToolAnswer {
  enum class Kind {
    result,             // what the tool wrote
    error,              // isError: `error_code`, `message`, `details`
    unknown_tool,       // no plugin offers it to this agent: a protocol error
    invalid_arguments,  // as error, but a protocol error for peers before 2025-11-25
    busy,               // too many calls: HTTP 503, -32000
    internal,           // JSON-RPC internal error; the story is in the log
  };
  Kind kind = Kind::result;
  std::string content;     // e.g. {"type":"text","text":"…"},{…}
  std::string structured;  // one JSON value, or empty
  bool is_error = false;   // of a result: the tool failed with what it wrote as content
  std::string error_code, message, details;
  bool cancelled = false;
  // The structured form of an error may be sent along: the tool has no output schema or it fits.
  bool error_fits_schema = false;
};

// Receives what a call produces; calls come one at a time, from any thread. `done` is the last.
class CallListener {
 public:
  virtual ~CallListener() = default;
  virtual void progress(double done, double total, std::string_view note) = 0;
  virtual void log(int level, std::string_view logger, std::string_view text) = 0;
  virtual void done(ToolAnswer&& answer) = 0;
};

enum class CancelReason { notifications_cancelled, client_disconnected, session_terminated };

// One started call, held by whoever may cancel it.
class CallHandle {
 public:
  virtual ~CallHandle() = default;
  // Answers the call as cancelled, if it has no answer yet. A call that waits never starts.
  virtual void cancel(CancelReason reason) = 0;
};

struct CallLimits {
  int max_running = 100;           // calls admitted at once; more are `busy`
  unsigned pool_threads = 0;       // 0 = 2 x cores, at least 4
  unsigned blocking_threads = 64;  // extra threads at most, for items flagged blocking
  std::size_t max_answer_bytes = 4u << 20;
  std::chrono::milliseconds heartbeat{2000};  // progress with elapsed seconds; 0 = none
};

// Hears of what a plugin did wrong, for the log: (plugin, sentence). Any thread.
using FaultLog = std::function<void(std::string_view, std::string_view)>;

class Calls : public HostServices {
 public:
  static std::unique_ptr<Calls> create(Registry& registry, CallLimits limits, FaultLog faults);

  // Starts a call. `listener->done` may come before this returns; the handle is null when it has.
  // Never throws.
  virtual std::shared_ptr<CallHandle> start(const ToolCall& call,
                                            std::shared_ptr<CallListener> listener) = 0;

  // May this agent use this tool: null when yes, else the answer it would get.
  virtual std::optional<ToolAnswer> denied(const Agent& agent, const Item& item) const = 0;

  // Enters the plugin's self-check and waits for it, at most `limit`; the Status carries the
  // sentence the plugin gave. Control thread of the loader, before the instance is published.
  virtual Status self_check(InstancePtr instance, std::chrono::milliseconds limit) = 0;

  virtual int running() const = 0;

  // Refuses new calls, waits until none runs or `grace` has passed, then cancels the rest and
  // waits a little for them. True when no plugin code runs any more.
  virtual bool drain(std::chrono::milliseconds grace) = 0;
};

}  // namespace gantry::host
