#include "host/worker/spare.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <fstream>

#include "host/worker/assignment.hpp"

namespace gantry::host {
namespace {

const std::filesystem::path kProgram = GANTRY_BINARY_DIR "/tests/worker_deeds";

struct Spare : testing::Test {
  BlankWorker take(const std::filesystem::path& program = kProgram) {
    auto taken = spare_.take(program);
    EXPECT_TRUE(taken) << taken.message();
    discard(taken->process);
    return std::move(taken).value();
  }
  // The number of the process that waits, from /proc.
  pid_t prepared() {
    spare_.prepare();
    std::ifstream info("/proc/self/fdinfo/" + std::to_string(spare_.pidfd()));
    for (std::string word; info >> word;) {
      pid_t pid = 0;
      if (word == "Pid:" && info >> pid) return pid;
    }
    return -1;
  }

  TemporaryRoot root_{testing::TempDir() + "gantry-spare"};
  SpareWorker spare_{root_};
};

TEST_F(Spare, IsStartedAfterTheFirstWorker) {
  EXPECT_EQ(prepared(), -1);
  take();
  const pid_t ahead = prepared();
  EXPECT_GT(ahead, 0);
  EXPECT_EQ(take().process.pid, ahead);
  EXPECT_EQ(spare_.pidfd(), -1);
  EXPECT_NE(take().process.pid, ahead) << "a process serves one plugin";
}

TEST_F(Spare, IsNotUsedForAnotherProgram) {
  take();
  const pid_t ahead = prepared();
  EXPECT_NE(take("/bin/true").process.pid, ahead);
  EXPECT_EQ(::kill(ahead, 0), -1) << "it is left behind";
}

TEST_F(Spare, IsReplacedWhenItHasEnded) {
  take();
  const pid_t ahead = prepared();
  ::kill(ahead, SIGKILL);
  pollfd end{spare_.pidfd(), POLLIN, 0};
  ASSERT_EQ(::poll(&end, 1, 20'000), 1);
  EXPECT_NE(take().process.pid, ahead);
  EXPECT_EQ(::kill(ahead, 0), -1) << "it is not reaped";
}

TEST_F(Spare, IsNotStartedAgainUntilAWorkerIsWanted) {
  take();
  prepared();
  spare_.drop();
  EXPECT_EQ(prepared(), -1) << "a program that ends at once would be started without end";
}

TEST_F(Spare, IsReplacedWhenItsDirectoryIsGone) {
  take();
  const pid_t ahead = prepared();
  std::filesystem::remove_all(testing::TempDir() + "gantry-spare");
  std::filesystem::create_directory(testing::TempDir() + "gantry-spare");
  const BlankWorker other = take();
  EXPECT_NE(other.process.pid, ahead);
  EXPECT_TRUE(other.temporary->is_there());
}

TEST(Assignment, IsRefusedWhenTheSocketCannotHoldIt) {
  const Status sent = send_assignment(-1, {"plugin", std::string(70'000, 'x')}, -1);
  EXPECT_EQ(sent.code(), GANTRY_INVALID_ARGUMENT);
  EXPECT_NE(sent.message().find("64 KiB of paths"), std::string::npos);
}

}  // namespace
}  // namespace gantry::host
