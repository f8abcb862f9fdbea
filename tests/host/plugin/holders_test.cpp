#include "host/plugin/holders.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace gantry::host::testing {
namespace {

using namespace std::chrono_literals;

class Nothing final : public Instance {
 public:
  gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
    return GANTRY_OK;
  }
};

std::chrono::steady_clock::time_point soon() { return std::chrono::steady_clock::now() + 10s; }

TEST(Holders, AreTheCopiesOfAPointerUntilTheLastIsDropped) {
  Nothing instance;
  Holders holders;
  int told = 0;
  holders.on_none([&] { ++told; });
  EXPECT_FALSE(holders.any());
  InstancePtr first = holders.share(instance);
  InstancePtr second = holders.share(instance);
  EXPECT_EQ(first.get(), &instance);
  EXPECT_EQ(first, second);
  first.reset();
  EXPECT_TRUE(holders.any());
  EXPECT_EQ(told, 0);
  second.reset();
  EXPECT_FALSE(holders.any());
  EXPECT_EQ(told, 1);
}

TEST(Holders, MayComeAgainAfterTheLastIsGone) {
  Nothing instance;
  Holders holders;
  int told = 0;
  holders.on_none([&] { ++told; });
  holders.share(instance).reset();
  const InstancePtr again = holders.share(instance);
  EXPECT_TRUE(holders.any());
  EXPECT_EQ(told, 1);
}

TEST(Holders, WakeAThreadThatWaitsForTheLast) {
  Nothing instance;
  Holders holders;
  InstancePtr pointer = holders.share(instance);
  EXPECT_FALSE(holders.wait_for_none(std::chrono::steady_clock::now() + 1ms));
  std::thread other([&] { pointer.reset(); });
  EXPECT_TRUE(holders.wait_for_none(soon()));
  other.join();
}

TEST(Holders, MayOutliveTheGeneration) {
  Nothing instance;
  std::atomic<int> told = 0;
  InstancePtr pointer;
  {
    Holders holders;
    holders.on_none([&] { ++told; });
    pointer = holders.share(instance);
  }
  pointer.reset();
  EXPECT_EQ(told, 1);
}

// A waiter ends and forgets the generation as soon as it is told, while the pointer is being
// dropped.
TEST(Holders, AreSafeToEndWhileTheLastIsDropped) {
  for (int i = 0; i < 300; ++i) {
    auto instance = std::make_unique<Nothing>();
    auto holders = std::make_unique<Holders>();
    InstancePtr pointer = holders->share(*instance);
    std::thread other([pointer = std::move(pointer)]() mutable { pointer.reset(); });
    ASSERT_TRUE(holders->wait_for_none(soon()));
    holders.reset();
    instance.reset();
    other.join();
  }
}

}  // namespace
}  // namespace gantry::host::testing
