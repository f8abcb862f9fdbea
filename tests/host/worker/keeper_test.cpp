#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gantry/abi/host.h>

#include "host/worker/census.hpp"
#include "worker_fixture.hpp"

namespace gantry::host::keeper_test {
namespace {

using namespace std::chrono_literals;

struct Keeper : WorkerTest {};

bool exists(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

bool comes_true(const std::function<bool()>& condition) {
  for (const auto end = std::chrono::steady_clock::now() + kPatience;
       std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(2ms)) {
    if (condition()) return true;
  }
  return false;
}

std::size_t open_descriptors() {
  namespace fs = std::filesystem;
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

TEST_F(Keeper, TalksToAWorkerOverItsSocket) {
  const auto worker = spawn("idle");
  char byte = 'x';
  ASSERT_EQ(::write(worker->socket(), &byte, 1), 1);
  byte = 0;
  ASSERT_EQ(::read(worker->socket(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  EXPECT_EQ(worker->cause(), "");
}

TEST_F(Keeper, NamesTheSignalOfACrash) {
  EXPECT_EQ(end_of("crash"), "was killed by signal 11 (SIGSEGV)");
}

TEST_F(Keeper, NamesTheCodeOfAnExit) { EXPECT_EQ(end_of("exit"), "called exit(3)"); }

TEST_F(Keeper, NamesAProgramThatCannotBeStarted) {
  WorkerStart start = start_of("idle");
  start.program = "/nowhere/gantry-worker";
  const auto worker = keeper_->spawn(std::move(start));
  ASSERT_FALSE(worker);
  EXPECT_EQ(worker.message(), "cannot start /nowhere/gantry-worker: No such file or directory");
}

TEST_F(Keeper, ReportsTheFirstReasonForAKill) {
  const auto worker = spawn("idle");
  worker->kill("hung");
  worker->kill("was replaced");
  ASSERT_TRUE(ended(*worker));
  EXPECT_EQ(worker->cause(), "hung");
}

TEST_F(Keeper, SaysSoWhenAnotherProcessKilledIt) {
  const auto worker = spawn("idle");
  ::kill(worker->pid(), SIGKILL);
  ASSERT_TRUE(ended(*worker));
  EXPECT_EQ(
      worker->cause(),
      "was killed by signal 9 (SIGKILL), which came from outside: from another process, or the "
      "system was out of memory");
}

TEST_F(Keeper, TellsOfTheEndOnceAlsoWhenTheHandleIsGone) {
  std::atomic<int> told = 0;
  WorkerStart start = start_of("idle");
  start.ended = [&](const std::string& cause) { told += cause == "was ended" ? 1 : 100; };
  pid_t pid = 0;
  {
    auto worker = keeper_->spawn(std::move(start));
    ASSERT_TRUE(worker);
    pid = (*worker)->pid();
  }
  EXPECT_TRUE(comes_true([&] { return told.load() == 1; }));
  EXPECT_FALSE(exists(pid));
}

TEST_F(Keeper, KillsAWorkerThatComputesWithoutAnAnswer) {
  WorkerLimits limits;
  limits.cpu = 1s;
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(end_of("burn", limits),
            "used more than its 1 s of processor time (worker.cpu_seconds) without an answer");
  EXPECT_GE(std::chrono::steady_clock::now() - before, 900ms);
}

TEST_F(Keeper, LetsAWorkerComputeThatAnswers) {
  WorkerLimits limits;
  limits.cpu = 1s;
  const auto worker = spawn("burn", limits);
  for (const auto end = std::chrono::steady_clock::now() + 2500ms;
       std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(50ms)) {
    worker->answered();
  }
  EXPECT_EQ(worker->cause(), "");
  EXPECT_TRUE(ended(*worker)) << "it answers no more";
}

TEST_F(Keeper, KillsTheProcessesThatAWorkerStarted) {
  WorkerLimits limits;
  limits.processes = true;
  const auto worker = spawn("leave-child", limits);
  ASSERT_TRUE(comes_true([&] { return !printed_.texts().empty(); }));
  const pid_t child = std::stoi(printed_.texts().front());
  ASSERT_TRUE(exists(child));
  worker->kill("was ended");
  ASSERT_TRUE(ended(*worker));
  EXPECT_FALSE(exists(child));
  EXPECT_EQ(::kill(-worker->pid(), 0), -1) << "something of its group is left";
}

TEST_F(Keeper, LogsTheOutputOfAWorker) {
  printed_by("two-streams");
  EXPECT_TRUE(printed_.has(GANTRY_LOG_INFO, "to output"));
  EXPECT_TRUE(printed_.has(GANTRY_LOG_WARNING, "to errors"));
}

TEST_F(Keeper, LogsTheLastWordsOfACrash) {
  EXPECT_EQ(end_of("last-words"), "was killed by signal 4 (SIGILL)");
  EXPECT_TRUE(printed_.has(GANTRY_LOG_WARNING, "last words"));
}

TEST_F(Keeper, DropsAFloodAndCountsIt) {
  const auto lines = printed_by("flood");
  EXPECT_LE(lines.size(), 2'100U) << "more than twenty seconds of a hundred lines";
  std::size_t counted = 0;
  for (const std::string& line : lines) {
    const auto at = line.find("; ");
    if (line.starts_with("it printed more than 100 lines"))
      counted += std::stoul(line.substr(at + 2)) - 1;  // the line that says so
  }
  EXPECT_EQ(lines.size() + counted, 100'001U);
}

TEST_F(Keeper, GivesAWorkerNothingOfTheHostsEnvironment) {
  ::setenv("GANTRY_API_KEY", "secret", 1);
  ::setenv("LC_TIME", "C.UTF-8", 1);
  const auto lines = printed_by("environment");
  ::unsetenv("GANTRY_API_KEY");
  for (const std::string& line : lines) {
    const std::string name = line.substr(0, line.find('='));
    EXPECT_TRUE(name == "PATH" || name == "HOME" || name == "TMPDIR" || name == "LANG" ||
                name == "TZ" || name.starts_with("LC_") || name.ends_with("SAN_OPTIONS"))
        << line;
  }
  EXPECT_NE(std::find(lines.begin(), lines.end(), "LC_TIME=C.UTF-8"), lines.end());
}

TEST_F(Keeper, GivesAWorkerNoDescriptorsButItsOwn) {
  const int inherited = ::dup(0);  // without close-on-exec, as a library might leave one
  EXPECT_EQ(printed_by("open-descriptors"), std::vector<std::string>{"0 1 2 3 4 "})
      << "4 is its own directory in /proc";
  ::close(inherited);
}

TEST_F(Keeper, LeavesNoDescriptorAndNoZombie) {
  const std::size_t before = open_descriptors();
  for (int turn = 0; turn < 20; ++turn) end_of(turn % 2 == 0 ? "crash" : "exit");
  constexpr std::size_t kOfSpare = 4;  // its socket, two pipes, and the process
  EXPECT_TRUE(comes_true([&] { return open_descriptors() == before + kOfSpare; }))
      << before << ' ' << open_descriptors();
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), 0) << "the spare process is the only child, and lives";
  keeper_.reset();
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(Keeper, StartsOneAheadWhenAWorkerHasEnded) {
  end_of("exit");
  std::this_thread::sleep_for(100ms);  // the kernel counts the start in hundredths of a second
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto ticks = static_cast<std::uint64_t>(now.tv_sec * 100 + now.tv_nsec / 10'000'000);
  const auto worker = spawn("idle");
  const std::uint64_t started = started_at(worker->pid());
  EXPECT_GT(started, 0U);
  EXPECT_LT(started, ticks - 5);
}

TEST_F(Keeper, EndsItsWorkersWithItself) {
  const auto worker = spawn("idle");
  keeper_.reset();
  EXPECT_EQ(worker->cause(), "was ended: the host ends");
  EXPECT_FALSE(exists(worker->pid()));
}

TEST_F(Keeper, HasAWorkerReadyInMilliseconds) {
  std::vector<std::chrono::nanoseconds> times;
  for (int turn = 0; turn < 21; ++turn) {
    const auto before = std::chrono::steady_clock::now();
    const auto worker = spawn("idle");
    char byte = 'x';
    ASSERT_EQ(::write(worker->socket(), &byte, 1), 1);
    ASSERT_EQ(::read(worker->socket(), &byte, 1), 1);
    times.push_back(std::chrono::steady_clock::now() - before);
  }
  std::sort(times.begin(), times.end());
  RecordProperty("median_us", static_cast<int>(times[10].count() / 1000));
  EXPECT_LT(times[10], 500ms);
}

TEST_F(Keeper, ServesManyThreadsAtOnce) {
  std::atomic<int> crashed = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 10; ++turn)
        crashed += end_of("crash") == "was killed by signal 11 (SIGSEGV)" ? 1 : 0;
    });
  }
  threads.clear();
  EXPECT_EQ(crashed.load(), 40);
}

}  // namespace
}  // namespace gantry::host::keeper_test
