#include "host/worker/channel.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

namespace gantry::host::worker {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Seen = Channel::Seen;

class ChannelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> sockets{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()), 0);
    here_.emplace(sockets[0]);
    there_.emplace(sockets[1]);
    channel_ = std::make_unique<Channel>(here_->get());
  }
  // What the worker says.
  void say() const {
    FrameWriter frame(FrameType::returned, 7);
    ASSERT_EQ(::send(there_->get(), frame.bytes().data(), frame.bytes().size(), 0),
              static_cast<ssize_t>(frame.bytes().size()));
  }

  std::optional<UniqueFd> here_, there_;
  std::unique_ptr<Channel> channel_;
};

TEST_F(ChannelTest, WaitsForAFrame) {
  say();
  channel_->wait(Clock::now() + 1h);
  EXPECT_EQ(channel_->receive(), Seen::something);
  const auto frame = channel_->next();
  ASSERT_TRUE(frame);
  ASSERT_TRUE(*frame);
  EXPECT_EQ((*frame)->header.call, 7U);
  EXPECT_EQ(channel_->receive(), Seen::nothing);
}

TEST_F(ChannelTest, WaitsUntilItIsWoken) {
  channel_->wake();
  channel_->wait(Clock::now() + 1h);
  const auto start = Clock::now();
  channel_->wait(start + 20ms);
  EXPECT_GE(Clock::now() - start, 20ms) << "a wake counts once";
}

}  // namespace
}  // namespace gantry::host::worker
