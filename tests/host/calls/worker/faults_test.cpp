// A plugin that damages its own process fails the calls in it, and no other call.
#include "in_worker.hpp"

namespace gantry::host::faults_test {
namespace {

class WorkerFault : public InWorkerTest {
 protected:
  void run_with(WorkerLimits limits) {
    PluginSettings settings;
    settings.worker = limits;
    worker_ = &run_worker("script", settings);
    run_worker("script-serial");
    publish_workers();
  }
  bool serves_again() {
    for (int i = 0; i < 2000; ++i) {
      if (worker_->health().mode == Health::Mode::serving && worker_->health().restarts > 0) {
        return true;
      }
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  WorkerInstance* worker_ = nullptr;
};

TEST_F(WorkerFault, CrashIsAnErrorOfThatCallAndThePluginComesBack) {
  run_with({});
  const ItemAnswer answer = run("script", steps(R"({"do":"die","signal":11})"));
  EXPECT_EQ(answer.kind, ItemAnswer::Kind::error);
  EXPECT_EQ(answer.error_code, "internal_error");
  EXPECT_EQ(answer.message,
            "The plugin 'script' failed during this call: its worker process was killed by "
            "signal 11 (SIGSEGV); it is being restarted");
  // The next one waits for the restart.
  EXPECT_EQ(journal(R"({"do":"cancelled"})"), R"({"journal":[0]})");
  ASSERT_TRUE(serves_again());
  EXPECT_EQ(worker_->health().restarts, 1U);
}

TEST_F(WorkerFault, ExitNamesItself) {
  run_with({});
  const ItemAnswer answer = run("script", steps(R"({"do":"die","code":7})"));
  EXPECT_NE(answer.message.find("called exit(7)"), std::string::npos) << answer.message;
}

TEST_F(WorkerFault, EveryCallInTheWorkerEndsAndOthersDoNotNotice) {
  run_with({});
  std::vector<Running> all;
  for (int i = 0; i < 3; ++i) all.push_back(running(R"({"do":"sleep","ms":20000})"));
  const Running elsewhere = running(R"({"do":"sleep","ms":300})", "serial");
  run("script", steps(R"({"do":"pending"},{"do":"die","signal":11})"));
  for (const Running& one : all) EXPECT_EQ(one.answer->wait().error_code, "internal_error");
  EXPECT_NE(elsewhere.answer->wait().kind, ItemAnswer::Kind::error);
}

TEST_F(WorkerFault, CallThatIsOverAndNotLeftEndsTheWorker) {
  WorkerLimits limits;
  limits.kill_after = 200ms;
  run_with(limits);
  const Running stays = running(R"({"do":"sleep","ms":20000})");
  stays.handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(stays.answer->wait().cancelled);
  ASSERT_TRUE(serves_again());
  EXPECT_TRUE(logged("hung: it was still in the tool 'script' 200 ms after the end of that call"));
  EXPECT_EQ(journal(R"({"do":"cancelled"})"), R"({"journal":[0]})");
}

TEST_F(WorkerFault, TooManyFailuresQuarantine) {
  WorkerLimits limits;
  limits.failures = 2;
  run_with(limits);
  run("script", steps(R"({"do":"die","signal":11})"));
  const ItemAnswer second = run("script", steps(R"({"do":"die","signal":11})"));
  EXPECT_NE(second.message.find("is quarantined"), std::string::npos) << second.message;
  const ItemAnswer third = run("script", steps(R"({"do":"cancelled"})"));
  EXPECT_EQ(third.error_code, "internal_error");
  EXPECT_EQ(third.message.find("The plugin 'script' is not running: its worker process was"), 0U)
      << third.message;
  EXPECT_EQ(worker_->health().mode, Health::Mode::quarantined);
}

TEST_F(WorkerFault, MoreCallsThanPlacesWaitInOrder) {
  WorkerLimits limits;
  limits.calls = 1;
  run_with(limits);
  const Running first = running(R"({"do":"wait_cancel"})");
  auto second = std::make_shared<Recorder>();
  start("script", second, steps(R"({"do":"cancelled"})"));
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(second->answered());
  first.handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_EQ(second->wait().structured, R"({"journal":[0]})");
  EXPECT_TRUE(first.answer->answered());
}

TEST_F(WorkerFault, CallersShareThePlaces) {
  WorkerLimits limits;
  limits.calls = 4;
  run_with(limits);
  const auto begin = [&](std::string_view party, const char* what) {
    auto recorder = std::make_shared<Recorder>();
    rapidjson::Document parsed;
    const std::string arguments = steps(what);
    parsed.Parse(arguments.data(), arguments.size());
    ItemCall call = request("tool", "script", arguments);
    call.parsed = &parsed;
    call.party = party;
    call.wants_progress = true;
    return Running{recorder, calls_->start(call, recorder)};
  };
  std::vector<Running> greedy;
  for (int i = 0; i < 12; ++i) {
    greedy.push_back(
        begin("greedy", R"({"do":"progress","done":1,"note":"inside"},{"do":"wait_cancel"})"));
  }
  greedy.front().answer->wait_for_note("inside");
  const Running quick = begin("modest", R"({"do":"cancelled"})");
  EXPECT_EQ(quick.answer->wait().structured, R"({"journal":[0]})");
  for (const Running& one : greedy) EXPECT_FALSE(one.answer->answered()) << "it did not wait";
  for (const Running& one : greedy) one.handle->cancel(CancelReason::notifications_cancelled);
  for (const Running& one : greedy) EXPECT_TRUE(one.answer->wait().cancelled);
}

TEST_F(WorkerFault, CallThatWaitsForAPlaceCanBeCancelled) {
  WorkerLimits limits;
  limits.calls = 1;
  run_with(limits);
  const Running first = running(R"({"do":"wait_cancel"})");
  auto second = std::make_shared<Recorder>();
  const auto handle = start("script", second, steps(R"({"do":"cancelled"})"));
  std::this_thread::sleep_for(50ms);
  handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(second->wait().cancelled);
  EXPECT_FALSE(first.answer->answered());
  first.handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(first.answer->wait().cancelled);
}

TEST_F(WorkerFault, CreateThatFailsSaysWhy) {
  PluginSettings settings;
  settings.config = R"({"fail_at":"create","say":"no luck today"})";
  const auto worker = make("script", settings);
  const Status status = worker->create();
  EXPECT_FALSE(status);
  EXPECT_EQ(status.message(), "create() failed: no luck today");
  EXPECT_TRUE(worker->close());
}

}  // namespace
}  // namespace gantry::host::faults_test
