// One thread that runs callbacks at their times.
#include "host/base/timer.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace gantry::host::timer_test {
namespace {

using std::chrono::milliseconds;

struct Rung {
  void add(int what) {
    std::lock_guard lock(mutex);
    order.push_back(what);
    wake.notify_all();
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock(mutex);
    return wake.wait_for(lock, std::chrono::seconds(10), [&] { return order.size() >= count; });
  }
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<int> order;
};

TEST(TimerTest, NamesItsThread) {
  std::promise<std::string> name;
  Timer timer;
  timer.set(std::chrono::steady_clock::now(), [&] {
    char text[16] = {};
    ::pthread_getname_np(::pthread_self(), text, sizeof text);
    name.set_value(text);
  });
  EXPECT_EQ(name.get_future().get(), "gantry-timer");
}

TEST(TimerTest, RingsInTheOrderOfTimeNotOfSetting) {
  Rung rung;
  Timer timer;
  const auto now = std::chrono::steady_clock::now();
  timer.set(now + milliseconds(40), [&] { rung.add(2); });
  timer.set(now + milliseconds(20), [&] { rung.add(1); });
  timer.set(now - milliseconds(1), [&] { rung.add(0); });
  ASSERT_TRUE(rung.wait_for(3));
  EXPECT_EQ(rung.order, (std::vector<int>{0, 1, 2}));
  EXPECT_GE(std::chrono::steady_clock::now() - now, milliseconds(40));
}

TEST(TimerTest, ADroppedOneDoesNotRing) {
  Rung rung;
  Timer timer;
  const auto now = std::chrono::steady_clock::now();
  const auto dropped = timer.set(now + milliseconds(10), [&] { rung.add(1); });
  timer.drop(dropped);
  timer.drop(dropped);
  timer.set(now + milliseconds(30), [&] { rung.add(2); });
  ASSERT_TRUE(rung.wait_for(1));
  EXPECT_EQ(rung.order, std::vector<int>{2});
}

TEST(TimerTest, MayBeSetAndDroppedFromInsideARing) {
  Rung rung;
  Timer timer;
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  const auto far = timer.set(later, [&] { rung.add(9); });
  timer.set({}, [&] {
    timer.drop(far);
    timer.set({}, [&] { rung.add(1); });
  });
  ASSERT_TRUE(rung.wait_for(1));
  EXPECT_EQ(rung.order, std::vector<int>{1});
}

TEST(TimerTest, EndsWithoutRingingTheRest) {
  auto kept = std::make_shared<int>(1);
  {
    Timer timer;
    timer.set(std::chrono::steady_clock::now() + std::chrono::hours(1), [kept] { FAIL(); });
  }
  EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
}  // namespace gantry::host::timer_test
