#include "host/observe/metrics.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/host/observe/exposition.hpp"

namespace gantry::host::metrics_test {
namespace {

using namespace std::chrono_literals;

TEST(Metrics, CountsCallsByToolAndOutcome) {
  Metrics metrics;
  metrics.call_answered("find", "ok", 1ms);
  metrics.call_answered("find", "", 1ms);
  metrics.call_answered("find", "timeout", 1ms);
  metrics.call_answered("count", "ok", 1ms);
  const std::string text = metrics.text();
  EXPECT_EQ(value_of(text, R"(gantry_calls_total{outcome="ok",tool="find"})"), "2") << text;
  EXPECT_EQ(value_of(text, R"(gantry_calls_total{outcome="timeout",tool="find"})"), "1");
  EXPECT_EQ(value_of(text, R"(gantry_calls_total{outcome="ok",tool="count"})"), "1");
  EXPECT_EQ(samples_of(text, "gantry_calls_total"), 3);
}

TEST(Metrics, TellsHowLongOperationsTookByMethodToolAndError) {
  Metrics metrics;
  const std::string name = "mcp_server_operation_duration_seconds";
  const auto ended = [&](std::string_view method, std::string_view tool, std::string_view error) {
    metrics.operation_ended(Metrics::Method(method), tool, error, 7ms);
  };
  ended("tools/call", "find", "");
  ended("tools/call", "find", "");
  ended("tools/call", "find", "tool_error");
  ended("tools/call", "", "-32602");
  ended("tools/list", "", "");
  ended("made/up", "", "-32601");
  ended("ping", "", "made up");
  const std::string text = metrics.text();
  const auto count = [&](const std::string& labels) {
    return value_of(text, name + "_count{" + labels + "}");
  };
  EXPECT_EQ(count(R"(mcp_method_name="tools/call",gen_ai_tool_name="find")"), "2") << text;
  EXPECT_EQ(
      count(R"(mcp_method_name="tools/call",gen_ai_tool_name="find",error_type="tool_error")"),
      "1");
  EXPECT_EQ(count(R"(mcp_method_name="tools/call",error_type="-32602")"), "1");
  EXPECT_EQ(count(R"(mcp_method_name="tools/list")"), "1");
  EXPECT_EQ(count(R"(mcp_method_name="other",error_type="-32601")"), "1");
  EXPECT_EQ(count(R"(mcp_method_name="ping",error_type="other")"), "1");
  EXPECT_EQ(value_of(text, name + R"(_bucket{mcp_method_name="tools/list",le="0.005"})"), "0");
  EXPECT_EQ(value_of(text, name + R"(_bucket{mcp_method_name="tools/list",le="0.01"})"), "1");
  for (std::size_t i = 0; i <= Metrics::kMaxTools; ++i)
    ended("tools/call", "t" + std::to_string(i), "");
  EXPECT_EQ(samples_of(metrics.text(), name + "_count"), static_cast<long>(Metrics::kMaxTools + 6));
}

TEST(Metrics, PutsCallsIntoBucketsBySeconds) {
  Metrics metrics;
  metrics.call_answered("find", "ok", 1ms);
  metrics.call_answered("find", "ok", 7ms);
  metrics.call_answered("find", "timeout", 59s);
  metrics.call_answered("find", "timeout", 61s);
  const std::string text = metrics.text();
  const auto up_to = [&](const std::string& le) {
    return value_of(text, R"(gantry_call_seconds_bucket{tool="find",le=")" + le + "\"}");
  };
  EXPECT_EQ(up_to("0.001"), "1") << text;
  EXPECT_EQ(up_to("0.005"), "1");
  EXPECT_EQ(up_to("0.01"), "2");
  EXPECT_EQ(up_to("30"), "2");
  EXPECT_EQ(up_to("60"), "3");
  EXPECT_EQ(up_to("+Inf"), "4");
  EXPECT_EQ(value_of(text, R"(gantry_call_seconds_count{tool="find"})"), "4");
  EXPECT_NEAR(std::stod(value_of(text, R"(gantry_call_seconds_sum{tool="find"})")), 120.008, 1e-9);
}

TEST(Metrics, PutsADurationEqualToABoundIntoItsBucket) {
  Metrics metrics;
  metrics.call_answered("find", "ok", 0ms);
  metrics.call_answered("find", "ok", 60s);
  const std::string text = metrics.text();
  EXPECT_EQ(value_of(text, R"(gantry_call_seconds_bucket{tool="find",le="0.001"})"), "1") << text;
  EXPECT_EQ(value_of(text, R"(gantry_call_seconds_bucket{tool="find",le="60"})"), "2");
}

TEST(Metrics, ShowsNoSeriesTwiceAndEachTypeOnce) {
  Metrics metrics;
  for (const auto tool : {"find", "count", ""}) metrics.call_answered(tool, "ok", 1ms);
  metrics.plugin_called("data");
  metrics.request(Metrics::Method("ping"), 200);
  metrics.at_scrape([](Gauges& now) {
    now.plugin_generation["data"] = 1;
    now.plugin_restarts["data"] = 1;
  });
  std::istringstream lines(metrics.text());
  std::vector<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    seen.push_back(line.starts_with('#') ? line : line.substr(0, line.rfind(' ')));
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Metrics, CountsAToolWithoutANameAsUnknown) {
  Metrics metrics;
  metrics.call_answered("", "unknown_tool", 1ms);
  EXPECT_EQ(value_of(metrics, R"(gantry_calls_total{outcome="unknown_tool",tool="unknown"})"), "1");
}

TEST(Metrics, CountsAnOutcomeOfNoListAsOther) {
  Metrics metrics;
  metrics.call_answered("find", "made_up_by_a_plugin", 1ms);
  metrics.call_answered("find", "made_up_too", 1ms);
  EXPECT_EQ(value_of(metrics, R"(gantry_calls_total{outcome="other",tool="find"})"), "2");
}

TEST(Metrics, CountsToolsBeyondTheBoundAsOther) {
  Metrics metrics;
  constexpr std::size_t kMore = 5;
  for (std::size_t i = 0; i < Metrics::kMaxTools + kMore; ++i)
    metrics.call_answered("tool" + std::to_string(i), "ok", 1ms);
  metrics.call_answered("tool0", "ok", 1ms);
  const std::string text = metrics.text();
  EXPECT_EQ(value_of(text, R"(gantry_calls_total{outcome="ok",tool="other"})"), "5");
  EXPECT_EQ(value_of(text, R"(gantry_calls_total{outcome="ok",tool="tool0"})"), "2");
  EXPECT_EQ(value_of(text, R"(gantry_calls_total{outcome="ok",tool="tool1999"})"), "1");
  EXPECT_EQ(samples_of(text, "gantry_calls_total"), 2001);
  EXPECT_EQ(samples_of(text, "gantry_call_seconds_count"), 2001);
}

TEST(Metrics, CountsAbandonedCalls) {
  Metrics metrics;
  EXPECT_EQ(value_of(metrics, "gantry_calls_abandoned_total"), "0");
  metrics.call_abandoned();
  metrics.call_abandoned();
  EXPECT_EQ(value_of(metrics, "gantry_calls_abandoned_total"), "2");
}

TEST(Metrics, CountsEntriesIntoPluginsAndBoundsTheirNames) {
  Metrics metrics;
  metrics.plugin_called("data");
  metrics.plugin_called("data");
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_calls_total{plugin="data"})"), "2");
  for (std::size_t i = 0; i < Metrics::kMaxPlugins; ++i)
    metrics.plugin_called("p" + std::to_string(i));
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_calls_total{plugin="other"})"), "1");
}

TEST(Metrics, CountsRequestsByMethodAndStatus) {
  Metrics metrics;
  metrics.request(Metrics::Method("tools/call"), 200);
  metrics.request(Metrics::Method("tools/call"), 200);
  metrics.request(Metrics::Method("tools/call"), 503);
  metrics.request(Metrics::Method("logging/setLevel"), 404);
  const std::string text = metrics.text();
  EXPECT_EQ(value_of(text, R"(gantry_requests_total{method="tools/call",status="200"})"), "2")
      << text;
  EXPECT_EQ(value_of(text, R"(gantry_requests_total{method="tools/call",status="503"})"), "1");
  EXPECT_EQ(value_of(text, R"(gantry_requests_total{method="logging/setLevel",status="404"})"),
            "1");
}

TEST(Metrics, LetsNoClientInventMethodsOrStatuses) {
  Metrics metrics;
  for (int i = 0; i < 1000; ++i)
    metrics.request(Metrics::Method("x/" + std::to_string(i)), 1000 + i);
  metrics.request(Metrics::Method(""), 200);
  const std::string text = metrics.text();
  EXPECT_EQ(value_of(text, R"(gantry_requests_total{method="other",status="other"})"), "1000");
  EXPECT_EQ(value_of(text, R"(gantry_requests_total{method="other",status="200"})"), "1");
  EXPECT_EQ(samples_of(text, "gantry_requests_total"), 2);
}

TEST(Metrics, CountsRefusedCredentialsByReason) {
  Metrics metrics;
  metrics.auth_failed("missing");
  metrics.auth_failed("invalid");
  metrics.auth_failed("invalid");
  EXPECT_EQ(value_of(metrics, R"(gantry_auth_failures_total{reason="missing"})"), "1");
  EXPECT_EQ(value_of(metrics, R"(gantry_auth_failures_total{reason="invalid"})"), "2");
}

TEST(Metrics, CountsRateLimitedRequestsByStage) {
  Metrics metrics;
  metrics.rate_limited("pre_auth");
  metrics.rate_limited("agent");
  metrics.rate_limited("agent");
  EXPECT_EQ(value_of(metrics, R"(gantry_rate_limited_total{stage="pre_auth"})"), "1");
  EXPECT_EQ(value_of(metrics, R"(gantry_rate_limited_total{stage="agent"})"), "2");
}

TEST(Metrics, AddsUpBytesOfBothDirections) {
  Metrics metrics;
  for (const std::uint64_t bytes : {5'000'000'000ul, 1ul}) {
    metrics.at_scrape([bytes](Gauges& now) { now.bytes_received += bytes; });
  }
  metrics.at_scrape([](Gauges& now) { now.bytes_sent += 7; });
  EXPECT_EQ(value_of(metrics, "gantry_bytes_received_total"), "5000000001");
  EXPECT_EQ(value_of(metrics, "gantry_bytes_sent_total"), "7");
}

TEST(Metrics, AddsUpCallsThatWereDelayed) {
  Metrics metrics;
  for (const std::uint64_t calls : {3ul, 4ul}) {
    metrics.at_scrape([calls](Gauges& now) { now.calls_delayed += calls; });
  }
  EXPECT_EQ(value_of(metrics, "gantry_calls_delayed_total"), "7");
}

TEST(Metrics, ShowsRecordsAndSpansThatWereDropped) {
  Metrics metrics;
  metrics.at_scrape([](Gauges& now) {
    now.audit_dropped += 5;
    now.spans_dropped += 6;
  });
  EXPECT_EQ(value_of(metrics, "gantry_audit_dropped_total"), "5");
  EXPECT_EQ(value_of(metrics, "gantry_spans_dropped_total"), "6");
}

TEST(Metrics, ShowsTheBytesHeldForClients) {
  Metrics metrics;
  metrics.at_scrape([](Gauges& now) {
    now.pending = {11, 2};
    now.unread = {33, 4};
  });
  EXPECT_EQ(value_of(metrics, "gantry_bytes_held{what=\"pending\"}"), "11");
  EXPECT_EQ(value_of(metrics, "gantry_bytes_held{what=\"unread\"}"), "33");
  EXPECT_EQ(value_of(metrics, "gantry_bytes_refused_total{what=\"pending\"}"), "2");
  EXPECT_EQ(value_of(metrics, "gantry_bytes_refused_total{what=\"unread\"}"), "4");
}

TEST(Metrics, ReadsEveryGaugeAtEachScrape) {
  Metrics metrics;
  std::int64_t base = 0;
  metrics.at_scrape([&](Gauges& now) {
    now.calls_active += base + 1;
    now.tasks_active += base + 2;
    now.queue_length += base + 3;
    now.connections_active += base + 4;
    now.sessions_active += base + 5;
    now.streams_active += base + 6;
    now.listeners_active += base + 7;
    now.subscriptions_active += base + 8;
  });
  for (; base < 200; base += 100) {
    std::int64_t want = base;
    const std::string text = metrics.text();
    for (const auto name :
         {"calls_active", "tasks_active", "queue_length", "connections_active", "sessions_active",
          "streams_active", "listeners_active", "subscriptions_active"}) {
      EXPECT_EQ(value_of(text, "gantry_" + std::string(name)), std::to_string(++want)) << name;
    }
  }
}

TEST(Metrics, AddsTheReportsOfSeveralReaders) {
  Metrics metrics;
  EXPECT_EQ(value_of(metrics, "gantry_streams_active"), "0");
  for (const int n : {1, 2}) metrics.at_scrape([n](Gauges& now) { now.streams_active += n; });
  EXPECT_EQ(value_of(metrics, "gantry_streams_active"), "3");
}

TEST(Metrics, ShowsGenerationsOfLoadedPluginsOnly) {
  Metrics metrics;
  std::map<std::string, std::uint64_t, std::less<>> loaded = {{"data", 1}, {"prompts", 4}};
  metrics.at_scrape([&](Gauges& now) { now.plugin_generation = loaded; });
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_generation{plugin="data"})"), "1");
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_generation{plugin="prompts"})"), "4");
  loaded = {{"data", 2}};
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_generation{plugin="data"})"), "2");
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_generation{plugin="prompts"})"), "");
}

TEST(Metrics, ShowsHowPluginsFare) {
  Metrics metrics;
  metrics.at_scrape([](Gauges& now) {
    now.generations_alive = 5;
    now.generations_draining = 2;
    now.generations_stuck = 1;
    now.plugins_quarantined = 3;
    now.plugin_restarts = {{"data", 4}};
    now.generations_loaded = 6;
    now.generations_failed = 7;
    now.libraries_leaked = 8;
  });
  const std::string text = metrics.text();
  EXPECT_EQ(value_of(text, "gantry_plugin_generations_alive"), "5");
  EXPECT_EQ(value_of(text, "gantry_plugin_generations_draining"), "2");
  EXPECT_EQ(value_of(text, "gantry_plugin_generations_stuck"), "1");
  EXPECT_EQ(value_of(text, "gantry_plugins_quarantined"), "3");
  EXPECT_EQ(value_of(text, R"(gantry_plugin_restarts_total{plugin="data"})"), "4");
  EXPECT_EQ(value_of(text, R"(gantry_plugin_swaps_total{outcome="loaded"})"), "6");
  EXPECT_EQ(value_of(text, R"(gantry_plugin_swaps_total{outcome="failed"})"), "7");
  EXPECT_EQ(value_of(text, "gantry_plugin_libraries_leaked_total"), "8");
}

TEST(Metrics, EscapesQuotesBackslashesAndNewlinesInNames) {
  Metrics metrics;
  metrics.plugin_called("a\"b\\c\nd");
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_calls_total{plugin="a\"b\\c\nd"})"), "1");
}

TEST(Metrics, ShowsTypeAndHelpOfEachMetric) {
  Metrics metrics;
  metrics.call_answered("find", "ok", 1ms);
  const std::string text = metrics.text();
  for (const std::string line :
       {"# TYPE gantry_calls_total counter\n", "# TYPE gantry_call_seconds histogram\n",
        "# TYPE gantry_sessions_active gauge\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_NE(text.find("# HELP gantry_calls_total "), std::string::npos);
}

}  // namespace
}  // namespace gantry::host::metrics_test
