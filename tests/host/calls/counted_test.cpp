// What calls add to the metrics.
#include <sstream>

#include "tests/host/calls/harness.hpp"

namespace gantry::host::counted_test {
namespace {

struct CountedTest : CallsTest {
  // The value of a sample; "" when there is none.
  std::string value(std::string_view sample) const {
    std::istringstream lines(metrics_.text());
    for (std::string line; std::getline(lines, line);) {
      const auto space = line.rfind(' ');
      if (std::string_view(line).substr(0, space) == sample) return line.substr(space + 1);
    }
    return {};
  }
  std::string entries(const std::string& of) const {
    return value("gantry_plugin_calls_total{plugin=\"" + of + "\"}");
  }
  std::string abandoned() const { return value("gantry_calls_abandoned_total"); }
};

TEST_F(CountedTest, EveryEntryIntoAPluginCounts) {
  FakePlugin& outer = plugin("outer");
  outer.tool("t", [&](gantry_call* call) {
    std::string parts;
    nested(outer, call, "tool", "inner", parts);
    nested(outer, call, "tool", "inner", parts);
    return GANTRY_OK;
  });
  plugin("provider").tool("inner", [](gantry_call*) { return GANTRY_OK; });
  publish();
  run("t");
  EXPECT_EQ(entries("outer"), "1");
  EXPECT_EQ(entries("provider"), "2");
}

TEST_F(CountedTest, ARefusedCallEntersNothing) {
  plugin("p").tool("w", [](gantry_call*) { return GANTRY_OK; }).tier = Tier::write;
  publish();
  run("w");
  run("nowhere");
  EXPECT_EQ(entries("p"), "");
}

TEST_F(CountedTest, ASelfCheckIsNoCall) {
  FakePlugin& checked = plugin("p");
  checked.self_check = [](gantry_call*) { return GANTRY_OK; };
  publish();
  EXPECT_TRUE(calls_->self_check(plugins_.front(), 1s));
  EXPECT_EQ(entries("p"), "");
}

TEST_F(CountedTest, ACallThatIsAnsweredWhileItsPluginWorksIsAbandoned) {
  std::atomic<bool> entered{false}, release{false};
  plugin("p").tool("t", [&](gantry_call*) {
    entered = true;
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  const auto handle = start("t", recorder);
  while (!entered) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(abandoned(), "0");
  handle->cancel(CancelReason::client_disconnected);
  EXPECT_EQ(abandoned(), "1");
  handle->cancel(CancelReason::client_disconnected);
  EXPECT_EQ(abandoned(), "1");
  release = true;
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(abandoned(), "1");
}

TEST_F(CountedTest, ACallBeyondItsDeadlineIsAbandonedAlsoWhenItIsPending) {
  std::atomic<gantry_call*> kept{nullptr};
  plugin("p")
      .tool("t",
            [&](gantry_call* call) {
              kept = call;
              return GANTRY_PENDING;
            })
      .timeout = 200ms;
  publish();
  EXPECT_EQ(run("t").error_code, "timeout");
  for (int i = 0; i < 1000 && abandoned() == "0"; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(abandoned(), "1");
  api().finish(kept, GANTRY_OK);
}

TEST_F(CountedTest, ACallThatNeverStartedIsNotAbandonedButStoodInTheQueue) {
  CallLimits limits;
  limits.pool_threads = 1;
  limits.blocking_threads = 0;
  make(limits);
  std::atomic<bool> entered{false}, release{false};
  plugin("p").tool("t", [&](gantry_call*) {
    entered = true;
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  publish();
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  start("t", first);
  while (!entered) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(calls_->queued(), 0u);
  const auto handle = start("t", second);
  EXPECT_EQ(calls_->queued(), 1u);
  handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(second->wait().cancelled);
  release = true;
  first->wait();
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(calls_->queued(), 0u);
  EXPECT_EQ(abandoned(), "0");
  EXPECT_EQ(entries("p"), "1");
}

}  // namespace
}  // namespace gantry::host::counted_test
