// One thread that runs callbacks at their times.
#include "host/base/timer.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <future>
#include <mutex>
#include <string>
#include <thread>
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
  const auto dropped = timer.set(now + milliseconds(250), [&] { rung.add(1); });
  timer.drop(dropped);
  timer.drop(dropped);
  timer.set(now + milliseconds(300), [&] { rung.add(2); });
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

TEST(TimerTest, RepeatsAtTheTimesThatTheCallbackReturns) {
  Rung rung;
  Timer timer("other-name");
  std::string name;
  const auto begun = std::chrono::steady_clock::now();
  int runs = 0;
  timer.repeat({}, [&] {
    char text[16] = {};
    ::pthread_getname_np(::pthread_self(), text, sizeof text);
    name = text;
    rung.add(++runs);
    return runs < 3 ? begun + milliseconds(20 * runs) : Timer::kNever;
  });
  ASSERT_TRUE(rung.wait_for(3));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(40));
  timer.set(std::chrono::steady_clock::now() + milliseconds(20), [&] { rung.add(9); });
  ASSERT_TRUE(rung.wait_for(4));
  EXPECT_EQ(rung.order, (std::vector<int>{1, 2, 3, 9}));
  EXPECT_EQ(name, "other-name");
}

TEST(TimerTest, AnEarlierCallbackWakesTheThread) {
  Rung rung;
  Timer timer;
  timer.start();
  const auto now = std::chrono::steady_clock::now();
  timer.set(now + std::chrono::hours(1), [&] { rung.add(9); });
  std::this_thread::sleep_for(milliseconds(20));
  timer.set(now, [&] { rung.add(1); });
  ASSERT_TRUE(rung.wait_for(1));
  EXPECT_EQ(rung.order, std::vector<int>{1});
}

// A callback that began before it was dropped.
class TimerRunTest : public testing::Test {
 protected:
  void let_it_begin(Timer& timer, Timer::Time next) {
    id = timer.repeat({}, [&, next] {
      if (++runs == 1) begun.set_value();
      go.get_future().wait();
      ended = true;
      return next;
    });
    begun.get_future().wait();
  }
  Timer::Id id = 0;
  std::promise<void> begun, go;
  std::atomic<int> runs{0};
  std::atomic<bool> ended{false};
};

TEST_F(TimerRunTest, DropAndWaitWaitsForItsEnd) {
  Timer timer;
  let_it_begin(timer, Timer::kNever);
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(20));
    go.set_value();
  });
  timer.drop_and_wait(id);
  EXPECT_TRUE(ended);
  timer.drop_and_wait(id);
  timer.drop_and_wait(0);
  later.join();
}

TEST_F(TimerRunTest, DropDoesNotWait) {
  Timer timer;
  let_it_begin(timer, Timer::kNever);
  timer.drop(id);
  EXPECT_FALSE(ended);
  go.set_value();
}

TEST_F(TimerRunTest, DoesNotRunAgainAtTheTimeThatItReturnsLater) {
  Rung rung;
  {
    Timer timer;
    let_it_begin(timer, {});
    timer.drop(id);
    go.set_value();
    timer.drop_and_wait(id);
    timer.set({}, [&] { rung.add(1); });
    ASSERT_TRUE(rung.wait_for(1));
  }
  EXPECT_EQ(runs, 1);
}

TEST(TimerTest, MayBeDroppedFromInsideItself) {
  Rung rung;
  Timer timer;
  std::atomic<Timer::Id> id{0};
  std::atomic<int> runs{0};
  id = timer.repeat(std::chrono::steady_clock::now() + milliseconds(20), [&]() -> Timer::Time {
    ++runs;
    timer.drop_and_wait(id);
    timer.set({}, [&] { rung.add(1); });
    return {};
  });
  ASSERT_TRUE(rung.wait_for(1));
  EXPECT_EQ(runs, 1);
}

TEST(TimerTest, FreesACallbackThatUsesTheTimerInItsDestructor) {
  Rung rung;
  Timer timer;
  const auto last = [&](int*) { timer.set({}, [&] { rung.add(1); }); };
  timer.set({}, [kept = std::shared_ptr<int>(nullptr, last)] {});
  ASSERT_TRUE(rung.wait_for(1));
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
