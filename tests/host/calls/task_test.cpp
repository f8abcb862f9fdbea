// gantry.task/1, and how progress values of plugin and heartbeat are combined.
#include <algorithm>
#include <cmath>

#include "tests/host/calls/harness.hpp"

namespace gantry::host::task_test {
namespace {

using Kind = ItemAnswer::Kind;

class TaskTest : public CallsTest {
 protected:
  std::shared_ptr<Recorder> enter(bool knows_tasks, bool is_task = false, bool progress = false) {
    auto recorder = std::make_shared<Recorder>();
    recorder->task_status_ = refusal_;
    heard_by_ = recorder;
    ItemCall call = request("tool", "t");
    call.inputs.can.tasks = knows_tasks;
    call.is_task = is_task;
    call.wants_progress = progress;
    calls_->start(call, recorder);
    answer_ = recorder->wait();
    return recorder;
  }
  void with_heartbeat() {
    CallLimits limits;
    limits.heartbeat = 20ms;
    make(limits);
  }
  gantry_status refusal_ = GANTRY_OK;
  ItemAnswer answer_;
  std::shared_ptr<Recorder> heard_by_;  // of the call that runs
};

TEST_F(TaskTest, TheListenerIsAskedOnce) {
  plugin("p").tool("t", [](gantry_call* call) {
    EXPECT_EQ(task_table().begin(call), GANTRY_OK);
    EXPECT_EQ(task_table().begin(call), GANTRY_OK);
    return GANTRY_OK;
  });
  publish();
  EXPECT_EQ(enter(true)->begun_, 1);
  EXPECT_EQ(enter(true, true)->begun_, 0) << "it is one already";
}

TEST_F(TaskTest, ARefusalStands) {
  refusal_ = GANTRY_BUSY;
  plugin("p").tool("t", [](gantry_call* call) {
    EXPECT_EQ(task_table().begin(call), GANTRY_BUSY);
    return task_table().begin(call);
  });
  publish();
  EXPECT_EQ(enter(true)->begun_, 1);
  EXPECT_EQ(answer_.kind, Kind::error);
}

TEST_F(TaskTest, AClientWithoutTasksGetsMissingCapability) {
  plugin("p").tool("t", [](gantry_call* call) { return task_table().begin(call); });
  publish();
  EXPECT_EQ(enter(false)->begun_, 0);
  EXPECT_EQ(answer_.kind, Kind::missing_capability);
  EXPECT_EQ(answer_.requests, R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
}

TEST_F(TaskTest, ACallLetsGoOfItsConnectionWhereTheClientComesBack) {
  gantry_status status = GANTRY_OK;
  plugin("p").tool("t", [&](gantry_call* call) {
    status = task_table().release(call);
    return GANTRY_OK;
  });
  publish();
  EXPECT_EQ(enter(false)->released_, 1);
  EXPECT_EQ(status, GANTRY_UNSUPPORTED);
  EXPECT_EQ(answer_.kind, Kind::result) << "a refusal costs the call nothing";
  auto recorder = std::make_shared<Recorder>();
  recorder->can_release_ = true;
  calls_->start(request("tool", "t"), recorder);
  recorder->wait();
  EXPECT_EQ(status, GANTRY_OK);
}

TEST_F(TaskTest, ATaskHasNoConnectionToRelease) {
  plugin("p").tool("t", [](gantry_call* call) {
    EXPECT_EQ(task_table().begin(call), GANTRY_OK);
    EXPECT_EQ(task_table().release(call), GANTRY_UNSUPPORTED);
    return GANTRY_OK;
  });
  publish();
  EXPECT_EQ(enter(true)->released_, 0);
}

TEST_F(TaskTest, OnlyToolsBecomeTasks) {
  gantry_status status = GANTRY_OK;
  plugin("p").prompt("t", [&](gantry_call* call) { return status = task_table().begin(call); });
  publish();
  ItemCall call = request("prompt", "t");
  call.inputs.can.tasks = true;
  EXPECT_EQ(run_item(call).kind, Kind::error);
  EXPECT_EQ(status, GANTRY_UNSUPPORTED);
}

TEST_F(TaskTest, ATaskHasNoHeartbeatAndNoLogsButItsProgress) {
  with_heartbeat();
  std::size_t before = 0;  // heartbeats, should begin() come late
  plugin("p").tool("t", [&](gantry_call* call) {
    EXPECT_EQ(task_table().begin(call), GANTRY_OK);
    before = heard_by_->heard();
    std::this_thread::sleep_for(70ms);
    api().progress(call, 1, 2, b("half"));
    api().log(call, GANTRY_LOG_ERROR, b("not told"));
    return GANTRY_OK;
  });
  publish();
  for (const bool wants_progress : {true, false}) {
    const auto recorder = enter(true, false, wants_progress);
    recorder->notes_.erase(recorder->notes_.begin(),
                           recorder->notes_.begin() + static_cast<std::ptrdiff_t>(before));
    EXPECT_EQ(recorder->notes_, std::vector<std::string>{"half"});
    EXPECT_TRUE(recorder->logs_.empty());
    EXPECT_FALSE(recorder->after_done_);
  }
}

TEST_F(TaskTest, ABrokenResultFailsTheTask) {
  plugin("p").tool("t", [](gantry_call* call) {
    api().json_begin(call);
    api().json_raw(call, b("{ broken"));
    return api().json_end(call);
  });
  publish();
  enter(true, true);
  EXPECT_EQ(answer_.kind, Kind::internal);
  enter(true);
  EXPECT_EQ(answer_.kind, Kind::error);
}

TEST_F(TaskTest, SmallValuesOfAToolAreNotSwallowedByTheHeartbeatsSeconds) {
  with_heartbeat();
  plugin("p").tool("t", [&](gantry_call* call) {
    heard_by_->wait_for_progress();
    for (const double done : {0.001, 0.002, 0.002, 0.003})
      api().progress(call, done, 0.004, b("n"));
    return GANTRY_OK;
  });
  publish();
  const auto recorder = enter(false, false, true);
  std::vector<double> own, left;
  for (std::size_t i = 0; i < recorder->notes_.size(); ++i) {
    if (recorder->notes_[i] != "n") continue;
    own.push_back(recorder->progress_[i]);
    left.push_back(recorder->totals_[i] - recorder->progress_[i]);
  }
  ASSERT_EQ(own.size(), 3u);
  EXPECT_TRUE(std::is_sorted(recorder->progress_.begin(), recorder->progress_.end()));
  EXPECT_NEAR(left[0], 0.003, 1e-9);
  EXPECT_NEAR(left[2], 0.001, 1e-9);
}

TEST_F(TaskTest, AFirstReportOfZeroIsSentAfterAHeartbeatToo) {
  with_heartbeat();
  plugin("p").tool("t", [&](gantry_call* call) {
    heard_by_->wait_for_progress();
    return api().progress(call, 0, 3, b("begins"));
  });
  publish();
  EXPECT_EQ(enter(false, false, true)->notes_.back(), "begins");
}

TEST_F(TaskTest, ValuesBeyondTheHeartbeatStayAsTheyAreAndOddOnesAreDropped) {
  with_heartbeat();
  plugin("p").tool("t", [&](gantry_call* call) {
    heard_by_->wait_for_progress();
    api().progress(call, std::nan(""), 1, b("no number"));
    api().progress(call, HUGE_VAL, 1, b("no end"));
    api().progress(call, 50, 100, b("half"));
    api().progress(call, 51, HUGE_VAL, b("on"));
    return GANTRY_OK;
  });
  publish();
  const auto recorder = enter(false, false, true);
  ASSERT_GE(recorder->progress_.size(), 2u);
  EXPECT_EQ(std::vector<double>(recorder->progress_.end() - 2, recorder->progress_.end()),
            (std::vector<double>{50, 51}));
  EXPECT_EQ(std::vector<double>(recorder->totals_.end() - 2, recorder->totals_.end()),
            (std::vector<double>{100, 0}));
  EXPECT_EQ(recorder->notes_[recorder->notes_.size() - 3], "") << "a heartbeat";
}

// A listener that delays the thread of cancel() in done().
class SlowListener final : public CallListener {
 public:
  explicit SlowListener(std::function<void()> told) : told_(std::move(told)) {}
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void done(ItemAnswer&& answer) override {
    message_ = std::move(answer.message);
    told_();
  }
  std::string message_;

 private:
  std::function<void()> told_;
};

TEST_F(TaskTest, AQueuedCallReportedAsCancelledNeverStarts) {
  CallLimits limits;
  limits.pool_threads = 1;
  make(limits);
  std::atomic<bool> release{false}, held{false}, started{false};
  FakePlugin& p = plugin("p");
  p.tool("hold", [&](gantry_call*) {
    held = true;
    while (!release) std::this_thread::sleep_for(1ms);
    return GANTRY_OK;
  });
  p.tool("t", [&](gantry_call*) {
    started = true;
    return GANTRY_OK;
  });
  publish();
  auto first = std::make_shared<Recorder>();
  start("hold", first);
  while (!held) std::this_thread::sleep_for(1ms);
  // A thread of the pool takes the waiting call while its client gets the answer.
  auto listener = std::make_shared<SlowListener>([&] {
    release = true;
    std::this_thread::sleep_for(50ms);
  });
  auto handle = calls_->start(request("tool", "t"), listener);
  handle->cancel(CancelReason::session_terminated);
  EXPECT_EQ(listener->message_, "Cancelled by client (session_terminated)");
  EXPECT_TRUE(calls_->drain(5s));
  EXPECT_FALSE(started);
}

}  // namespace
}  // namespace gantry::host::task_test
