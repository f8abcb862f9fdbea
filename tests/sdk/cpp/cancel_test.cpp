// CancelHook: a callback that is not called once its hook is destroyed.
#include <atomic>
#include <chrono>
#include <thread>

#include <gantry/plugin.hpp>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;

namespace cancel_test {
namespace {

std::atomic<int> fired{0};
std::atomic<bool> waiting{false};

class Cancels : public gantry::Plugin {
 public:
  using Plugin::Plugin;
  void offer(gantry::Offer& offer) override {
    offer.tool("kept", "Keeps its hook.", [](gantry::Call& call) {
      const auto hook = call.on_cancel([] { ++fired; });
      auto ended = wait(call);
      // The call counts as cancelled before its hooks are called.
      const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (fired == 0 && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
      return ended;
    });
    offer.tool("taken", "Takes its hook back.", [](gantry::Call& call) {
      {
        const auto hook = call.on_cancel([] { ++fired; });
      }
      return wait(call);
    });
    offer.tool("finishing", "Its hook ends the call and with it itself.", [](gantry::Call& call) {
      struct Both {
        gantry::PendingCall pending;
        gantry::CancelHook hook;
      };
      auto both = std::make_shared<Both>(Both{call.defer(), {}});
      auto hook = both->pending.on_cancel([both] {
        both->pending.finish(gantry::Status(GANTRY_CANCELLED, "stopped"));
        both->hook = {};
        ++fired;
      });
      if (hook) both->hook = std::move(*hook);
      waiting = true;
    });
    offer.tool("nine_in_turn", "Takes each of nine hooks back before the next.",
               [](gantry::Call& call) -> gantry::Status {
                 for (int i = 0; i < 9; ++i) {
                   auto hook = call.on_cancel([] { ++fired; });
                   if (!hook) return hook.status();
                   call.off_cancel(std::move(*hook));
                 }
                 return wait(call);
               });
    offer.tool("many", "Asks for nine hooks.", [](gantry::Call& call) -> gantry::Status {
      std::vector<gantry::CancelHook> hooks;
      for (int i = 0; i < 9; ++i) {
        auto hook = call.on_cancel([] {});
        if (!hook) return hook.status();
        hooks.push_back(std::move(*hook));
      }
      return {};
    });
  }

 private:
  static gantry::Status wait(const gantry::Call& call) {
    waiting = true;
    while (!call.cancelled()) std::this_thread::yield();
    return gantry::Status(GANTRY_CANCELLED, "stopped");
  }
};

constexpr gantry_plugin kTable = gantry::detail::Entry<Cancels>::table();

class CancelHooks : public ::testing::Test {
 protected:
  // Runs a tool until it waits, cancels it, and returns how often a hook fired.
  int cancel(std::string_view tool) {
    fired = 0;
    waiting = false;
    RunningCall running = host_.begin(tool);
    while (!waiting) std::this_thread::yield();
    running.cancel();
    EXPECT_THAT(running.wait(), FailsWith("cancelled"));
    return fired;
  }
  FakeHost host_{Linked{kTable, R"({"name":"cancels","version":"1.0.0","abi":1,)"
                                R"("needs":["gantry.call/1"],"items":"probe"})"}};
};

TEST_F(CancelHooks, FireWhenTheCallIsCancelled) { EXPECT_EQ(cancel("kept"), 1); }

TEST_F(CancelHooks, AreNotCalledAfterTheyAreDestroyed) { EXPECT_EQ(cancel("taken"), 0); }

TEST_F(CancelHooks, MayEndTheirOwnCall) { EXPECT_EQ(cancel("finishing"), 1); }

TEST_F(CancelHooks, GiveTheirPlaceBack) { EXPECT_EQ(cancel("nine_in_turn"), 0); }

TEST_F(CancelHooks, AreAtMostEight) {
  EXPECT_THAT(host_.call("many"), FailsWith("invalid_argument", ::testing::HasSubstr("8")));
}

}  // namespace
}  // namespace cancel_test
