#include "host/control/claim.hpp"

#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "host/control/paths.hpp"
#include "tests/host/control/scratch.hpp"

namespace gantry::host::control {
namespace {

namespace fs = std::filesystem;

TEST(Claim, ListensForItsUserAlone) {
  const Scratch scratch;
  const std::string path = scratch / "c.sock";
  const mode_t before = ::umask(0);
  auto claim = Claim::take(path);
  ::umask(before);
  ASSERT_TRUE(claim) << claim.message();
  struct stat found {};
  ASSERT_EQ(::lstat(path.c_str(), &found), 0);
  EXPECT_TRUE(S_ISSOCK(found.st_mode));
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  EXPECT_TRUE(is_alive(path));
  claim->reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(Claim, RefusesAPathWhereAHostLives) {
  const Scratch scratch;
  const auto first = Claim::take(scratch / "c.sock");
  const auto second = Claim::take(scratch / "c.sock");
  ASSERT_FALSE(second);
  EXPECT_NE(second.message().find("another host"), std::string::npos);
  EXPECT_NE(second.message().find(scratch / "c.sock"), std::string::npos);
  EXPECT_TRUE(is_alive(scratch / "c.sock"));
}

TEST(Claim, ReplacesTheSocketOfADeadHost) {
  const Scratch scratch;
  {
    const auto dead = Claim::take(scratch / "c.sock");
    ASSERT_TRUE(dead);
    fs::create_hard_link(scratch / "c.sock", scratch / "kept.sock");
  }
  ASSERT_TRUE(fs::exists(scratch / "kept.sock"));
  const auto claim = Claim::take(scratch / "kept.sock");
  ASSERT_TRUE(claim) << claim.message();
  EXPECT_TRUE(is_alive(scratch / "kept.sock"));
}

TEST(Claim, TouchesNothingThatIsNoSocket) {
  const Scratch scratch;
  std::FILE* file = std::fopen((scratch / "notes").c_str(), "w");
  std::fclose(file);
  const auto claim = Claim::take(scratch / "notes");
  ASSERT_FALSE(claim);
  EXPECT_NE(claim.message().find("no socket"), std::string::npos);
  EXPECT_TRUE(fs::exists(scratch / "notes"));
}

TEST(Claim, NamesTheFaultOfAPath) {
  const Scratch scratch;
  const auto nowhere = Claim::take(scratch / "no/c.sock");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.message().find(scratch / "no/c.sock"), std::string::npos);
  EXPECT_FALSE(Claim::take(scratch / std::string(120, 'x')));
}

TEST(Claim, LeavesTheSocketOfASuccessorAlone) {
  const Scratch scratch;
  auto first = Claim::take(scratch / "c.sock");
  fs::remove(scratch / "c.sock");
  const auto second = Claim::take(scratch / "c.sock");
  ASSERT_TRUE(second);
  first->reset();
  EXPECT_TRUE(is_alive(scratch / "c.sock"));
}

TEST(Claim, IsWonByOneOfMany) {
  const Scratch scratch;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> won{0};
    std::vector<std::unique_ptr<Claim>> claims(8);
    std::vector<std::thread> threads;
    for (auto& claim : claims) {
      threads.emplace_back([&] {
        auto taken = Claim::take(scratch / "c.sock");
        if (!taken) return;
        claim = std::move(*taken);
        ++won;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(won, 1);
  }
}

}  // namespace
}  // namespace gantry::host::control
