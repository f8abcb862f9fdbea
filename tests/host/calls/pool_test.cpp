// The threads of the pool. Pieces of work hold until a test lets them go; nothing here sleeps.
#include "host/calls/pool.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace gantry::host::pool_test {
namespace {

using namespace std::chrono_literals;

class PoolTest : public ::testing::Test {
 protected:
  void make(PoolSize size) {
    pool_ = std::make_unique<Pool>(size, [] {});
  }
  void TearDown() override {
    let_all_go();
    pool_.reset();
  }

  // Work that begins and holds its thread.
  void hold(GroupId group, const std::string& name, bool blocking = false) {
    pool_->post(group, [this, name, blocking, pool = pool_.get()] {
      std::optional<Pool::Waiting> waiting;
      if (blocking) waiting.emplace(*pool);
      std::unique_lock lock(mutex_);
      begun_[name] = true;
      ++running_;
      most_ = std::max(most_, running_);
      changed_.notify_all();
      changed_.wait(lock, [&] { return all_go_ || go_[name]; });
      --running_;
      ended_[name] = true;
      changed_.notify_all();
    });
  }
  void let_go(const std::string& name) {
    std::lock_guard lock(mutex_);
    go_[name] = true;
    changed_.notify_all();
  }
  void let_all_go() {
    std::lock_guard lock(mutex_);
    all_go_ = true;
    changed_.notify_all();
  }
  bool has_begun(const std::string& name) {
    std::lock_guard lock(mutex_);
    return begun_.contains(name);
  }
  testing::AssertionResult begins(const std::string& name) { return reaches(begun_, name); }
  testing::AssertionResult ends(const std::string& name) { return reaches(ended_, name); }
  int most() {
    std::lock_guard lock(mutex_);
    return most_;
  }

  std::unique_ptr<Pool> pool_;

 private:
  using Names = std::map<std::string, bool>;
  testing::AssertionResult reaches(Names& where, const std::string& name) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, 20s, [&] { return where.contains(name); })) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << name << " did not come to it";
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Names begun_, ended_, go_;
  bool all_go_ = false;
  int running_ = 0, most_ = 0;
};

TEST_F(PoolTest, OneGroupAloneUsesEveryThread) {
  make({.threads = 3, .extra = 0, .relief = 4});
  for (const char* name : {"1", "2", "3"}) hold(1, name);
  for (const char* name : {"1", "2", "3"}) EXPECT_TRUE(begins(name));
}

TEST_F(PoolTest, AThreadThatIsFreeGoesToTheGroupWithTheFewest) {
  make({.threads = 2, .extra = 0, .relief = 0});
  hold(1, "a1");
  EXPECT_TRUE(begins("a1"));
  hold(1, "a2");
  EXPECT_TRUE(begins("a2"));
  for (const char* name : {"a3", "a4"}) hold(1, name);
  hold(2, "b1");
  let_go("a1");
  EXPECT_TRUE(begins("b1"));
  EXPECT_FALSE(has_begun("a3"));
}

TEST_F(PoolTest, AGroupIsServedWhileAnotherHoldsEveryThread) {
  make({.threads = 2, .extra = 0, .relief = 2});
  for (const char* name : {"a1", "a2", "a3", "a4"}) hold(1, name);
  EXPECT_TRUE(begins("a1"));
  EXPECT_TRUE(begins("a2"));
  for (int i = 0; i < 20; ++i) {
    const std::string name = "b" + std::to_string(i);
    hold(2, name);
    EXPECT_TRUE(begins(name));
    let_go(name);
    EXPECT_TRUE(ends(name));
  }
  EXPECT_FALSE(has_begun("a3")) << "the threads that were added are not for those that hold";
  EXPECT_EQ(most(), 3);
  EXPECT_GE(pool_->delayed(), 1u);
  EXPECT_LT(pool_->delayed(), 20u) << "a thread that was added stays for the next";
}

TEST_F(PoolTest, ManyGroupsAreServedAtOnce) {
  make({.threads = 2, .extra = 0, .relief = 8});
  for (GroupId group = 1; group <= 10; ++group) hold(group, std::to_string(group));
  for (GroupId group = 1; group <= 10; ++group) EXPECT_TRUE(begins(std::to_string(group)));
  EXPECT_EQ(most(), 10);
}

TEST_F(PoolTest, TheThreadsThatAreAddedAreBounded) {
  make({.threads = 1, .extra = 0, .relief = 3});
  for (GroupId group = 1; group <= 8; ++group) hold(group, std::to_string(group));
  for (GroupId group = 1; group <= 4; ++group) EXPECT_TRUE(begins(std::to_string(group)));
  let_go("1");
  EXPECT_TRUE(begins("5"));
  EXPECT_EQ(most(), 4);
  EXPECT_EQ(pool_->queued(), 3u);
}

TEST_F(PoolTest, WithoutReliefNoThreadIsAdded) {
  make({.threads = 1, .extra = 0, .relief = 0});
  hold(1, "a");
  EXPECT_TRUE(begins("a"));
  hold(2, "b");
  let_go("a");
  EXPECT_TRUE(begins("b"));
  EXPECT_EQ(most(), 1);
}

TEST_F(PoolTest, BlockingWorkOfOneGroupLeavesThreadsToAnother) {
  make({.threads = 1, .extra = 3, .relief = 1});
  for (const char* name : {"a1", "a2", "a3", "a4"}) hold(1, name, true);
  for (const char* name : {"a1", "a2", "a3", "a4"}) EXPECT_TRUE(begins(name));
  hold(1, "a5", true);
  hold(2, "b");
  EXPECT_TRUE(begins("b"));
  let_go("b");
  EXPECT_TRUE(ends("b"));
  hold(2, "c");
  EXPECT_TRUE(begins("c"));
  EXPECT_FALSE(has_begun("a5")) << "the thread that was added is for the other group";
}

TEST_F(PoolTest, FlushRunsQueuedWorkOnTheCallingThread) {
  make({.threads = 1, .extra = 0, .relief = 0});
  hold(1, "a");
  EXPECT_TRUE(begins("a"));
  std::thread::id ran;
  pool_->post(2, [&] { ran = std::this_thread::get_id(); });
  pool_->flush();
  EXPECT_EQ(ran, std::this_thread::get_id());
  EXPECT_EQ(pool_->queued(), 0u);
}

}  // namespace
}  // namespace gantry::host::pool_test
