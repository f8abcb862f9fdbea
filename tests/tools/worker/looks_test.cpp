// The real worker program: how long it polls for the next call before it sleeps.
#include <gtest/gtest.h>

#include <ctime>
#include <thread>

#include "host/plugin/file_bytes.hpp"
#include "host/worker/channel.hpp"
#include "host/worker/messages.hpp"
#include "host/worker/process.hpp"

namespace gantry::host::worker {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class LooksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto keeper = WorkerKeeper::create();
    ASSERT_TRUE(keeper) << keeper.message();
    keeper_ = std::move(*keeper);
    WorkerStart start;
    start.program = GANTRY_BINARY_DIR "/bin/gantry-worker";
    start.plugin = "script";
    const auto bytes = read_file_bytes(GANTRY_BINARY_DIR "/test-plugins/script.so");
    ASSERT_TRUE(bytes) << bytes.message();
    start.library = *SealedFile::of(*bytes);
    start.log = [](std::string_view, int, std::string_view) {};
    start.ended = [](const std::string&) {};
    auto process = keeper_->spawn(std::move(start));
    ASSERT_TRUE(process) << process.message();
    process_ = std::move(*process);
    channel_ = std::make_unique<Channel>(process_->socket());
    worker::Setup setup{"{}", {"gantry.call/1"}};
    FrameWriter create(FrameType::create, 0, 1);
    setup.put_into(create);
    channel_->send(create.bytes());
    EXPECT_EQ(wait_for(FrameType::done), 0U) << "its library is mapped";
    EXPECT_EQ(wait_for(FrameType::done), 0U) << "a thread has its thread-local memory";
    EXPECT_EQ(wait_for(FrameType::done), 1U);
    FrameWriter begin(FrameType::start, 0, 2);
    channel_->send(begin.bytes());
    EXPECT_EQ(wait_for(FrameType::done), 2U);
  }

  // Its request; others are passed over.
  std::uint64_t wait_for(FrameType type) {
    for (const auto until = Clock::now() + 30s; Clock::now() < until;) {
      const auto next = channel_->next();
      if (!next) break;
      if (!*next) {
        channel_->wait(until);
        if (channel_->receive() == Channel::Seen::end) break;
      } else if ((*next)->header.type == type) {
        return (*next)->header.request;
      }
    }
    ADD_FAILURE() << "no frame of type " << static_cast<int>(type);
    return ~std::uint64_t{0};
  }

  void call(std::chrono::microseconds look) {
    Entry entry;
    entry.kind = "tool";
    entry.name = "script";
    entry.arguments = R"({"steps":[{"do":"cancelled"}]})";
    entry.room = 4096;
    entry.look = static_cast<std::uint32_t>(look.count());
    FrameWriter frame(FrameType::invoke, ++calls_);
    entry.put_into(frame);
    channel_->send(frame.bytes());
    wait_for(FrameType::returned);
  }

  // The processor time that it uses in a while without calls.
  std::chrono::nanoseconds idle_time() const {
    clockid_t clock{};
    EXPECT_EQ(::clock_getcpuclockid(process_->pid(), &clock), 0);
    const auto now = [&] {
      timespec time{};
      ::clock_gettime(clock, &time);
      return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    const auto before = now();
    std::this_thread::sleep_for(50ms);
    return now() - before;
  }

  std::unique_ptr<WorkerKeeper> keeper_;
  std::unique_ptr<WorkerProcess> process_;
  std::unique_ptr<Channel> channel_;
  std::uint64_t calls_ = 0;
};

// A call must have been quick for that, which on a busy machine not each is.
TEST_F(LooksTest, AsLongAsItIsTold) {
  const auto until = Clock::now() + 60s;
  std::chrono::nanoseconds used{0};
  while (used < 10ms && Clock::now() < until) {
    call(0us);
    call(2s);
    used = idle_time();
  }
  EXPECT_GE(used, 10ms);
  call(0us);
  EXPECT_LT(idle_time(), 10ms) << "told not to";
}

TEST_F(LooksTest, NotAtAllWhenItIsNotTold) {
  for (int i = 0; i < 20; ++i) call(0us);
  EXPECT_LT(idle_time(), 10ms);
}

}  // namespace
}  // namespace gantry::host::worker
