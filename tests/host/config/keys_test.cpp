// Every key of the configuration arrives in the member that the host's part reads.
#include <functional>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "host/config/read.hpp"

namespace gantry::host {
namespace {

using Arrived = std::function<std::string(const Settings&)>;

std::string text(const std::string& value) { return value; }
std::string text(const std::filesystem::path& value) { return value.string(); }
std::string text(bool value) { return value ? "true" : "false"; }
std::string text(std::integral auto value) { return std::to_string(value); }
std::string text(double value) { return std::to_string(value); }
template <class Rep, class Period>
std::string text(std::chrono::duration<Rep, Period> value) {
  return std::to_string(value.count());
}
template <class E>
requires std::is_enum_v<E> std::string text(E value) {
  return std::to_string(static_cast<int>(value));
}
std::string text(const std::optional<bool>& value) { return value ? text(*value) : "null"; }
template <class T>
std::string text(const std::vector<T>& values) {
  std::string out;
  for (const auto& value : values) out += text(value) + ";";
  return out;
}
std::string text(const std::map<std::string, SecretRef, std::less<>>& values) {
  std::string out;
  for (const auto& [name, secret] : values) {
    out += name + "=" + secret.environment + "," + secret.file.string() + ";";
  }
  return out;
}

// A key, another value than its default as JSON, and what the member then holds.
struct Row {
  std::string key, json, expected;
  Arrived arrived;
};

#define ROW(key, json, expected, member)                                  \
  Row {                                                                   \
    key, json, expected, [](const Settings& s) { return text(s.member); } \
  }
#define NUMBER(key, number, member) ROW(key, #number, #number, member)
#define PLUGIN(key, json, expected, member)                            \
  Row {                                                                \
    key, json, expected, [](const Settings& s) {                       \
      const auto found = s.plugins.find("p");                          \
      const PluginSettings none;                                       \
      const auto& p = found == s.plugins.end() ? none : found->second; \
      return text(p.member);                                           \
    }                                                                  \
  }

const std::vector<Row> kTop = {
    ROW("listen", R"("[::1]:1")", "[::1]:1", listen),
    ROW("stdio", "true", "true", stdio),
    ROW("builtin_plugins", R"("b")", "b", builtin_plugins),
    ROW("plugin_directories", R"(["d","e"])", "d;e;", plugin_directories),
    ROW("plugin_files", R"(["f"])", "f;", plugin_files),
    ROW("overrides", R"(["o"])", "o;", overrides),
    ROW("agents", R"("a")", "a", agents),
    ROW("agent", R"("n")", "n", agent),
    ROW("state", R"("s")", "s", state),
    ROW("control", R"("c")", "c", control),
    ROW("remote_admin", "true", "true", remote_admin),
    ROW("console", "false", "false", console),
    ROW("log_level", R"("warn")", "warn", log_level),
    ROW("log_format", R"("json")", "json", log_format),
    ROW("instructions", R"("i")", "i", instructions),
    ROW("discovery", R"("never")", text(Discovery::never), discovery),
    ROW("strict_arguments", "true", "true", limits.calls.strict_arguments),
    NUMBER("shutdown_grace_ms", 71, shutdown_grace)};

const std::vector<Row> kTrust = {
    ROW("require", R"("both")", text(TrustRule::both), trust.rule),
    ROW("sha256", "[\"" + std::string(64, 'a') + "\"]", std::string(64, 'a') + ";", trust.sha256),
    ROW("keys", R"(["k"])", "k;", trust.keys),
    ROW("builtin_plugins", "true", "true", trust.builtin_plugins),
    ROW("check_permissions", "false", "false", trust.check_permissions)};

const std::vector<Row> kHttp = {
    ROW("allowed_origins", R"(["o"])", "o;", http.guard.allowed_origins),
    ROW("allowed_hosts", R"(["h"])", "h;", http.guard.allowed_hosts),
    ROW("require_header", R"("X")", "X", http.guard.require_header),
    ROW("public_url", R"("https://H/")", "https://h/mcp", http.public_url),
    NUMBER("io_threads", 2, http.io_threads),
    NUMBER("max_body_bytes", 70001, http.limits.body_bytes),
    NUMBER("max_head_bytes", 70002, http.limits.head_bytes),
    NUMBER("max_headers", 9, http.limits.headers),
    NUMBER("max_stream_queue_bytes", 70003, http.limits.queued_bytes),
    NUMBER("max_pending_bytes", 70004, http.limits.pending_bytes),
    NUMBER("max_unread_bytes", 70005, http.limits.unread_bytes),
    NUMBER("max_connections", 3, http.limits.connections),
    NUMBER("head_timeout_ms", 11, http.limits.head_timeout),
    NUMBER("body_timeout_ms", 12, http.limits.body_timeout),
    NUMBER("keep_alive_timeout_ms", 13, http.limits.keep_alive_timeout),
    NUMBER("write_stall_ms", 14, http.limits.write_stall),
    NUMBER("stream_heartbeat_ms", 15, http.limits.heartbeat),
    NUMBER("linger_ms", 16, http.limits.linger)};

const std::vector<Row> kLimits = {
    ROW("max_calls", R"("unlimited")", "0", limits.calls.max_running),
    NUMBER("max_request_streams", 21, limits.streams.requests),
    NUMBER("max_listeners", 22, limits.streams.listeners),
    NUMBER("max_tool_response_bytes", 70006, limits.calls.max_answer_bytes),
    NUMBER("pool_threads", 23, limits.calls.pool_threads),
    NUMBER("blocking_threads", 24, limits.calls.blocking_threads),
    NUMBER("progress_heartbeat_ms", 25, limits.calls.heartbeat),
    NUMBER("max_sessions", 26, limits.sessions.max_sessions),
    NUMBER("session_idle_ms", 27, limits.sessions.idle),
    NUMBER("pre_auth_per_minute", 28, limits.pre_auth_per_minute),
    NUMBER("stdio_grace_ms", 29, limits.stdio_grace),
    NUMBER("max_stream_notifications", 30, limits.protocol.max_stream_notifications),
    NUMBER("max_replay_events", 31, limits.sessions.replay.events),
    NUMBER("max_replay_bytes", 70007, limits.sessions.replay.bytes),
    NUMBER("max_subscriptions", 32, limits.protocol.max_subscriptions),
    NUMBER("max_subscribing_sessions", 33, limits.protocol.max_subscribing_sessions),
    NUMBER("max_waiting", 34, limits.protocol.max_waiting),
    NUMBER("max_waiting_per_session", 35, limits.protocol.max_waiting_per_session),
    NUMBER("input_timeout_ms", 36, limits.protocol.input_timeout),
    NUMBER("input_lifetime_ms", 37, limits.protocol.round_lifetime),
    NUMBER("approval_timeout_ms", 71, limits.protocol.approval_timeout),
    NUMBER("max_approvals", 72, limits.protocol.max_approvals),
    NUMBER("max_approvals_per_agent", 73, limits.protocol.max_approvals_per_agent),
    NUMBER("max_tasks", 38, limits.protocol.max_tasks),
    NUMBER("max_tasks_per_agent", 39, limits.protocol.max_tasks_per_owner),
    NUMBER("task_ttl_ms", 40, limits.protocol.task_ttl),
    NUMBER("list_ttl_ms", 41, limits.protocol.list_ttl),
    NUMBER("discover_ttl_ms", 42, limits.protocol.discover_ttl)};

const std::vector<Row> kAudit = {
    ROW("file", R"("/a")", "/a", audit.file), NUMBER("keep", 3, audit.keep),
    NUMBER("max_bytes", 70008, audit.max_bytes),
    NUMBER("max_waiting_bytes", 70009, audit.max_waiting_bytes),
    ROW("usd_per_million_tokens", "2.5", "2.500000", audit.usd_per_million_tokens)};

const std::vector<Row> kTraces = {ROW("otlp_url", R"("http://c")", "http://c", traces.otlp_url),
                                  ROW("sample", "0.25", "0.250000", traces.sample),
                                  NUMBER("max_waiting", 43, traces.max_waiting)};

const std::vector<Row> kPlugin = {
    PLUGIN("config", R"({"a":1})", R"({"a":1})", config),
    PLUGIN("secrets", R"({"s":{"env":"E"},"t":{"file":"/f"}})", "s=E,;t=,/f;", secrets),
    PLUGIN("isolate", R"("in-process")", text(Isolate::in_process), isolate),
    PLUGIN("enabled", "false", "false", enabled),
    PLUGIN("allow", R"(["processes"])", "true", worker.processes),
    PLUGIN("walls", R"("none")", "false", worker.walls),
    PLUGIN("worker", R"({"calls":1})", "1", worker.calls)};

const std::vector<Row> kAllow = {PLUGIN("files", R"({"read":["/r"]})", "/r;", worker.files.read),
                                 PLUGIN("network", "true", "true", worker.network),
                                 PLUGIN("processes", "true", "true", worker.processes)};

const std::vector<Row> kFiles = {PLUGIN("read", R"(["/r"])", "/r;", worker.files.read),
                                 PLUGIN("write", R"(["/w"])", "/w;", worker.files.write)};

const std::vector<Row> kWorker = {
    PLUGIN("memory_bytes", "67108865", "67108865", worker.memory_bytes),
    PLUGIN("cpu_seconds", "51", "51", worker.cpu),
    PLUGIN("descriptors", "52", "52", worker.descriptors),
    PLUGIN("threads", "53", "53", worker.threads),
    PLUGIN("disk_bytes", "54", "54", worker.disk_bytes),
    PLUGIN("log_bytes_per_second", "55", "55", worker.log_bytes),
    PLUGIN("calls", "56", "56", worker.calls),
    PLUGIN("kill_after_ms", "57", "57", worker.kill_after),
    PLUGIN("failures", "58", "58", worker.failures),
    PLUGIN("within_ms", "59", "59", worker.within)};

// `before` and `after` are the text around a member of the group; `properties` its schema.
void check(const std::vector<Row>& rows, const std::string& before, const std::string& after,
           const rapidjson::Value& properties, std::size_t groups = 0) {
  EXPECT_EQ(rows.size() + groups, properties.MemberCount()) << before;
  for (const Row& row : rows) {
    SCOPED_TRACE(before + row.key);
    ASSERT_TRUE(properties.HasMember(row.key.c_str()));
    const std::string key = "\"" + row.key + "\":";
    const auto settings = read_settings(before + key + row.json + after, "f");
    ASSERT_TRUE(settings) << settings.message();
    EXPECT_EQ(row.arrived(*settings), row.expected);
    EXPECT_NE(row.arrived(Settings{}), row.expected) << "this is the default";
    const auto again = read_settings(print_settings(*settings), "printed");
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(row.arrived(*again), row.expected);
  }
}

TEST(Keys, ArriveWhereTheyAreUsed) {
  rapidjson::Document schema;
  schema.Parse(config_schema().data(), config_schema().size());
  const auto& top = schema["properties"];
  check(kTop, "{", "}", top, 6);  // plugins, trust, http, limits, audit, traces
  check(kTrust, R"({"trust":{)", "}}", top["trust"]["properties"]);
  check(kHttp, R"({"http":{)", "}}", top["http"]["properties"]);
  check(kLimits, R"({"limits":{)", "}}", top["limits"]["properties"]);
  check(kAudit, R"({"audit":{)", "}}", top["audit"]["properties"]);
  check(kTraces, R"({"traces":{)", "}}", top["traces"]["properties"]);
  const auto& plugin = top["plugins"]["additionalProperties"]["properties"];
  const auto& allow = plugin["allow"]["properties"];
  check(kPlugin, R"({"plugins":{"p":{)", "}}}", plugin);
  check(kAllow, R"({"plugins":{"p":{"allow":{)", "}}}}", allow);
  check(kFiles, R"({"plugins":{"p":{"allow":{"files":{)", "}}}}}", allow["files"]["properties"]);
  check(kWorker, R"({"plugins":{"p":{"worker":{)", "}}}}", plugin["worker"]["properties"]);
}

TEST(Keys, HoldTheMostTheyCanHold) {
  const auto settings = read_settings(
      R"({"limits":{"pre_auth_per_minute":4294967296,"max_sessions":1e300,"max_tasks":1e3}})", "f");
  ASSERT_TRUE(settings) << settings.message();
  EXPECT_EQ(settings->limits.pre_auth_per_minute, std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(settings->limits.sessions.max_sessions, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(settings->limits.protocol.max_tasks, 1000u);
}

}  // namespace
}  // namespace gantry::host
