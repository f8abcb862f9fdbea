// host/config/settings.hpp: everything an operator can set, with its defaults.
//
// Values; read once before serving.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry::host {

// A secret by reference; exactly one is set.
struct SecretSource {
  std::string env, file;
};

// Of a worker process; 0 is no limit where the schema allows it.
struct WorkerSection {
  std::int64_t memory_bytes = std::int64_t{1} << 30, cpu_seconds = 60, descriptors = 256;
  std::int64_t threads = 256, disk_bytes = std::int64_t{64} << 20;
  std::int64_t log_bytes_per_second = 64 << 10;
  std::int64_t calls = 64, kill_after_ms = 1'000, failures = 5, within_ms = 60'000;
};

struct FilesSection {
  std::vector<std::string> read, write;
};

// What a worker may use beyond its own; an array of the words for what is true means the same.
struct AllowSection {
  FilesSection files;
  bool network = false, processes = false;
};

struct PluginSection {
  std::string config = "{}";  // JSON object
  std::map<std::string, SecretSource> secrets;
  std::string isolate = "auto";
  bool enabled = true;
  AllowSection allow;
  std::string walls = "required";  // or "none"
  WorkerSection worker;
};

// Which plugin files may be loaded.
struct TrustSection {
  std::string require = "either";         // or "allowlist", "signature", "both"
  std::vector<std::string> sha256, keys;  // hashes; public keys or files with one
  bool builtin_plugins = false, check_permissions = true;
};

struct HttpSettings {
  std::vector<std::string> allowed_origins, allowed_hosts;
  std::string require_header;
  std::int64_t io_threads = 1;
  std::int64_t max_body_bytes = 1 << 20, max_head_bytes = 16 << 10, max_headers = 100;
  std::int64_t max_stream_queue_bytes = 8 << 20, max_connections = 0;
  std::int64_t max_pending_bytes = 64 << 20, max_unread_bytes = 256 << 20;  // of all clients
  std::int64_t head_timeout_ms = 10'000, body_timeout_ms = 30'000, keep_alive_timeout_ms = 60'000;
  std::int64_t write_stall_ms = 30'000, stream_heartbeat_ms = 15'000, linger_ms = 1'000;
};

struct LimitSettings {
  // Nothing = unlimited.
  std::optional<std::int64_t> max_calls = 100, max_request_streams = 100, max_listeners = 4'096;
  std::int64_t max_tool_response_bytes = 4 << 20;
  std::int64_t pool_threads = 0, blocking_threads = 64, progress_heartbeat_ms = 2'000;
  std::int64_t max_sessions = 10'000, session_idle_ms = 30 * 60'000;
  std::int64_t pre_auth_per_minute = 600, stdio_grace_ms = 2'000;
  std::int64_t max_stream_notifications = 256;
  std::int64_t max_replay_events = 256, max_replay_bytes = 1 << 20;
  std::int64_t max_subscriptions = 100, max_subscribing_sessions = 1'000;
  std::int64_t max_waiting = 1'000, max_waiting_per_session = 8;
  std::int64_t input_timeout_ms = 300'000, input_lifetime_ms = 600'000;
  std::int64_t max_tasks = 1'000, max_tasks_per_agent = 100, task_ttl_ms = 600'000;
  std::int64_t list_ttl_ms = 5'000, discover_ttl_ms = 60'000;
};

struct Settings {
  std::string listen = "127.0.0.1:8765";
  bool stdio = false;
  std::string builtin_plugins;  // empty = beside the program; "none"
  std::vector<std::string> plugin_directories, plugin_files, overrides;
  std::string state;    // empty = the user's state directory
  std::string control;  // empty = one of its own in the user's runtime directory; "none"
  bool remote_admin = false;
  std::string log_level = "info", log_format = "text";
  std::string instructions;
  std::int64_t shutdown_grace_ms = 10'000;
  std::map<std::string, PluginSection> plugins;
  TrustSection trust;
  HttpSettings http;
  LimitSettings limits;
};

// Calls visit(name, member) for every key of a group, in the order of the schema; groups within
// groups come as members too. The one list of keys: reading and printing both follow it.
template <class S, class Visit>
void visit_trust(S& s, Visit&& visit) {
  visit("require", s.require);
  visit("sha256", s.sha256);
  visit("keys", s.keys);
  visit("builtin_plugins", s.builtin_plugins);
  visit("check_permissions", s.check_permissions);
}

template <class S, class Visit>
void visit_http(S& s, Visit&& visit) {
  visit("allowed_origins", s.allowed_origins);
  visit("allowed_hosts", s.allowed_hosts);
  visit("require_header", s.require_header);
  visit("io_threads", s.io_threads);
  visit("max_body_bytes", s.max_body_bytes);
  visit("max_head_bytes", s.max_head_bytes);
  visit("max_headers", s.max_headers);
  visit("max_stream_queue_bytes", s.max_stream_queue_bytes);
  visit("max_pending_bytes", s.max_pending_bytes);
  visit("max_unread_bytes", s.max_unread_bytes);
  visit("max_connections", s.max_connections);
  visit("head_timeout_ms", s.head_timeout_ms);
  visit("body_timeout_ms", s.body_timeout_ms);
  visit("keep_alive_timeout_ms", s.keep_alive_timeout_ms);
  visit("write_stall_ms", s.write_stall_ms);
  visit("stream_heartbeat_ms", s.stream_heartbeat_ms);
  visit("linger_ms", s.linger_ms);
}

template <class S, class Visit>
void visit_limits(S& s, Visit&& visit) {
  visit("max_calls", s.max_calls);
  visit("max_request_streams", s.max_request_streams);
  visit("max_listeners", s.max_listeners);
  visit("max_tool_response_bytes", s.max_tool_response_bytes);
  visit("pool_threads", s.pool_threads);
  visit("blocking_threads", s.blocking_threads);
  visit("progress_heartbeat_ms", s.progress_heartbeat_ms);
  visit("max_sessions", s.max_sessions);
  visit("session_idle_ms", s.session_idle_ms);
  visit("pre_auth_per_minute", s.pre_auth_per_minute);
  visit("stdio_grace_ms", s.stdio_grace_ms);
  visit("max_stream_notifications", s.max_stream_notifications);
  visit("max_replay_events", s.max_replay_events);
  visit("max_replay_bytes", s.max_replay_bytes);
  visit("max_subscriptions", s.max_subscriptions);
  visit("max_subscribing_sessions", s.max_subscribing_sessions);
  visit("max_waiting", s.max_waiting);
  visit("max_waiting_per_session", s.max_waiting_per_session);
  visit("input_timeout_ms", s.input_timeout_ms);
  visit("input_lifetime_ms", s.input_lifetime_ms);
  visit("max_tasks", s.max_tasks);
  visit("max_tasks_per_agent", s.max_tasks_per_agent);
  visit("task_ttl_ms", s.task_ttl_ms);
  visit("list_ttl_ms", s.list_ttl_ms);
  visit("discover_ttl_ms", s.discover_ttl_ms);
}

template <class S, class Visit>
void visit_worker(S& s, Visit&& visit) {
  visit("memory_bytes", s.memory_bytes);
  visit("cpu_seconds", s.cpu_seconds);
  visit("descriptors", s.descriptors);
  visit("threads", s.threads);
  visit("disk_bytes", s.disk_bytes);
  visit("log_bytes_per_second", s.log_bytes_per_second);
  visit("calls", s.calls);
  visit("kill_after_ms", s.kill_after_ms);
  visit("failures", s.failures);
  visit("within_ms", s.within_ms);
}

template <class S, class Visit>
void visit_files(S& s, Visit&& visit) {
  visit("read", s.read);
  visit("write", s.write);
}

template <class S, class Visit>
void visit_allow(S& s, Visit&& visit) {
  visit("files", s.files);
  visit("network", s.network);
  visit("processes", s.processes);
}

// Without the configuration, which is JSON of the plugin's own.
template <class S, class Visit>
void visit_plugin(S& s, Visit&& visit) {
  visit("secrets", s.secrets);
  visit("isolate", s.isolate);
  visit("enabled", s.enabled);
  visit("allow", s.allow);
  visit("walls", s.walls);
  visit("worker", s.worker);
}

template <class S, class Visit>
void visit_settings(S& s, Visit&& visit) {
  visit("listen", s.listen);
  visit("stdio", s.stdio);
  visit("builtin_plugins", s.builtin_plugins);
  visit("plugin_directories", s.plugin_directories);
  visit("plugin_files", s.plugin_files);
  visit("overrides", s.overrides);
  visit("state", s.state);
  visit("control", s.control);
  visit("remote_admin", s.remote_admin);
  visit("log_level", s.log_level);
  visit("log_format", s.log_format);
  visit("instructions", s.instructions);
  visit("shutdown_grace_ms", s.shutdown_grace_ms);
  visit("plugins", s.plugins);
  visit("trust", s.trust);
  visit("http", s.http);
  visit("limits", s.limits);
}

}  // namespace gantry::host
