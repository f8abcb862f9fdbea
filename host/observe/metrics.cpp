#include "host/observe/metrics.hpp"

#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include <prometheus/gauge.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "host/observe/counters.hpp"
#include "host/observe/name_table.hpp"
#include "host/observe/operation_times.hpp"

namespace gantry::host {
namespace {

using prometheus::Counter;
using prometheus::Labels;
using prometheus::Registry;
using Reader = std::function<void(Gauges&)>;

CounterFamily& counters(Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

Counter& counter(Registry& registry, const char* name, const char* help) {
  return counters(registry, name, help).Add({});
}

prometheus::MetricFamily call_seconds(const NameTable<ToolCounters>& tools) {
  prometheus::MetricFamily family{"gantry_call_seconds",
                                  "Seconds from the arrival of a call to its answer, by tool",
                                  prometheus::MetricType::Histogram,
                                  {}};
  tools.each([&family](const ToolCounters& tool) {
    prometheus::ClientMetric& metric = family.metric.emplace_back();
    metric.label = {{"tool", tool.name}};
    metric.histogram = tool.seconds.read();
  });
  return family;
}

// One counter for each value of the one label of `family`.
class ByName {
 public:
  ByName(std::size_t limit, const char* label, CounterFamily& family)
      : table_(limit, [label, &family](NamedCounter& entry, const std::string& name) {
          entry.counter = &family.Add({{label, name}});
        }) {}
  void count(std::string_view name) {
    table_.at(name.empty() ? "unknown" : name).counter->Increment();
  }

 private:
  NameTable<NamedCounter> table_;
};

struct GaugeRow {
  std::int64_t Gauges::*value;
  const char* name;
  const char* help;
};

constexpr GaugeRow kGauges[] = {
    {&Gauges::calls_active, "gantry_calls_active", "Calls that have not ended"},
    {&Gauges::tasks_active, "gantry_tasks_active", "Tasks that have not ended"},
    {&Gauges::queue_length, "gantry_queue_length", "Calls that wait for a thread"},
    {&Gauges::approvals_waiting, "gantry_approvals_waiting",
     "Calls that wait for a person's approval"},
    {&Gauges::connections_active, "gantry_connections_active", "Open connections"},
    {&Gauges::sessions_active, "gantry_sessions_active", "Sessions"},
    {&Gauges::streams_active, "gantry_streams_active", "Answers that are event streams"},
    {&Gauges::listeners_active, "gantry_listeners_active", "Listening streams"},
    {&Gauges::subscriptions_active, "gantry_subscriptions_active", "Subscriptions to resources"},
    {&Gauges::generations_alive, "gantry_plugin_generations_alive",
     "Generations of plugins that have not ended"},
    {&Gauges::generations_draining, "gantry_plugin_generations_draining",
     "Generations that were replaced and that calls still hold"},
    {&Gauges::generations_stuck, "gantry_plugin_generations_stuck",
     "Generations that were replaced and that calls hold beyond the grace"},
    {&Gauges::plugins_quarantined, "gantry_plugins_quarantined",
     "Plugins whose items are withdrawn because they failed too often"},
};

void show_plugins(Registry& registry, const Gauges& gauges) {
  auto& generations = prometheus::BuildGauge()
                          .Name("gantry_plugin_generation")
                          .Help("Generation of each plugin that is loaded")
                          .Register(registry);
  for (const auto& [plugin, generation] : gauges.plugin_generation)
    generations.Add({{"plugin", plugin}}).Set(static_cast<double>(generation));
  auto& restarts = counters(registry, "gantry_plugin_restarts_total",
                            "Restarts of the process that a plugin runs in");
  for (const auto& [plugin, count] : gauges.plugin_restarts)
    restarts.Add({{"plugin", plugin}}).Increment(static_cast<double>(count));
  auto& swaps = counters(registry, "gantry_plugin_swaps_total",
                         "Generations of plugins that came up, or failed to");
  swaps.Add({{"outcome", "loaded"}}).Increment(static_cast<double>(gauges.generations_loaded));
  swaps.Add({{"outcome", "failed"}}).Increment(static_cast<double>(gauges.generations_failed));
  counter(registry, "gantry_plugin_libraries_leaked_total",
          "Libraries that were unloaded and stayed mapped all the same")
      .Increment(static_cast<double>(gauges.libraries_leaked));
}

void show_held(Registry& registry, const Gauges& gauges) {
  auto& bytes = prometheus::BuildGauge()
                    .Name("gantry_bytes_held")
                    .Help("Bytes of unfinished requests and of unread answers")
                    .Register(registry);
  auto& refused = counters(registry, "gantry_bytes_refused_total",
                           "Clients refused or cut because too many such bytes were held");
  const auto add = [&](const char* what, const Gauges::Held& held) {
    bytes.Add({{"what", what}}).Set(static_cast<double>(held.bytes));
    refused.Add({{"what", what}}).Increment(static_cast<double>(held.refused));
  };
  add("pending", gauges.pending);
  add("unread", gauges.unread);
}

void show(Registry& registry, const Gauges& gauges) {
  for (const GaugeRow& row : kGauges) {
    auto& family = prometheus::BuildGauge().Name(row.name).Help(row.help).Register(registry);
    family.Add({}).Set(static_cast<double>(gauges.*row.value));
  }
  show_plugins(registry, gauges);
  counter(registry, "gantry_calls_delayed_total",
          "Calls that waited for a thread for 75 ms or more")
      .Increment(static_cast<double>(gauges.calls_delayed));
  counter(registry, "gantry_audit_dropped_total", "Records that the audit file did not take")
      .Increment(static_cast<double>(gauges.audit_dropped));
  counter(registry, "gantry_spans_dropped_total", "Spans that no collector got")
      .Increment(static_cast<double>(gauges.spans_dropped));
  show_held(registry, gauges);
  counter(registry, "gantry_bytes_received_total", "Bytes read from clients")
      .Increment(static_cast<double>(gauges.bytes_received));
  counter(registry, "gantry_bytes_sent_total", "Bytes written to clients")
      .Increment(static_cast<double>(gauges.bytes_sent));
}

std::string label_of(std::size_t status) {
  return status < kStatuses.size() ? std::to_string(kStatuses[status]) : "other";
}

}  // namespace

struct Metrics::State {
  Registry registry;

  CounterFamily& calls =
      counters(registry, "gantry_calls_total", "Calls that were answered, by tool and outcome");
  NameTable<ToolCounters> tools{
      kMaxTools, [](ToolCounters& tool, const std::string& name) { tool.name = name; }};
  OperationTimes operations{kMaxTools};
  Counter& abandoned = counter(registry, "gantry_calls_abandoned_total",
                               "Calls that were answered while their plugin still worked on");
  ByName plugins{kMaxPlugins, "plugin",
                 counters(registry, "gantry_plugin_calls_total", "Entries into a plugin")};

  ByName approvals{kMaxReasons, "decision",
                   counters(registry, "gantry_approvals_total",
                            "Calls that a person was asked to approve, by the decision")};

  CounterFamily& requests =
      counters(registry, "gantry_requests_total",
               "JSON-RPC messages that were answered, by method and HTTP status");
  std::array<StatusCounters, kMethods.size() + 1> by_method;
  ByName auth_failures{kMaxReasons, "reason",
                       counters(registry, "gantry_auth_failures_total", "Refused credentials")};
  ByName rate_limited{kMaxReasons, "stage",
                      counters(registry, "gantry_rate_limited_total",
                               "Requests that were refused for coming too often")};

  std::mutex readers_mutex;
  std::vector<Reader> readers;
};

Metrics::Method::Method(std::string_view name)
    : row_(static_cast<std::uint8_t>(place_in(kMethods, name))) {}

Metrics::Metrics() : state_(std::make_unique<State>()) {}
Metrics::~Metrics() = default;

void Metrics::call_answered(std::string_view tool, std::string_view outcome,
                            std::chrono::nanoseconds took) {
  ToolCounters& counted = state_->tools.at(tool.empty() ? "unknown" : tool);
  const std::size_t place = outcome.empty() ? 0 : place_in(kOutcomes, outcome);
  counted.by_outcome[place].count(state_->calls, [&] {
    return Labels{{"tool", counted.name}, {"outcome", std::string(name_in(kOutcomes, place))}};
  });
  counted.seconds.observe(took);
}

void Metrics::operation_ended(Method method, std::string_view tool, std::string_view error_type,
                              std::chrono::nanoseconds took) {
  state_->operations.observe(method.row_, tool, error_type, took);
}

void Metrics::call_abandoned() { state_->abandoned.Increment(); }

void Metrics::plugin_called(std::string_view plugin) { state_->plugins.count(plugin); }

void Metrics::approval_decided(std::string_view decision) { state_->approvals.count(decision); }

void Metrics::request(Method method, int status) {
  const std::size_t row = method.row_;
  const std::size_t column = place_in(kStatuses, status);
  state_->by_method[row][column].count(state_->requests, [&] {
    return Labels{{"method", std::string(name_in(kMethods, row))}, {"status", label_of(column)}};
  });
}

void Metrics::auth_failed(std::string_view reason) { state_->auth_failures.count(reason); }

void Metrics::rate_limited(std::string_view stage) { state_->rate_limited.count(stage); }

void Metrics::at_scrape(Reader read) {
  const std::lock_guard lock(state_->readers_mutex);
  state_->readers.push_back(std::move(read));
}

std::string Metrics::text() const {
  std::vector<Reader> readers;
  {
    const std::lock_guard lock(state_->readers_mutex);
    readers = state_->readers;  // they are asked without the lock
  }
  Gauges gauges;
  for (const Reader& read : readers) read(gauges);
  // Made anew each time, so that a plugin that went is not shown any more.
  Registry moment;
  show(moment, gauges);
  auto families = state_->registry.Collect();
  families.push_back(call_seconds(state_->tools));
  families.push_back(state_->operations.read());
  for (auto& family : moment.Collect()) families.push_back(std::move(family));
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace gantry::host
