// Calls that end later: finish() from other threads, before, after and while invoke() returns.
#include <future>

#include "tests/host/calls/harness.hpp"

namespace gantry::host::finish_test {
namespace {

using Kind = ItemAnswer::Kind;

TEST_F(CallsTest, AnAsynchronousCallFinishesFromAnotherThread) {
  std::promise<std::thread> worker;
  plugin("p").tool("t", [&](gantry_call* call) {
    worker.set_value(std::thread([call] {
      std::this_thread::sleep_for(20ms);
      api().write(call, b("text"), b("later"));
      EXPECT_EQ(api().finish(call, GANTRY_OK), GANTRY_OK);
      EXPECT_EQ(api().finish(call, GANTRY_OK), GANTRY_MISUSE);
    }));
    return GANTRY_PENDING;
  });
  publish();
  EXPECT_EQ(run("t").content, R"({"type":"text","text":"later"})");
  worker.get_future().get().join();
}

TEST_F(CallsTest, FinishMayComeBeforeInvokeReturns) {
  plugin("p").tool("t", [&](gantry_call* call) {
    api().write(call, b("text"), b("early"));
    std::thread([call] { api().finish(call, GANTRY_OK); }).join();
    EXPECT_EQ(api().write(call, b("text"), b("late")), GANTRY_MISUSE);
    return GANTRY_PENDING;
  });
  publish();
  EXPECT_EQ(run("t").content, R"({"type":"text","text":"early"})");
}

TEST_F(CallsTest, FinishMayComeJustWhenInvokeReturns) {
  std::atomic<gantry_call*> pending{nullptr};
  std::atomic<bool> over{false};
  std::atomic<int> refused{0};
  std::jthread finisher([&] {
    for (int turn = 0; !over;) {
      gantry_call* const call = pending.exchange(nullptr);
      if (call == nullptr) continue;
      // A little later each time, past the moment at which invoke() returns.
      for (volatile int spin = ++turn * 7 % 10'007; spin > 0;) spin = spin - 1;
      if (api().finish(call, GANTRY_OK) != GANTRY_OK) ++refused;
    }
  });
  plugin("p").tool("t", [&](gantry_call* call) {
    pending = call;
    return GANTRY_PENDING;
  });
  publish();
  for (int i = 0; i < 6000 && refused == 0; ++i) EXPECT_EQ(run("t").kind, Kind::result);
  over = true;
  EXPECT_EQ(refused, 0);
}

}  // namespace
}  // namespace gantry::host::finish_test
