// One call: admission, deadline, cancellation, progress, logs and the thread that runs it.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/calls/harness.hpp"

namespace gantry::host {
namespace {

using Kind = ItemAnswer::Kind;

TEST_F(CallsTest, UnknownToolIsAProtocolErrorNotAToolError) {
  publish();
  EXPECT_EQ(run("nope").kind, Kind::unknown_item);
}

TEST_F(CallsTest, ArgumentsAreCheckedBeforeThePluginRuns) {
  bool entered = false;
  plugin("p")
      .tool("t",
            [&](gantry_call*) {
              entered = true;
              return GANTRY_OK;
            })
      .input_schema = R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})";
  publish();
  const ItemAnswer answer = run("t", R"({"n":"x"})");
  EXPECT_EQ(answer.kind, Kind::invalid_arguments);
  EXPECT_NE(answer.message.find("n"), std::string::npos);
  EXPECT_FALSE(entered);
}

TEST_F(CallsTest, RefusalNamesTierOrFilter) {
  plugin("p").tool("w", [](gantry_call*) { return GANTRY_OK; }).tier = Tier::write;
  publish();
  EXPECT_EQ(run("w").error_code, "permission_denied");
  Agent narrow;
  narrow.tier = Tier::admin;
  narrow.tools.except = {"w"};
  agent_ = std::make_shared<const Agent>(narrow);
  EXPECT_EQ(run("w").error_code, "tool_filtered");
}

TEST_F(CallsTest, ScopeAndCapAreThoseOfTheAgent) {
  std::string scope, cap;
  plugin("p").tool("t", [&](gantry_call* call) {
    scope = view(api().property(call, b("agent_scope")));
    cap = view(api().property(call, b("max_answer_bytes")));
    return api().write(call, b("text"), b(std::string(3000, 'x')));
  });
  publish();
  Agent agent;
  agent.tenant_id = "acme";
  agent.cap_bytes = 2048;
  agent_ = share(agent);
  const ItemAnswer answer = run("t");
  EXPECT_EQ(scope, agent_->scope);
  EXPECT_NE(scope.find("acme"), std::string::npos);
  EXPECT_EQ(cap, "2048");
  EXPECT_EQ(answer.kind, Kind::error) << "3,000 bytes are more than its cap";
  agent.cap_bytes = std::size_t{1} << 40U;
  agent_ = share(agent);
  EXPECT_EQ(run("t").kind, Kind::result);
  EXPECT_NE(cap, std::to_string(std::size_t{1} << 40U)) << "no more than the server's own";
}

TEST_F(CallsTest, PropertiesDescribeCallerAndProtocol) {
  std::string agent, correlation, protocol, cap;
  plugin("p").tool("t", [&](gantry_call* call) {
    agent = view(api().property(call, b("agent")));
    correlation = view(api().property(call, b("correlation_id")));
    protocol = view(api().property(call, b("protocol")));
    cap = view(api().property(call, b("max_answer_bytes")));
    EXPECT_EQ(view(api().property(call, b("other"))), "");
    EXPECT_GT(api().deadline(call), 0u);
    return GANTRY_OK;
  });
  publish();
  run("t");
  EXPECT_NE(agent.find(R"("name":"local")"), std::string::npos) << agent;
  EXPECT_EQ(correlation, "corr-1");
  EXPECT_EQ(protocol, "2026-07-28");
  EXPECT_EQ(cap, std::to_string(4u << 20));
}

TEST_F(CallsTest, DeadlineAnswersAndLaterWritesAreCancelled) {
  std::atomic<int> woken{0};
  std::atomic<bool> left{false};
  plugin("p")
      .tool("t",
            [&](gantry_call* call) {
              api().on_cancel(
                  call, [](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &woken);
              while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
              EXPECT_EQ(api().write(call, b("text"), b("x")), GANTRY_CANCELLED);
              left = true;
              return GANTRY_OK;
            })
      .timeout = 400ms;
  publish();
  const ItemAnswer answer = run("t");
  EXPECT_EQ(answer.error_code, "timeout");
  EXPECT_NE(answer.message.find("400 ms"), std::string::npos) << answer.message;
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_TRUE(left);
  EXPECT_EQ(woken, 1);
}

TEST_F(CallsTest, ARemovedCallbackIsNotCalledAndFreesItsPlace) {
  std::atomic<int> woken{0};
  std::atomic<int> other{0};
  const auto count = [](void* n) { ++*static_cast<std::atomic<int>*>(n); };
  plugin("p")
      .tool("t",
            [&](gantry_call* call) {
              EXPECT_EQ(api().on_cancel(call, count, &other), GANTRY_OK);
              for (int i = 0; i < 9; ++i) {
                EXPECT_EQ(api().on_cancel(call, count, &woken), GANTRY_OK);
                EXPECT_EQ(api().off_cancel(call, count, &woken), GANTRY_OK);
              }
              EXPECT_EQ(api().off_cancel(call, count, &woken), GANTRY_NOT_FOUND);
              EXPECT_EQ(api().off_cancel(call, nullptr, &woken), GANTRY_MISUSE);
              while (other == 0) std::this_thread::sleep_for(1ms);
              return GANTRY_OK;
            })
      .timeout = 400ms;
  publish();
  EXPECT_EQ(run("t").error_code, "timeout");
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_EQ(woken, 0);
  EXPECT_EQ(other, 1);
}

TEST_F(CallsTest, CancellingARunningCallAnswersAtOnce) {
  std::atomic<bool> entered{false};
  plugin("p").tool("t", [&](gantry_call* call) {
    entered = true;
    while (!api().cancelled(call)) std::this_thread::sleep_for(1ms);
    return GANTRY_CANCELLED;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  auto handle = start("t", recorder);
  while (!entered) std::this_thread::sleep_for(1ms);
  handle->cancel(CancelReason::client_disconnected);
  const ItemAnswer answer = recorder->wait();
  EXPECT_TRUE(answer.cancelled);
  EXPECT_EQ(answer.error_code, "cancelled");
  EXPECT_EQ(answer.message, "Cancelled by client (client_disconnected)");
  EXPECT_TRUE(answer.error_fits_schema);
}

TEST_F(CallsTest, ACallCancelledInTheQueueNeverStarts) {
  CallLimits limits;
  limits.pool_threads = 1;
  make(limits);
  std::atomic<bool> release{false}, first_in{false}, second_in{false};
  FakePlugin& p = plugin("p");
  p.tool("hold", [&](gantry_call*) {
    first_in = true;
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  p.tool("next", [&](gantry_call*) {
    second_in = true;
    return GANTRY_OK;
  });
  publish();
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  start("hold", first);
  while (!first_in) std::this_thread::sleep_for(1ms);
  auto handle = start("next", second);
  handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(second->wait().cancelled);
  release = true;
  first->wait();
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_FALSE(second_in);
}

TEST_F(CallsTest, CallsBeyondTheLimitAreBusy) {
  CallLimits limits;
  limits.max_running = 2;
  make(limits);
  std::atomic<bool> release{false};
  plugin("p").tool("hold", [&](gantry_call*) {
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  publish();
  auto first = std::make_shared<Recorder>(), second = std::make_shared<Recorder>();
  start("hold", first);
  start("hold", second);
  EXPECT_EQ(run("hold").kind, Kind::busy);
  release = true;
  first->wait();
  second->wait();
}

TEST_F(CallsTest, HeartbeatStopsForGoodOnceTheToolReports) {
  CallLimits limits;
  limits.heartbeat = 30ms;
  make(limits);
  plugin("p").tool("t", [&](gantry_call* call) {
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(api().progress(call, 50, 100, b("half")), GANTRY_OK);
    EXPECT_EQ(api().progress(call, 40, 100, b("back")), GANTRY_OK);  // dropped: must grow
    std::this_thread::sleep_for(100ms);
    return GANTRY_OK;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  start("t", recorder, "{}", true);
  recorder->wait();
  ASSERT_GE(recorder->progress_.size(), 2u);
  EXPECT_EQ(recorder->progress_.back(), 50);
  EXPECT_LT(recorder->progress_.front(), 1);
  EXPECT_FALSE(recorder->after_done_);
}

TEST_F(CallsTest, LogsReachTheClientAtItsLevel) {
  plugin("p").tool("t", [&](gantry_call* call) {
    api().log(call, GANTRY_LOG_INFO, b("told"));
    api().log(call, GANTRY_LOG_DEBUG, b("not told"));
    return GANTRY_OK;
  });
  publish();
  auto recorder = std::make_shared<Recorder>();
  start("t", recorder);
  recorder->wait();
  EXPECT_EQ(recorder->logs_, std::vector<std::string>{"told"});
}

TEST_F(CallsTest, ANonBlockingToolRunsOnTheCallersThreadUntilItIsSlow) {
  std::thread::id ran;
  std::atomic<bool> slow{false};
  plugin("p")
      .tool("t",
            [&](gantry_call*) {
              ran = std::this_thread::get_id();
              if (slow) std::this_thread::sleep_for(3ms);
              return GANTRY_OK;
            })
      .non_blocking = true;
  publish();
  run("t");
  EXPECT_EQ(ran, std::this_thread::get_id());
  slow = true;
  for (int i = 0; i < 3; ++i) run("t");
  EXPECT_EQ(ran, std::this_thread::get_id());
  run("t");
  EXPECT_NE(ran, std::this_thread::get_id());
  EXPECT_EQ(faults().size(), 1u);
}

TEST_F(CallsTest, SelfCheckCarriesThePluginsSentence) {
  auto made = std::make_shared<FakePlugin>("p", true);
  made->self_check = [](gantry_call* call) {
    return api().fail(call, b("x"), b("disk is gone"), b(""));
  };
  EXPECT_EQ(calls_->self_check(made, 1s).message(), "disk is gone");
  made->self_check = [](gantry_call*) { return GANTRY_OK; };
  EXPECT_TRUE(calls_->self_check(made, 1s));
}

}  // namespace
}  // namespace gantry::host
