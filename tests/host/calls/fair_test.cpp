// Calls of several parties on one engine: threads, strands, places, and what a stop leaves behind.
#include "tests/host/calls/harness.hpp"

namespace gantry::host::fair_test {
namespace {

using Kind = ItemAnswer::Kind;

class FairTest : public CallsTest {
 protected:
  // Work that holds its thread until let_go(), or the test's end.
  gantry_status hold() {
    std::unique_lock lock(mutex_);
    ++holding_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return go_; });
    return GANTRY_OK;
  }
  void wait_for_holding(int calls) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, 20s, [&] { return holding_ >= calls; }));
  }
  int holding() {
    std::lock_guard lock(mutex_);
    return holding_;
  }
  void let_go() {
    std::lock_guard lock(mutex_);
    go_ = true;
    changed_.notify_all();
  }
  void TearDown() override {
    let_go();
    for (auto& listener : listeners_) listener->wait();
    CallsTest::TearDown();
  }
  std::shared_ptr<Recorder> start_for(std::string_view party, std::string_view tool,
                                      std::uint64_t client = 0) {
    auto recorder = std::make_shared<Recorder>();
    ItemCall call = request("tool", tool);
    call.party = party;
    call.client = client;
    calls_->start(call, recorder);
    return listeners_.emplace_back(std::move(recorder));
  }
  static CallLimits threads(unsigned pool, unsigned blocking) {
    CallLimits limits;
    limits.pool_threads = pool;
    limits.blocking_threads = blocking;
    return limits;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int holding_ = 0;
  bool go_ = false;
  std::vector<std::shared_ptr<Recorder>> listeners_;
};

TEST_F(FairTest, AQuickCallRunsWhileAnotherPartyHoldsEveryThread) {
  make(threads(2, 4));
  FakePlugin& p = plugin("p");
  p.tool("long", [&](gantry_call*) { return hold(); });
  p.tool("quick", [](gantry_call*) { return GANTRY_OK; });
  publish();
  for (int i = 0; i < 20; ++i) start_for("a", "long");
  wait_for_holding(2);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(start_for("b", "quick")->wait().kind, Kind::result);
  }
  EXPECT_FALSE(start_for("a", "quick")->answered());
  EXPECT_EQ(calls_->queued(), 19u) << "all of the first but those that had the threads";
}

TEST_F(FairTest, ReadersDoNotWaitBehindWritersOfTheirParty) {
  Agent agent;
  agent.tier = Tier::write;
  agent_ = std::make_shared<const Agent>(agent);
  make(threads(2, 0));
  FakePlugin& p = plugin("p");
  int begun = 0;
  p.tool("write", [&](gantry_call*) { return hold(); }).tier = Tier::write;
  p.tool("read", [&](gantry_call*) {
    begun = holding();
    return GANTRY_OK;
  });
  publish();
  for (int i = 0; i < 12; ++i) start_for("a", "write");
  wait_for_holding(2);
  const auto reader = start_for("a", "read");
  let_go();
  EXPECT_EQ(reader->wait().kind, Kind::result);
  EXPECT_LE(begun, 4) << "of the twelve writers, when the reader began";
}

TEST_F(FairTest, ClientsOfOneAddressDoNotWaitForEachOther) {
  make(threads(2, 16));
  FakePlugin& p = plugin("p");
  p.tool("long", [&](gantry_call*) { return hold(); });
  p.tool("quick", [](gantry_call*) { return GANTRY_OK; });
  publish();
  for (std::uint64_t client = 1; client <= 12; ++client) {
    for (int i = 0; i < 3; ++i) start_for("127.0.0.1", "long", client);
  }
  wait_for_holding(12);
  EXPECT_EQ(start_for("127.0.0.1", "quick", 13)->wait().kind, Kind::result);
}

TEST_F(FairTest, WorkThatAWorkersCallCausesIsItsPartys) {
  make(threads(1, 4));
  FakePlugin& p = plugin("p");
  p.tool("long", [&](gantry_call* call) {
    calls_->post(call, [this, call] {
      hold();
      api().finish(call, GANTRY_OK);
    });
    return GANTRY_PENDING;
  });
  p.tool("quick", [&](gantry_call* call) {
    calls_->post(call, [call] { api().finish(call, GANTRY_OK); });
    return GANTRY_PENDING;
  });
  publish();
  for (int i = 0; i < 5; ++i) start_for("a", "long");
  wait_for_holding(1);
  EXPECT_EQ(start_for("b", "quick")->wait().kind, Kind::result);
}

TEST_F(FairTest, ThePartiesOfAPluginThatIsNotReentrantTakeTurns) {
  make(threads(2, 0));
  std::mutex mutex;
  std::string order;
  FakePlugin& p = plugin("p", false);
  p.tool("first", [&](gantry_call*) { return hold(); });
  const auto note = [&](const char* name) {
    return [&, name](gantry_call*) {
      std::lock_guard lock(mutex);
      order += name;
      return GANTRY_OK;
    };
  };
  p.tool("of_a", note("a"));
  p.tool("of_b", note("b"));
  plugin("q").tool("quick", [](gantry_call*) { return GANTRY_OK; });
  publish();
  start_for("a", "first");
  wait_for_holding(1);
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 3; ++i) all.push_back(start_for("a", "of_a"));
  start_for("a", "quick")->wait();  // the one thread that is free has seen those before it
  for (int i = 0; i < 2; ++i) all.push_back(start_for("b", "of_b"));
  start_for("b", "quick")->wait();
  let_go();
  for (auto& call : all) call->wait();
  std::lock_guard lock(mutex);
  EXPECT_EQ(order, "ababa");
}

TEST_F(FairTest, OnePartyLeavesPlacesToOthers) {
  CallLimits limits = threads(1, 0);
  limits.max_running = 8;
  make(limits);
  plugin("p").tool("long", [&](gantry_call*) { return hold(); });
  publish();
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 9; ++i) all.push_back(start_for("a", "long"));
  EXPECT_EQ(all.back()->wait().kind, Kind::busy);
  EXPECT_EQ(calls_->running(), 8);
  EXPECT_FALSE(start_for("b", "long")->answered());
  EXPECT_FALSE(start_for("c", "long")->answered());
  EXPECT_EQ(start_for("b", "long")->wait().kind, Kind::busy) << "a quarter more is all";
}

// Its thread never comes back in time; calls of others that waited behind it are over.
TEST_F(FairTest, AStopNamesOnlyThePluginThatDoesNotEnd) {
  make(threads(1, 0));
  plugin("hung").tool("long", [&](gantry_call*) { return hold(); });
  plugin("other").tool("quick", [](gantry_call*) { return GANTRY_OK; });
  publish();
  registry_.set_plugins({plugins_.begin(), plugins_.end()}, {});
  start_for("a", "long");
  wait_for_holding(1);
  const auto waits = start_for("b", "quick");
  EXPECT_FALSE(calls_->drain(0ms));
  EXPECT_TRUE(waits->wait().cancelled);
  EXPECT_EQ(calls_->running(), 1);
  EXPECT_EQ(calls_->queued(), 0u);
}

}  // namespace
}  // namespace gantry::host::fair_test
