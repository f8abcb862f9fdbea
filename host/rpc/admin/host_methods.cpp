// host.overview and host.series.
#include <unistd.h>

#include <cstdio>

#include "host/approvals/policy.hpp"
#include "host/base/json.hpp"
#include "host/observe/utc.hpp"
#include "host/registry/find.hpp"
#include "host/rpc/admin/operator_methods.hpp"
#include "host/rpc/admin/sample_json.hpp"

namespace gantry::host::rpc {
namespace {

constexpr std::string_view kClassTemplate = "data://{class}/schema";
constexpr std::size_t kMinute = 60;

void put_count(std::string& out, std::string_view name, std::size_t count) {
  append_json_member(out, name, std::to_string(count));
}

std::string counts_json(const HostParts& parts, const Snapshot& snapshot) {
  std::string out = "{";
  put_count(out, "tools", snapshot.tools.size());
  put_count(out, "prompts", snapshot.prompts.size());
  put_count(out, "resources", snapshot.resources.size() + snapshot.templates.size());
  put_count(out, "plugins", parts.plugins.list().size());
  put_count(out, "agents", parts.agents()->agents.size());
  put_count(out, "sessions", parts.sessions ? parts.sessions->size() : 0);
  put_count(out, "streams", parts.streams ? static_cast<std::size_t>(parts.streams()) : 0);
  put_count(out, "approvals", static_cast<std::size_t>(parts.approvals()));
  put_count(out, "running", static_cast<std::size_t>(parts.calls.running()));
  put_count(out, "queued", parts.calls.queued());
  return out + "}";
}

std::string warnings_json(const HostParts& parts) {
  std::string out = "[";
  const auto warn = [&out](const std::string& text) {
    if (out.size() > 1) out += ',';
    append_json_string(out, text);
  };
  for (const PluginState& plugin : parts.plugins.list()) {
    if (plugin.state == "serving" && plugin.last_failure.empty()) continue;
    const std::string& reason = plugin.state == "serving" ? plugin.last_failure : plugin.reason;
    warn("plugin " + plugin.name + ": " + plugin.state + (reason.empty() ? "" : ", " + reason));
  }
  for (const auto& [name, agent] : parts.agents()->agents) {
    if (writes_unasked(*agent)) {
      warn("agent " + name + " may write without a person's approval");
    }
    if (agent->tier != Tier::readonly && agent->is_master()) {
      warn("agent " + name + " writes and has no identity: it sees every row");
    }
  }
  return out + "]";
}

std::string gates_json(contract::GateSet open) {
  std::string out = "[";
  for (const contract::Gate& gate : contract::all_gates()) {
    out += out.size() > 1 ? ",{" : "{";
    append_text_member(out, "name", gate.variable);
    append_json_member(out, "open", (open & gate.set) != 0 ? "true" : "false");
    out += '}';
  }
  return out + "]";
}

std::string auth_json(const HostParts& parts) {
  std::string out = "{";
  append_json_member(out, "configured", parts.is_configured() ? "true" : "false");
  append_json_member(out, "admin", parts.has_admin() ? "true" : "false");
  return out + "}";
}

std::string store_json(const HostParts& parts, const Item& listing) {
  std::string out = "{";
  append_text_member(out, "plugin", listing.plugin->manifest().name);
  put_count(out, "classes", parts.classes());
  return out + "}";
}

Result<std::string> overview(const HostParts& parts) {
  const SnapshotPtr snapshot = parts.registry.snapshot();
  const auto up = std::chrono::system_clock::now() - parts.since;
  std::string out = "{";
  append_text_member(out, "version", parts.version);
  put_count(out, "pid", static_cast<std::size_t>(::getpid()));
  append_text_member(out, "since", utc_time(parts.since));
  put_count(out, "uptime_s",
            static_cast<std::size_t>(std::chrono::duration_cast<std::chrono::seconds>(up).count()));
  append_text_member(out, "endpoint", parts.endpoint());
  append_json_member(out, "auth", auth_json(parts));
  append_json_member(out, "gates", gates_json(parts.open_gates));
  const Item* const listing = find_item(snapshot->template_by_uri, kClassTemplate);
  if (listing != nullptr && listing->plugin && parts.classes)
    append_json_member(out, "store", store_json(parts, *listing));
  append_json_member(out, "counts", counts_json(parts, *snapshot));
  std::string minute = "{";
  append_counts(minute, parts.audit.series().latest(kMinute));
  append_json_member(out, "last_minute", minute + "}");
  append_json_member(out, "warnings", warnings_json(parts));
  return out + "}";
}

Result<std::string> series(const Audit& audit, const std::string& range) {
  if (!range.empty() && range != "5m" && range != "1h")
    return Status::invalid("'range' must be \"5m\" or \"1h\", got '" + range + "'");
  const bool is_hour = range == "1h";
  std::string out = std::string("{\"step_s\":") + (is_hour ? "10" : "1") + ",\"samples\":[";
  for (const LoadSample& sample : is_hour ? audit.series().tens() : audit.series().seconds()) {
    if (!out.ends_with('[')) out += ',';
    out += open_sample(sample) + "}";
  }
  return out + "]}";
}

}  // namespace

std::string decimal(double number) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", number);
  std::string out = text;
  while (out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out;
}

void append_counts(std::string& out, const LoadCounts& counts) {
  append_json_member(out, "calls", std::to_string(counts.calls));
  append_json_member(out, "errors", std::to_string(counts.errors));
  append_json_member(out, "bytes", std::to_string(counts.bytes));
  append_json_member(out, "p50_ms", decimal(counts.percentile(0.5)));
  append_json_member(out, "p95_ms", decimal(counts.percentile(0.95)));
  append_json_member(out, "p99_ms", decimal(counts.percentile(0.99)));
}

std::string open_sample(const LoadSample& sample) {
  std::string out = "{";
  append_text_member(out, "time", utc_time(sample.time));
  append_counts(out, sample.counts);
  append_json_member(out, "running", std::to_string(sample.running));
  append_json_member(out, "queued", std::to_string(sample.queued));
  return out;
}

AdminMethods host_methods(const HostParts& parts) {
  return {{.name = "host.overview",
           .pace = AdminMethod::Pace::blocks,
           .run = [parts](const AdminParams&, const AdminCaller&) { return overview(parts); }},
          {.name = "host.series",
           .parameters = {"range?"},
           .run = [&audit = parts.audit](const AdminParams& params, const AdminCaller&) {
             return series(audit, params.text("range"));
           }}};
}

}  // namespace gantry::host::rpc
