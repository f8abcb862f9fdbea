// Generations that calls still hold when they are replaced.
#include "tests/host/loader/live_fixture.hpp"

namespace gantry::host::testing {
namespace {

using Draining = LiveTest;

TEST_F(Draining, ACallFinishesInTheGenerationThatItIsIn) {
  put("live_1");
  begin();
  Inside old(owner("wait"));
  swap("live_2");
  EXPECT_EQ(call("answer"), 102);
  EXPECT_EQ(state().draining, 1);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(loader().counts().unloaded, 0u);
  EXPECT_EQ(mapped(), 2u);
  EXPECT_EQ(old.out(), 101);
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 1u);
  EXPECT_TRUE(eventually([&] { return state().draining == 0; }));
}

// A call that is answered later holds its generation although no thread is in it.
TEST_F(Draining, ASnapshotThatACallKeptIsEnough) {
  put("live_1");
  begin();
  SnapshotPtr pinned = registry.current();
  Registry::release_cached();
  swap("live_2");
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(loader().counts().draining, 1u);
  EXPECT_EQ(pinned->tool_by_name.at("answer")->plugin->invoke("tool", "answer", nullptr), 101);
  pinned.reset();
  EXPECT_TRUE(only_serving_left());
}

TEST_F(Draining, OtherPluginsAreSwappedMeanwhile) {
  put("live_1");
  put("words_1", "words.so");
  begin();
  Inside old(owner("wait"));
  swap("live_2");
  const std::uint64_t before = state("words").generation;
  swap("words_2", "words.so");
  EXPECT_GT(state("words").generation, before);
  EXPECT_TRUE(eventually([&] { return loader().counts().draining == 1; }));
}

TEST_F(Draining, GenerationsAreBoundedAndTheNewestFileWins) {
  options.max_generations = 2;
  put("live_1");
  put("echo", "echo.so");
  begin();
  Inside old(owner("wait"));
  swap("live_2");
  swap("live_3");
  EXPECT_EQ(call("answer"), 102);
  EXPECT_EQ(state().last_failure,
            "it waits until one of the plugin's older generations is gone, which calls still hold: "
            "1");
  swap("live_more");
  EXPECT_EQ(call("answer"), 102);
  fs::remove(folder / "echo.so");
  follow();
  EXPECT_EQ(call("echo"), 0);
  EXPECT_EQ(old.out(), 101);
  EXPECT_TRUE(eventually([&] { return call("answer") == 104; }));
  EXPECT_TRUE(eventually([&] { return state().last_failure.empty(); }));
  EXPECT_EQ(loader().counts().failed, 0u);
}

TEST_F(Draining, AGenerationThatNeverLetsGoIsNamed) {
  options.grace = 50ms;
  put("live_1");
  begin();
  const std::uint64_t first = state().generation;
  Inside old(owner("wait"));
  swap("live_2");
  EXPECT_TRUE(eventually([&] { return state().stuck == 1; }));
  EXPECT_EQ(state().draining, 1);
  EXPECT_EQ(loader().counts().stuck, 1u);
  EXPECT_TRUE(logged("live 4 generation " + std::to_string(first) +
                     " is still held by calls 0 s after it was replaced; it stays until they end"));
  EXPECT_EQ(mapped(), 2u);
  old.out();
  EXPECT_TRUE(eventually([&] { return state().draining == 0; }));
}

TEST_F(Draining, OneThatIsHeldAtTheEndStaysMapped) {
  put("live_1");
  begin();
  Inside old(owner("wait"));
  swap("live_2");
  const UnloadResult result = loader().unload_all(20ms);
  EXPECT_EQ(result.in_use, 1u);
  EXPECT_EQ(result.unloaded, 1u);
  EXPECT_EQ(old.out(), 101);
}

// Two callers without pause, over swaps: each answer is that of a build that was published between
// the call and its answer, and never an older one than that caller saw before.
TEST_F(Draining, NoCallIsLostWhilePluginsAreSwappedUnderIt) {
  constexpr int kSwaps = 60;
  put("live_1");
  begin();
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0}, calls{0};
  const auto hammer = [&] {
    std::uint64_t seen = 0;
    while (!over) {
      SnapshotPtr snapshot = registry.current();
      const InstancePtr plugin = snapshot->tool_by_name.at("answer")->plugin;
      if (plugin->generation() < seen) ++wrong;
      seen = plugin->generation();
      const int answer = plugin->invoke("tool", "answer", nullptr);
      if (answer < 101 || answer > 103) ++wrong;
      ++calls;
    }
    Registry::release_cached();
  };
  std::thread one(hammer), two(hammer);
  const char* const builds[] = {"live_1", "live_2", "live_3"};
  for (int i = 1; i <= kSwaps; ++i) {
    const int seen = calls;
    swap(builds[i % 3]);
    eventually([&] { return calls > seen + 10; }, 2s);
    if (!eventually([&] { return state().last_failure.empty(); }, 5s)) ++wrong;
  }
  over = true;
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(only_serving_left());
  EXPECT_EQ(mapped(), 1u);
  EXPECT_EQ(loader().counts().leaked, 0u);
  EXPECT_EQ(loader().counts().failed, 0u);
}

}  // namespace
}  // namespace gantry::host::testing
