// Metrics that many threads count at once.
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/host/observe/exposition.hpp"

namespace gantry::host::metrics_test {
namespace {

using namespace std::chrono_literals;

TEST(Metrics, LosesNothingWhenManyThreadsCountAndScrape) {
  Metrics metrics;
  metrics.at_scrape([](Gauges& now) { ++now.sessions_active; });
  constexpr int kThreads = 6, kRounds = 2000, kTools = 50;
  std::atomic<bool> done{false};
  std::thread scraper([&] {
    while (!done) EXPECT_EQ(value_of(metrics, "gantry_sessions_active"), "1");
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const std::string tool = "tool" + std::to_string(i % kTools);
        metrics.call_answered(tool, i % 2 == 0 ? "ok" : "timeout", 3ms);
        metrics.request(Metrics::Method("tools/call"), i % 3 == 0 ? 200 : 503);
        metrics.plugin_called(tool);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  done = true;
  scraper.join();
  const std::string text = metrics.text();
  long answered = 0, entered = 0;
  for (int i = 0; i < kTools; ++i) {
    const std::string tool = "\"tool" + std::to_string(i) + "\"}";
    const auto outcome = i % 2 == 0 ? R"({outcome="ok",tool=)" : R"({outcome="timeout",tool=)";
    answered += std::stol(value_of(text, "gantry_calls_total" + (outcome + tool)));
    entered += std::stol(value_of(text, "gantry_plugin_calls_total{plugin=" + tool));
  }
  EXPECT_EQ(answered, kThreads * kRounds);
  EXPECT_EQ(entered, kThreads * kRounds);
  long timed = 0;
  for (int i = 0; i < kTools; ++i) {
    timed += std::stol(
        value_of(text, "gantry_call_seconds_count{tool=\"tool" + std::to_string(i) + "\"}"));
  }
  EXPECT_EQ(timed, kThreads * kRounds);
}

TEST(Metrics, StaysBoundedWhenManyThreadsBringNewNamesAtOnce) {
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&metrics, t] {
      for (int i = 0; i < 400; ++i)
        metrics.plugin_called("p" + std::to_string(t) + "_" + std::to_string(i));
    });
  }
  for (auto& thread : threads) thread.join();
  const std::string text = metrics.text();
  EXPECT_EQ(samples_of(text, "gantry_plugin_calls_total"), 501);
  EXPECT_EQ(value_of(text, R"(gantry_plugin_calls_total{plugin="other"})"), "1100");
}

TEST(Metrics, GivesANameOnePlaceWhenManyThreadsBringItAtOnce) {
  Metrics metrics;
  std::barrier start(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < Metrics::kMaxPlugins; ++i) {
        start.arrive_and_wait();
        metrics.plugin_called("p" + std::to_string(i));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_calls_total{plugin="other"})"), "");
  EXPECT_EQ(value_of(metrics, R"(gantry_plugin_calls_total{plugin="p499"})"), "4");
}

}  // namespace
}  // namespace gantry::host::metrics_test
