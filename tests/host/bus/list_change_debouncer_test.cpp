#include "host/bus/list_change_debouncer.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "host/bus/bus.hpp"

namespace gantry::host::list_change_debouncer_test {
namespace {

using namespace std::chrono_literals;
using Kind = Event::Kind;
using Clock = std::chrono::steady_clock;

class Published {
 public:
  void add(const Event& event) {
    std::lock_guard lock(mutex_);
    events_.push_back(event);
    cv_.notify_all();
  }
  // The events so far, once there are `count` of them or a second has passed.
  std::vector<Event> wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    cv_.wait_for(lock, 1s, [&] { return events_.size() >= count; });
    return events_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  std::vector<Event> events_;
};

class ListChangeDebouncerTest : public ::testing::Test {
 protected:
  Published published_;
  std::mutex mutex_;
  std::vector<Event::Seen> different_{{"a", Tier::write}};  // the answer; with the mutex
  int asked_ = 0;
  ListChangeDebouncer lists_{[this](const Event& event) { published_.add(event); }};

  void SetUp() override {
    lists_.set_differences([this](Kind) {
      std::lock_guard lock(mutex_);
      ++asked_;
      return std::exchange(different_, {});
    });
  }
};

TEST_F(ListChangeDebouncerTest, PublishesASeriesOnceWithTheDifferencesAtItsEnd) {
  const auto begin = Clock::now();
  for (int i = 0; i < 20; ++i) lists_.changed(Kind::tools_listed);
  const auto events = published_.wait(1);
  EXPECT_GE(Clock::now() - begin, 50ms);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Kind::tools_listed);
  EXPECT_EQ(events[0].seen, (std::vector<Event::Seen>{{"a", Tier::write}}));
  std::this_thread::sleep_for(120ms);
  EXPECT_EQ(published_.wait(1).size(), 1u);
  EXPECT_EQ(asked_, 1);
}

TEST_F(ListChangeDebouncerTest, NothingIsPublishedWhenTheListIsAsItWas) {
  different_.clear();
  lists_.changed(Kind::prompts_listed);
  std::this_thread::sleep_for(150ms);
  EXPECT_EQ(published_.wait(0).size(), 0u);
  std::lock_guard lock(mutex_);
  EXPECT_EQ(asked_, 1);
}

TEST_F(ListChangeDebouncerTest, ChangesWithoutEndArePublishedOfAllTheSame) {
  const auto begin = Clock::now();
  std::size_t published = 0;
  while (published == 0 && Clock::now() - begin < 20s) {
    lists_.changed(Kind::tools_listed);
    std::this_thread::sleep_for(5ms);
    published = published_.wait(0).size();
  }
  EXPECT_EQ(published, 1u);
  EXPECT_GE(Clock::now() - begin, 240ms);
  EXPECT_LE(Clock::now() - begin, 10s);
}

TEST_F(ListChangeDebouncerTest, DebouncesEachKindApart) {
  lists_.changed(Kind::tools_listed);
  lists_.changed(Kind::resources_listed, {{"r", Tier::readonly}});
  lists_.changed(Kind::resources_listed, {{"r", Tier::readonly}, {"s", Tier::admin}});
  const auto events = published_.wait(2);
  ASSERT_EQ(events.size(), 2u);
  const Event& resources = events[events[0].kind == Kind::resources_listed ? 0 : 1];
  EXPECT_EQ(resources.kind, Kind::resources_listed);
  EXPECT_GE(resources.seen.size(), 2u);
}

TEST_F(ListChangeDebouncerTest, AReportOfAPluginIsPublishedEvenIfTheHostSeesNoDifference) {
  different_.clear();
  lists_.changed(Kind::resources_listed);
  lists_.changed(Kind::resources_listed, {{"r", Tier::readonly}});
  const auto events = published_.wait(1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].seen, (std::vector<Event::Seen>{{"r", Tier::readonly}}));
}

TEST_F(ListChangeDebouncerTest, AChangeThatConcernsAllMakesTheSeriesConcernAll) {
  lists_.changed(Kind::resources_listed, {{"r", Tier::readonly}});
  lists_.changed(Kind::resources_listed, {});
  lists_.changed(Kind::resources_listed, {{"s", Tier::readonly}});
  const auto events = published_.wait(1);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].seen.empty());
}

TEST(Bus, DropsPendingListChangesWithTheBus) {
  for (int i = 0; i < 50; ++i) {
    Bus bus;
    bus.lists().changed(Kind::tools_listed, {});
    if (i % 10 == 0) std::this_thread::sleep_for(50ms);
  }
}

}  // namespace
}  // namespace gantry::host::list_change_debouncer_test
