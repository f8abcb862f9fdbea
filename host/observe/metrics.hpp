// host/observe/metrics.hpp: the counters, gauges and histograms of the host, for Prometheus.
//
// clang-format off
// | metric                                | kind      | what                                       |
// |---------------------------------------|-----------|--------------------------------------------|
// | gantry_calls_total{tool,outcome}      | counter   | calls that were answered, also refused     |
// | gantry_call_seconds{tool}             | histogram | from arrival to answer, 1 ms to 60 s       |
// | mcp_server_operation_duration_seconds | histogram | requests, by mcp_method_name; tools/call   |
// |                                       |           | by gen_ai_tool_name; failures, error_type  |
// | gantry_calls_abandoned_total          | counter   | answered while the plugin still worked on  |
// | gantry_calls_delayed_total            | counter   | calls that waited for a thread for 75 ms   |
// | gantry_plugin_calls_total{plugin}     | counter   | entries into a plugin, also nested ones    |
// | gantry_approvals_total{decision}      | counter   | calls that a person was asked to approve   |
// | gantry_approvals_waiting              | gauge     | of these, not yet decided                  |
// | gantry_requests_total{method,status}  | counter   | JSON-RPC messages by HTTP status           |
// | gantry_auth_failures_total{reason}    | counter   | credentials that were refused              |
// | gantry_rate_limited_total{stage}      | counter   | requests refused for coming too often      |
// | gantry_bytes_received_total           | counter   | bytes read from clients                    |
// | gantry_bytes_sent_total               | counter   | bytes written to clients                   |
// | gantry_bytes_held{what}               | gauge     | unfinished requests, unread answers        |
// | gantry_bytes_refused_total{what}      | counter   | clients that held too many of these bytes  |
// | gantry_calls_active                   | gauge     | calls that have not ended                  |
// | gantry_tasks_active                   | gauge     | tasks that have not ended                  |
// | gantry_queue_length                   | gauge     | calls that wait for a thread               |
// | gantry_connections_active             | gauge     | open connections                           |
// | gantry_sessions_active                | gauge     | sessions                                   |
// | gantry_streams_active                 | gauge     | answers that are event streams             |
// | gantry_listeners_active               | gauge     | listening streams                          |
// | gantry_subscriptions_active           | gauge     | subscriptions to resources                 |
// | gantry_plugin_generation{plugin}      | gauge     | generation of each loaded plugin           |
// | gantry_plugin_generations_alive       | gauge     | generations that have not ended            |
// | gantry_plugin_generations_draining    | gauge     | replaced ones that calls still hold        |
// | gantry_plugin_generations_stuck       | gauge     | of these, held beyond the grace            |
// | gantry_plugins_quarantined            | gauge     | plugins that failed too often              |
// | gantry_plugin_swaps_total{outcome}    | counter   | generations that came up, or failed to     |
// | gantry_plugin_restarts_total{plugin}  | counter   | restarts of a plugin's worker process      |
// | gantry_audit_dropped_total            | counter   | records that the audit file did not take   |
// | gantry_spans_dropped_total            | counter   | spans that no collector got                |
// | gantry_plugin_libraries_leaked_total  | counter   | ended and unloaded, yet still mapped       |
// clang-format on
//
// The number of values of each label is bounded, because clients choose some of them: further
// values, and values not in labels.hpp, count as "other". Counting under a known name takes no lock
// and allocates nothing. Any thread, all functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace gantry::host {

// Current values, collected at each scrape. Each contributor adds its part with `+=`. It has more
// than twelve members: one for each metric that is collected this way.
struct Gauges {
  std::int64_t calls_active = 0;
  std::int64_t tasks_active = 0;
  std::int64_t queue_length = 0;
  std::int64_t approvals_waiting = 0;
  std::int64_t connections_active = 0;
  std::int64_t sessions_active = 0;
  std::int64_t streams_active = 0;
  std::int64_t listeners_active = 0;
  std::int64_t subscriptions_active = 0;
  using ByPlugin = std::map<std::string, std::uint64_t, std::less<>>;
  ByPlugin plugin_generation;  // those loaded now
  std::int64_t generations_alive = 0, generations_draining = 0, generations_stuck = 0;
  std::int64_t plugins_quarantined = 0;
  // Counters that the loader keeps; restarts of a new generation may begin anew.
  ByPlugin plugin_restarts;
  std::uint64_t generations_loaded = 0, generations_failed = 0, libraries_leaked = 0;
  // Counters kept by the transport: totals since the start, never decreasing.
  std::uint64_t bytes_received = 0, bytes_sent = 0;
  // The counter gantry_calls_delayed_total, kept by the call engine.
  std::uint64_t calls_delayed = 0;
  // Counters of the audit file and of traces.
  std::uint64_t audit_dropped = 0, spans_dropped = 0;
  // Bytes held for clients, and the holders evicted at the bound since the start.
  struct Held {
    std::uint64_t bytes = 0, refused = 0;
  };
  Held pending, unread;
};

class Metrics {
 public:
  static constexpr std::size_t kMaxTools = 2000;
  static constexpr std::size_t kMaxPlugins = 500;
  static constexpr std::size_t kMaxReasons = 32;  // and as many stages

  Metrics();
  ~Metrics();

  // A method as it is counted; holds nothing of the text it was made from.
  class Method {
   public:
    Method() : Method(std::string_view()) {}
    // "" for a message that has none, or none that could be read.
    explicit Method(std::string_view name);

   private:
    friend class Metrics;
    std::uint8_t row_;
  };

  // A call was answered. `tool` is a name of the registry, else "" (counted as "unknown"); for
  // other items a word in parentheses, which no tool can have as its name; `outcome` is "ok" (or
  // "") or a code: those of the tool errors, "tool_error" (the tool wrote its own error),
  // "unknown_tool", "busy", "input_required", "input_refused", "missing_capability".
  void call_answered(std::string_view tool, std::string_view outcome,
                     std::chrono::nanoseconds took);
  // A request of a client was answered. `tool`: of tools/call, a name of the registry; else empty.
  // `error_type`: "tool_error", the code of a JSON-RPC error, "cancelled" or, for success, empty.
  void operation_ended(Method method, std::string_view tool, std::string_view error_type,
                       std::chrono::nanoseconds took);

  // A call was answered by its deadline or a cancellation and its plugin had not ended.
  void call_abandoned();
  // A plugin was entered for a call of a client or of another plugin.
  void plugin_called(std::string_view plugin);

  // A call that waited for approval is decided: "accepted", "declined", "timed_out", …
  void approval_decided(std::string_view decision);

  // A message was answered with this HTTP status.
  void request(Method method, int status);
  void auth_failed(std::string_view reason);  // e.g. "missing", "invalid"
  void rate_limited(std::string_view stage);  // e.g. "pre_auth", "agent"

  // Each text() first calls `read`, on the thread that scrapes, perhaps on several at once. The
  // data that it reads must live until the last text() has returned.
  void at_scrape(std::function<void(Gauges&)> read);

  // Everything in the text exposition format (text/plain; version=0.0.4).
  std::string text() const;

 private:
  // It has more than twelve members: one for each metric.
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace gantry::host
