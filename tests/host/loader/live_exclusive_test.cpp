// Exclusive plugins: never two generations alive; calls wait for the next.
#include <stdlib.h>

#include <future>

#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

class Exclusive : public LiveTest {
 protected:
  Exclusive() {
    ::setenv("LIVE_LOCK", (directory.path() / "lock").c_str(), 1);
    put("locked_1", "locked.so");
  }
  // As the calls' engine enters a plugin that may be a stand-in.
  std::future<int> enter(const std::string& tool) { return enter(owner(tool), tool); }
  std::future<int> enter(const InstancePtr& plugin, const std::string& tool) {
    auto promise = std::make_shared<std::promise<int>>();
    std::future<int> answer = promise->get_future();
    if (!plugin) {
      promise->set_value(0);
      return answer;
    }
    const auto go_on = [promise, tool](const InstancePtr& instead) {
      promise->set_value(instead ? instead->invoke("tool", tool, nullptr) : -1);
    };
    if (!plugin->hold(go_on)) go_on(plugin);
    return answer;
  }
  // A change that is not waited for.
  void change(const std::string& build) {
    put(build, "locked.so");
    loader().rescan();
  }
  bool is_exchanging() {
    return eventually([&] { return state("locked").draining == 1; });
  }
};

TEST_F(Exclusive, TheOldOneEndsBeforeTheNewOneStarts) {
  begin();
  EXPECT_EQ(enter("locked").get(), 131);
  swap("locked_2", "locked.so");
  EXPECT_EQ(enter("locked").get(), 132);
  EXPECT_EQ(state("locked").last_failure, "");
  EXPECT_TRUE(only_serving_left());
}

TEST_F(Exclusive, CallsWaitWhileTheOldOneDrainsAndNoListChanges) {
  begin();
  const auto told = std::make_shared<std::atomic<int>>(0);
  registry.on_lists_changed([told](const auto&...) { ++*told; });
  Inside old(owner("wait"));
  change("locked_2");
  ASSERT_TRUE(is_exchanging());
  std::vector<std::future<int>> waiting;
  for (int i = 0; i < 5; ++i) waiting.push_back(enter("locked"));
  for (auto& call : waiting) EXPECT_EQ(call.wait_for(20ms), std::future_status::timeout);
  EXPECT_EQ(old.out(), 131);
  for (auto& call : waiting) {
    ASSERT_EQ(call.wait_for(10s), std::future_status::ready);
    EXPECT_EQ(call.get(), 132);
  }
  EXPECT_EQ(*told, 0);
}

TEST_F(Exclusive, ACallThatFoundThePlaceholderLaterStillGetsThrough) {
  begin();
  InstancePtr late;
  {
    Inside old(owner("wait"));
    change("locked_2");
    ASSERT_TRUE(is_exchanging());
    late = owner("locked");
  }
  // That it is over is published before the stand-in lets go: the call may still be parked.
  ASSERT_TRUE(eventually([&] { return state("locked").draining == 0; }));
  std::future<int> answer = enter(late, "locked");
  ASSERT_EQ(answer.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(answer.get(), 132);
}

TEST_F(Exclusive, OneThatDoesNotStartBringsTheOldOneBack) {
  begin();
  const std::uint64_t before = state("locked").generation;
  std::future<int> waiting;
  {
    Inside old(owner("wait"));
    change("locked_bad");
    ASSERT_TRUE(is_exchanging());
    waiting = enter("locked");
  }
  ASSERT_EQ(waiting.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(waiting.get(), 131);
  EXPECT_EQ(enter("locked").get(), 131);
  EXPECT_GT(state("locked").generation, before);
  EXPECT_EQ(state("locked").last_failure, "start() failed: the key is broken");
  follow();
  EXPECT_EQ(loader().counts().failed, 1u);
  swap("locked_2", "locked.so");
  EXPECT_EQ(enter("locked").get(), 132);
}

TEST_F(Exclusive, CallsHearWhenNeitherComesBack) {
  begin();
  std::future<int> waiting;
  {
    Inside old(owner("wait"));
    change("locked_bad");
    ASSERT_TRUE(is_exchanging());
    waiting = enter("locked");
    ::unsetenv("LIVE_LOCK");
  }
  ASSERT_EQ(waiting.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(waiting.get(), -1);
  ASSERT_TRUE(eventually([&] { return state("locked").state == "refused"; }));
  EXPECT_EQ(call("locked"), 0);
  fs::remove(directory.path() / "lock");
}

TEST_F(Exclusive, TheReplacementIsGivenUpWhenCallsDoNotEnd) {
  options.grace = 50ms;
  begin();
  const std::uint64_t before = state("locked").generation;
  Inside old(owner("wait"));
  swap("locked_2", "locked.so");
  EXPECT_EQ(state("locked").generation, before);
  EXPECT_EQ(state("locked").state, "serving");
  EXPECT_NE(state("locked").last_failure.find("calls still held the old generation"),
            std::string::npos);
  EXPECT_EQ(enter("locked").get(), 131);
  old.out();
  EXPECT_TRUE(loader().reload("locked"));
  EXPECT_EQ(enter("locked").get(), 132);
}

TEST_F(Exclusive, ANewerFileWaitsForTheExchangeAndWins) {
  begin();
  {
    Inside old(owner("wait"));
    change("locked_bad");
    ASSERT_TRUE(is_exchanging());
    change("locked_2");
    put("echo", "echo.so");
    loader().rescan();
    EXPECT_TRUE(eventually([&] { return owner("echo") != nullptr; }));
    EXPECT_EQ(call("echo"), GANTRY_OK);
  }
  ASSERT_TRUE(eventually([&] { return enter("locked").get() == 132; }));
}

TEST_F(Exclusive, OneThatIsRemovedMeanwhileGoes) {
  begin();
  {
    Inside old(owner("wait"));
    change("locked_2");
    ASSERT_TRUE(is_exchanging());
    fs::remove(folder / "locked.so");
    loader().rescan();
  }
  ASSERT_TRUE(eventually([&] { return owner("locked") == nullptr; }));
  EXPECT_TRUE(only_serving_left());
}

TEST_F(Exclusive, TheNextOneWaitsForOneThatWasRemovedButStillDrains) {
  begin();
  {
    Inside old(owner("wait"));
    fs::remove(folder / "locked.so");
    follow();
    swap("locked_2", "locked.so");
    EXPECT_EQ(owner("locked"), nullptr);
    EXPECT_EQ(state("locked").state, "refused");
  }
  ASSERT_TRUE(eventually([&] { return owner("locked") != nullptr; }));
  EXPECT_EQ(enter("locked").get(), 132);
}

TEST_F(Exclusive, TheEndOfTheHostLetsParkedCallsGo) {
  begin();
  auto old = std::make_unique<Inside>(owner("wait"));
  change("locked_2");
  ASSERT_TRUE(is_exchanging());
  std::future<int> waiting = enter("locked");
  loader().unload_all(20ms);
  ASSERT_EQ(waiting.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(waiting.get(), -1);
  old.reset();
  fs::remove(directory.path() / "lock");
}

}  // namespace
}  // namespace gantry::host::testing
