#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "host/worker/cause.hpp"
#include "host/worker/census.hpp"
#include "host/worker/keeper.hpp"

namespace gantry::host {
namespace {

using std::chrono::nanoseconds;

// How often threads and files are counted, and how many files a worker may have.
constexpr std::chrono::milliseconds kCensus{200};
constexpr std::size_t kMostFiles = 10'000;

OutputLines::Emit logged(const WorkerStart& start, int level) {
  return [log = start.log, plugin = start.plugin, level](std::string_view line) {
    if (log) log(plugin, level, line);
  };
}

// Zero when it cannot be known any more.
nanoseconds cpu_time(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

int reap(pid_t pid, rusage& usage) {
  int status = 0;
  while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  return status;
}

// The kernel counts what the host had at the start as the child's; only more than that is its own.
std::uint64_t peak_bytes(const rusage& usage, const Spawned& spawned) {
  const bool own = usage.ru_maxrss > spawned.peak_before;
  return own ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

// Processes that the worker had started are children of this one now, or become it when the one
// between dies; all of them are dying: microseconds. The kernel has no wait for a group with a
// limit, and a process that waits for a disk must not stop the thread that watches all workers.
void reap_group(pid_t group) {
  for (int turn = 0; turn < 500; ++turn) {
    const pid_t found = ::waitpid(-group, nullptr, WNOHANG);
    if (found < 0 && errno == ECHILD) return;
    if (found == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

Worker::Worker(WorkerStart start, const Spawned& spawned,
               std::unique_ptr<TemporaryDirectory> temporary, const Clock& clock)
    : start_(std::move(start)),
      spawned_(spawned),
      temporary_(std::move(temporary)),
      output_(spawned.output, logged(start_, GANTRY_LOG_INFO), clock),
      errors_(spawned.errors, logged(start_, GANTRY_LOG_WARNING), clock) {}

Worker::~Worker() {
  if (spawned_.socket >= 0) ::close(spawned_.socket);
  if (spawned_.pidfd >= 0) ::close(spawned_.pidfd);
}

void Worker::kill(std::string why) {
  const std::lock_guard lock(mutex_);
  if (reaped_) return;
  if (why_.empty()) why_ = why.empty() ? "was ended" : std::move(why);
  ::kill(-spawned_.pid, SIGKILL);
}

bool Worker::wait_until(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return gone_wake_.wait_until(lock, deadline, [this] { return gone_; });
}

std::string Worker::cause() const {
  const std::lock_guard lock(mutex_);
  return cause_;
}

// A quarter of the limit on processor time, were all cores its own.
std::chrono::milliseconds Worker::look_interval() const {
  if (start_.limits.cpu.count() == 0) return kCensus;
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  const auto quarter = std::chrono::milliseconds(start_.limits.cpu) / (4 * cores);
  return std::clamp<std::chrono::milliseconds>(quarter, std::chrono::milliseconds(20), kCensus);
}

// A process that has not run since the last look has nothing more than it had then; others of its
// group may have.
void Worker::look() {
  const nanoseconds used = cpu_time(spawned_.pid);
  look_at_cpu(used);
  if (used == cpu_seen_ && !start_.limits.processes && !headless_) return;
  cpu_seen_ = used;
  look_at_use();
}

void Worker::look_at_cpu(nanoseconds used) {
  if (start_.limits.cpu.count() == 0) return;
  if (answered_.exchange(false, std::memory_order_relaxed)) cpu_base_ = used;
  if (used - cpu_base_ <= start_.limits.cpu) return;
  kill("used more than its " + std::to_string(start_.limits.cpu.count()) +
       " s of processor time (worker.cpu_seconds) without an answer");
}

void Worker::look_at_use() {
  const WorkerLimits& limits = start_.limits;
  const std::vector<pid_t> members = members_of(spawned_.pid, limits.processes);
  const Threads threads = threads_of(members);
  if (limits.threads != 0 && threads.count > limits.threads) {
    return kill("had more than its " + std::to_string(limits.threads) +
                " threads (worker.threads)");
  }
  // It must be seen twice: a process that is about to end can look like this once.
  const bool was_headless = std::exchange(headless_, threads.headless);
  if (was_headless && headless_) return kill("ended its first thread and went on in others");
  if (limits.disk_bytes == 0) return;
  const DiskUse named = temporary_->use(kMostFiles);
  const DiskUse nameless =
      nameless_files(members, *temporary_, limits.disk_bytes, spawned_.worker_socket);
  if (named.files + nameless.files > kMostFiles) {
    return kill("had more than " + std::to_string(kMostFiles) +
                " files in its temporary directory, or nested them deeper than " +
                std::to_string(TemporaryDirectory::kDepth) + " directories");
  }
  if (named.bytes + nameless.bytes <= limits.disk_bytes) return;
  kill("kept more than its " + std::to_string(limits.disk_bytes / kMebibyte) +
       " MiB in its temporary directory (worker.disk_bytes)");
}

// The number stays the dead worker's until it is reaped, so the group can be killed by it.
void Worker::bury() {
  rusage usage{};
  int status = 0;
  {
    const std::lock_guard lock(mutex_);
    ::kill(-spawned_.pid, SIGKILL);
    status = reap(spawned_.pid, usage);
    reaped_ = true;
  }
  reap_group(spawned_.pid);
  output_.read_rest();
  errors_.read_rest();
  std::string cause = cause_of({.wait_status = status,
                                .peak_bytes = peak_bytes(usage, spawned_),
                                .memory_limit = start_.limits.memory_bytes,
                                .last_line = errors_.last_line()});
  {
    const std::lock_guard lock(mutex_);
    // An end of its own that came before a kill is the true cause.
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (killed && !why_.empty()) cause = why_;
    cause_ = cause;
  }
  if (start_.ended) start_.ended(cause);
  {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    gone_wake_.notify_all();
  }
  temporary_->remove();  // takes as long as all other steps together
}

}  // namespace gantry::host
