#include "host/app/options.hpp"

#include <algorithm>
#include <limits>

#include <gantry/abi/version.h>

#include "host/app/paths.hpp"
#include "host/http/endpoint/guard.hpp"

namespace gantry::host {
namespace {

std::chrono::milliseconds ms(std::int64_t value) { return std::chrono::milliseconds(value); }

}  // namespace

int places(const std::optional<std::int64_t>& limit) {
  return limit ? static_cast<int>(*limit) : 0;
}

LogOptions log_options(const Settings& settings) {
  return {.level = level_from(settings.log_level).value_or(Level::info),
          .json = settings.log_format == "json"};
}

CallLimits call_limits(const Settings& settings) {
  const LimitSettings& limits = settings.limits;
  CallLimits out;
  out.max_running =
      limits.max_calls ? static_cast<int>(*limits.max_calls) : std::numeric_limits<int>::max();
  out.pool_threads = static_cast<unsigned>(limits.pool_threads);
  out.blocking_threads = static_cast<unsigned>(limits.blocking_threads);
  out.max_answer_bytes = static_cast<std::size_t>(limits.max_tool_response_bytes);
  out.heartbeat = ms(limits.progress_heartbeat_ms);
  return out;
}

SessionLimits session_limits(const Settings& settings) {
  const LimitSettings& limits = settings.limits;
  return {.max_sessions = static_cast<std::size_t>(limits.max_sessions),
          .idle = ms(limits.session_idle_ms),
          .replay = {.events = static_cast<std::size_t>(limits.max_replay_events),
                     .bytes = static_cast<std::size_t>(limits.max_replay_bytes)}};
}

rpc::ProtocolSettings protocol_settings_of(const Settings& settings, bool one_agent) {
  rpc::ProtocolSettings out;
  out.version = GANTRY_SDK_VERSION;
  out.instructions = settings.instructions;
  out.discover_ttl = ms(settings.limits.discover_ttl_ms);
  out.list_ttl = ms(settings.limits.list_ttl_ms);
  out.lists_are_public = one_agent;
  out.round_lifetime = ms(settings.limits.input_lifetime_ms);
  out.input_timeout = ms(settings.limits.input_timeout_ms);
  out.max_waiting = static_cast<std::size_t>(settings.limits.max_waiting);
  out.max_waiting_per_session = static_cast<std::size_t>(settings.limits.max_waiting_per_session);
  out.max_tasks = static_cast<std::size_t>(settings.limits.max_tasks);
  out.max_tasks_per_owner = static_cast<std::size_t>(settings.limits.max_tasks_per_agent);
  out.task_ttl = ms(settings.limits.task_ttl_ms);
  out.max_stream_notifications = static_cast<std::size_t>(settings.limits.max_stream_notifications);
  out.max_subscriptions = static_cast<std::size_t>(settings.limits.max_subscriptions);
  out.max_subscribing_sessions = static_cast<std::size_t>(settings.limits.max_subscribing_sessions);
  return out;
}

http::Options http_options(const Settings& settings, const Address& address) {
  const HttpSettings& from = settings.http;
  http::Options out;
  out.address = address.host;
  out.port = address.port;
  out.io_threads = static_cast<std::size_t>(from.io_threads);
  out.limits.head_bytes = static_cast<std::size_t>(from.max_head_bytes);
  out.limits.headers = static_cast<std::size_t>(from.max_headers);
  out.limits.body_bytes = static_cast<std::size_t>(from.max_body_bytes);
  out.limits.queued_bytes = static_cast<std::size_t>(from.max_stream_queue_bytes);
  out.limits.pending_bytes = static_cast<std::size_t>(from.max_pending_bytes);
  out.limits.unread_bytes = static_cast<std::size_t>(from.max_unread_bytes);
  out.unread = std::make_shared<ByteBudget>(out.limits.unread_bytes);
  out.limits.connections = static_cast<std::size_t>(from.max_connections);
  out.limits.head_timeout = ms(from.head_timeout_ms);
  out.limits.body_timeout = ms(from.body_timeout_ms);
  out.limits.keep_alive_timeout = ms(from.keep_alive_timeout_ms);
  out.limits.write_stall = ms(from.write_stall_ms);
  out.limits.heartbeat = ms(from.stream_heartbeat_ms);
  out.limits.linger = ms(from.linger_ms);
  return out;
}

http::EndpointOptions endpoint_options(const Settings& settings, const Address& address) {
  http::EndpointOptions out;
  out.guard.loopback = http::is_loopback(address.host);
  out.guard.allowed_origins = settings.http.allowed_origins;
  out.guard.allowed_hosts = settings.http.allowed_hosts;
  out.guard.require_header = settings.http.require_header;
  out.request_streams = places(settings.limits.max_request_streams);
  out.listeners = places(settings.limits.max_listeners);
  out.max_waiting = static_cast<std::size_t>(settings.limits.max_stream_notifications);
  return out;
}

namespace {

Isolate isolate_of(const std::string& word) {
  if (word == "process") return Isolate::process;
  return word == "in-process" ? Isolate::in_process : Isolate::automatic;
}

WorkerLimits worker_limits(const PluginSection& section) {
  const WorkerSection& from = section.worker;
  const FilesSection& files = section.allow.files;
  return {
      .memory_bytes = static_cast<std::uint64_t>(from.memory_bytes),
      .cpu = std::chrono::seconds(from.cpu_seconds),
      .descriptors = static_cast<int>(from.descriptors),
      .threads = static_cast<int>(from.threads),
      .disk_bytes = static_cast<std::uint64_t>(from.disk_bytes),
      .log_bytes = static_cast<std::uint64_t>(from.log_bytes_per_second),
      .calls = static_cast<int>(from.calls),
      .network = section.allow.network,
      .processes = section.allow.processes,
      .files = {{files.read.begin(), files.read.end()}, {files.write.begin(), files.write.end()}},
      .walls = section.walls != "none",
      .kill_after = ms(from.kill_after_ms),
      .failures = static_cast<int>(from.failures),
      .within = ms(from.within_ms)};
}

}  // namespace

std::map<std::string, PluginSettings, std::less<>> plugin_settings(const Settings& settings) {
  std::map<std::string, PluginSettings, std::less<>> out;
  for (const auto& [name, section] : settings.plugins) {
    PluginSettings& plugin = out[name];
    plugin.config = section.config;
    plugin.isolate = isolate_of(section.isolate);
    plugin.enabled = section.enabled;
    plugin.worker = worker_limits(section);
    for (const auto& [secret, source] : section.secrets)
      plugin.secrets[secret] = {source.env, source.file};
  }
  return out;
}

TrustSettings trust_settings(const Settings& settings) {
  const TrustSection& from = settings.trust;
  const std::map<std::string_view, TrustRule> rules = {{"either", TrustRule::either},
                                                       {"allowlist", TrustRule::allowlist},
                                                       {"signature", TrustRule::signature},
                                                       {"both", TrustRule::both}};
  return {.sha256 = from.sha256,
          .keys = from.keys,
          .rule = rules.at(from.require),
          .builtin_plugins = from.builtin_plugins,
          .check_permissions = from.check_permissions};
}

std::vector<PluginSource> plugin_sources(const Settings& settings) {
  std::vector<PluginSource> out;
  if (settings.builtin_plugins.empty()) {
    out.push_back({builtin_plugins_directory(), true});
  } else if (settings.builtin_plugins != "none") {
    out.push_back({settings.builtin_plugins, true});
  }
  for (const auto& directory : settings.plugin_directories) out.push_back({directory, false});
  for (const auto& file : settings.plugin_files) out.push_back({file, false});
  return out;
}

}  // namespace gantry::host
