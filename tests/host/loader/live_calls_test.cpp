// Swaps under calls that run as clients' do: pending ones, held ones, several threads.
#include "tests/host/calls/harness.hpp"
#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

class LiveCalls : public LiveTest {
 protected:
  using Generation = InstancePtr::weak_type;

  void SetUp() override {
    calls = Calls::create(registry, bus, metrics, {}, [](std::string_view, std::string_view) {});
    given = calls.get();
  }
  void TearDown() override {
    calls->drain(2s);
    LiveTest::TearDown();
  }

  std::shared_ptr<CallHandle> start(std::string_view tool, std::shared_ptr<Recorder> recorder) {
    ItemCall call;
    call.agent = agent;
    call.snapshot = registry.current();
    const auto found = call.snapshot->tool_by_name.find(tool);
    call.item = found == call.snapshot->tool_by_name.end() ? nullptr : found->second;
    call.kind = "tool";
    call.name = tool;
    call.arguments = "{}";
    call.protocol = "2026-07-28";
    auto handle = calls->start(call, std::move(recorder));
    Registry::release_cached();
    return handle;
  }
  std::shared_ptr<Recorder> start(std::string_view tool) {
    auto recorder = std::make_shared<Recorder>();
    start(tool, recorder);
    return recorder;
  }
  std::string run(std::string_view tool) { return start(tool)->wait().content; }
  // Makes the pending call of this generation come to its end. It must be there until it has
  // returned from that, which is longer than the call.
  static void finish(const Generation& generation) {
    const InstancePtr plugin = generation.lock();
    ASSERT_TRUE(plugin);
    EXPECT_EQ(plugin->invoke("finish", "", nullptr), GANTRY_OK);
  }

  Bus bus;
  Metrics metrics;
  std::unique_ptr<Calls> calls;
  AgentPtr agent = std::make_shared<const Agent>();
};

std::string text(const std::string& word) { return R"({"type":"text","text":")" + word + R"("})"; }

TEST_F(LiveCalls, APendingCallFinishesInItsGenerationAfterTheSwap) {
  put("later_1", "later.so");
  begin();
  const auto pending = start("later");
  const Generation old = owner("later");
  swap("later_2", "later.so");
  EXPECT_EQ(run("now"), text("build 2"));
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(pending->answered());
  EXPECT_EQ(loader().counts().draining, 1u);
  finish(old);
  EXPECT_EQ(pending->wait().content, text("build 1"));
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 1u);
}

TEST_F(LiveCalls, CallsOfAnExclusivePluginWaitForItsReplacement) {
  put("later_alone_1", "later.so");
  begin();
  const auto pending = start("later");
  const Generation old = owner("later");
  put("later_alone_2", "later.so");
  loader().rescan();
  ASSERT_TRUE(eventually([&] { return state("later").draining == 1; }));
  const auto held = start("now");
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(held->answered());
  finish(old);
  EXPECT_EQ(pending->wait().content, text("alone 1"));
  EXPECT_EQ(held->wait().content, text("alone 2"));
  EXPECT_TRUE(only_serving_left());
}

TEST_F(LiveCalls, NoCallIsLostOverManySwapsOfAnExclusivePlugin) {
  constexpr int kSwaps = 20;
  put("later_alone_1", "later.so");
  begin();
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0}, answered{0};
  const auto hammer = [&] {
    while (!over) {
      const std::string answer = run("now");
      if (answer != text("alone 1") && answer != text("alone 2")) ++wrong;
      ++answered;
    }
  };
  std::thread one(hammer), two(hammer);
  for (int i = 0; i < kSwaps; ++i) {
    swap(i % 2 == 0 ? "later_alone_2" : "later_alone_1", "later.so");
    EXPECT_EQ(state("later").last_failure, "");
    const int seen = answered;
    EXPECT_TRUE(eventually([&] { return answered > seen + 5; }));
  }
  over = true;
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(loader().counts().failed, 0u);
}

TEST_F(LiveCalls, AnAbandonedCallIsCountedUntilItEnds) {
  put("later_1", "later.so");
  begin();
  auto recorder = std::make_shared<Recorder>();
  auto handle = start("later", recorder);
  const Generation old = owner("later");
  ASSERT_TRUE(handle);
  std::this_thread::sleep_for(50ms);  // until it is inside
  handle->cancel(CancelReason::notifications_cancelled);
  EXPECT_TRUE(recorder->wait().cancelled);
  EXPECT_EQ(state("later").abandoned_calls, 1);
  handle.reset();
  swap("later_2", "later.so");
  EXPECT_EQ(state("later").abandoned_calls, 1);
  EXPECT_EQ(state("later").draining, 1);
  finish(old);
  EXPECT_TRUE(only_serving_left());
  EXPECT_TRUE(eventually([&] { return state("later").abandoned_calls == 0; }));
}

}  // namespace
}  // namespace gantry::host::testing
