// Many sends at once: every byte once, whoever sends it, and what the sockets took is said.
#include "host/http/send_team.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace gantry::host::http {
namespace {

class Pairs {
 public:
  explicit Pairs(std::size_t count) : pairs_(count) {
    for (auto& pair : pairs_) EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  }
  ~Pairs() {
    for (auto& pair : pairs_) {
      for (const int fd : pair) {
        if (fd >= 0) ::close(fd);
      }
    }
  }
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

  int near(std::size_t i) const { return pairs_[i][0]; }
  std::string received(std::size_t i) const {
    std::array<char, 4096> bytes{};
    const ssize_t got = ::recv(pairs_[i][1], bytes.data(), bytes.size(), MSG_DONTWAIT);
    return got > 0 ? std::string(bytes.data(), static_cast<std::size_t>(got)) : std::string();
  }
  void close_far(std::size_t i) { ::close(std::exchange(pairs_[i][1], -1)); }

 private:
  std::vector<std::array<int, 2>> pairs_;
};

std::size_t helpers_alive() {
  std::size_t found = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    found += name == "gantry-send";
  }
  return found;
}

TEST(SendTeam, EverySocketGetsItsOwnBytesOnce) {
  constexpr std::size_t kCount = 203;
  const Pairs pairs(kCount);
  SendTeam team(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < kCount; ++i)
      texts.push_back(std::to_string(round) + " for " + std::to_string(i));
    std::vector<Sending> all;
    for (std::size_t i = 0; i < kCount; ++i) all.push_back({pairs.near(i), texts[i], 0});
    team.send(all);
    for (std::size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(all[i].took, static_cast<ssize_t>(texts[i].size()));
      ASSERT_EQ(pairs.received(i), texts[i]);
    }
  }
}

TEST(SendTeam, SaysWhatAFullSocketTookAndThatAPeerIsGone) {
  Pairs pairs(3);
  SendTeam team(1);
  const std::string big(4U << 20U, 'x');
  std::vector<Sending> all{{pairs.near(0), big, 0}, {pairs.near(1), "small", 0}};
  team.send(all);
  EXPECT_GT(all[0].took, 0);
  EXPECT_LT(all[0].took, static_cast<ssize_t>(big.size()));
  EXPECT_EQ(all[1].took, 5);
  pairs.close_far(2);
  std::vector<Sending> again{{pairs.near(0), big, 9}, {pairs.near(2), "small", 9}};
  team.send(again);
  EXPECT_EQ(again[0].took, 0);
  EXPECT_EQ(again[1].took, -1);
}

TEST(SendTeam, HelpersStartWithTheFirstSendAndEndWithStop) {
  const Pairs pairs(1);
  SendTeam team(2);
  EXPECT_EQ(helpers_alive(), 0U);
  std::vector<Sending> all{{pairs.near(0), "a", 0}};
  team.send(all);
  std::vector<Sending> more{{pairs.near(0), "b", 0}};
  team.send(more);
  EXPECT_TRUE(testing::eventually([] { return helpers_alive() == 2; }));
  team.stop();
  EXPECT_TRUE(testing::eventually([] { return helpers_alive() == 0; }));
  std::vector<Sending> late{{pairs.near(0), "c", 0}};
  team.send(late);
  EXPECT_EQ(pairs.received(0), "abc");
}

TEST(SendTeam, SeveralSendersAtOnceSpoilNothing) {
  constexpr std::size_t kThreads = 4, kEach = 100;
  const Pairs pairs(kThreads * kEach);
  SendTeam team(2);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        std::vector<Sending> all;
        for (std::size_t i = 0; i < kEach; ++i) all.push_back({pairs.near(t * kEach + i), "x", 0});
        team.send(all);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads * kEach; ++i)
    EXPECT_EQ(pairs.received(i), std::string(20, 'x'));
}

}  // namespace
}  // namespace gantry::host::http
