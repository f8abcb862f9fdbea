// host/worker/keeper.hpp: a worker process as the keeper's thread sees it.
//
// Internal to the folder.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "host/base/clock.hpp"
#include "host/worker/output.hpp"
#include "host/worker/process.hpp"
#include "host/worker/spawn.hpp"
#include "host/worker/temporary.hpp"

namespace gantry::host {

// One of the two streams a worker prints to. Keeper's thread.
class Stream {
 public:
  Stream(int fd, OutputLines::Emit emit, const Clock& clock);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // Reads the bytes that are there, within a second's share: a flood waits in its pipe, and the
  // thread that prints it waits with it.
  void read_some();
  // Everything that is in the pipe, then closes it. For a worker that is gone.
  void read_rest();
  // True while the second's share is used up: nothing is to be read before next().
  bool is_full() const { return full_; }
  void tick();
  bool owes() const { return lines_.owes() || full_; }
  const std::string& last_line() const { return lines_.last(); }

 private:
  bool read_once();

  int fd_;
  const Clock& clock_;
  OutputLines lines_;
  Clock::Instant window_{};
  std::size_t read_ = 0;
  bool full_ = false;
};

// The part of a worker that its holder and the keeper share.
// It has more than twelve members: the process, its streams, and the bounds that the keeper checks.
class Worker {
 public:
  Worker(WorkerStart start, const Spawned& spawned, std::unique_ptr<TemporaryDirectory> temporary,
         const Clock& clock);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Any thread.
  int socket() const { return spawned_.socket; }
  pid_t pid() const { return spawned_.pid; }
  void answered() noexcept { answered_.store(true, std::memory_order_relaxed); }
  void kill(std::string why);
  bool wait_until(std::chrono::steady_clock::time_point deadline);
  std::string cause() const;

  // Keeper's thread.
  int pidfd() const { return spawned_.pidfd; }
  Stream& output() { return output_; }
  Stream& errors() { return errors_; }
  // Kills it when it has used too much processor time since its last answer, or has too many
  // threads, bytes or files.
  void look();
  // How often to look.
  std::chrono::milliseconds look_interval() const;
  // It has ended: kills the rest of its group, reaps it, logs the rest of its output, reports.
  void bury();

 private:
  void look_at_cpu(std::chrono::nanoseconds used);
  void look_at_use();

  const WorkerStart start_;
  const Spawned spawned_;
  const std::unique_ptr<TemporaryDirectory> temporary_;
  Stream output_, errors_;
  std::atomic<bool> answered_ = false;
  std::chrono::nanoseconds cpu_base_{0}, cpu_seen_{-1};  // at its last answer, at the last look
  bool headless_ = false;                                // at the last look

  mutable std::mutex mutex_;
  std::condition_variable gone_wake_;
  bool reaped_ = false;  // its number may be another process's
  bool gone_ = false;
  std::string why_, cause_;
};

}  // namespace gantry::host
