// host/worker/process.hpp: worker processes: started, watched, limited and ended.
//
// A WorkerKeeper has one thread for all workers. It starts them, turns their output into lines
// of the log, looks at the processor time they use, notices their end and reaps them. When one has
// ended it starts the process of the next one, which waits for a plugin. Workers die
// with the thread that started them (that is how the kernel ties a child to its parent), so only
// the keeper's thread starts any, and the keeper must live as long as the host has workers.
//
// A worker is a process group of its own that no descendant can leave (the sandbox sees to that);
// the group is killed as a whole, and nothing of it is left behind, zombies included.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gantry/result.hpp>

#include "host/plugin/instance.hpp"
#include "host/plugin/log_sink.hpp"
#include "host/plugin/sealed_file.hpp"

namespace gantry::host {

// The descriptor of its end of the socket in a worker.
inline constexpr int kWorkerSocket = 3;
// The descriptor of the plugin's sealed memory file in a worker.
inline constexpr int kWorkerLibrary = 4;

// The kind of trial: a worker that only finds out whether a plugin is fit for this process
// (probe.hpp).
enum class Trial {
  none,
  live,
  map,  // of the plugin's life only the mapping of its file
};
// How the process of a trial ends after its last step: exit(), with a status that no plugin is
// likely to use. A plugin's own exit(0) must not look the same.
inline constexpr int kTrialPassed = 119;

struct WorkerStart {
  std::filesystem::path program;  // empty: worker_program()
  std::string plugin;             // its name; lines it prints are logged under it
  SealedFilePtr library;          // null: kWorkerLibrary is not open in the worker
  WorkerLimits limits;
  Trial trial = Trial::none;
  bool unloads = false;  // a trial ends with the unloading of the library
  // The words of its assignment after PLUGIN CONFINEMENT [live|map [unload]]; sandbox.hpp reads
  // the second.
  std::vector<std::string> arguments;
  LogSink log;  // of its output: standard output at info, standard error at warning
  // Called once, on the keeper's thread, when the worker is gone and reaped; must not block.
  // `cause` goes on after "its worker process": "was killed by signal 11 (SIGSEGV)".
  std::function<void(const std::string& cause)> ended;
};

// One worker, owned by the object that talks to it. Any thread. The destructor kills it and does
// not wait; `ended` is called nevertheless.
class WorkerProcess {
 public:
  virtual ~WorkerProcess() = default;

  // The host's end of a SOCK_STREAM socketpair, blocking, close-on-exec; open as long as this
  // object is. The worker has the other end as kWorkerSocket.
  virtual int socket() const = 0;
  virtual pid_t pid() const = 0;
  // The processor time that WorkerLimits::cpu allows begins anew. Costs a store: call it at every
  // answer. A worker that uses more is killed, at the latest a quarter of the limit later.
  virtual void answered() noexcept = 0;
  // Kills it with everything it started; returns before it is gone. `why` is the cause that is
  // reported then ("hung: it was still in a call 1000 ms after its deadline"); the first one stays.
  virtual void kill(std::string why) = 0;
  // True when it is gone, reaped, all it printed is logged, and `ended` has returned; its temporary
  // directory is removed a moment later. Not on the keeper's thread.
  virtual bool wait_until(std::chrono::steady_clock::time_point deadline) = 0;
  // Empty while it lives.
  virtual std::string cause() const = 0;
};

class WorkerKeeper {
 public:
  // `temporary`: where the private directories of workers are made; empty: the system's directory
  // for temporary files. Directories of hosts that have ended are removed.
  static Result<std::unique_ptr<WorkerKeeper>> create(std::filesystem::path temporary = {});
  // Kills all workers and waits until they are reaped. No other thread may be in spawn().
  virtual ~WorkerKeeper() = default;

  // Any thread but the keeper's own. Returns when the program runs (at once if it was started
  // ahead, else after about a millisecond), which says nothing yet about its success.
  virtual Result<std::unique_ptr<WorkerProcess>> spawn(WorkerStart start) = 0;
};

// Where gantry-worker is: beside the running program in a build tree, else installed in
// ../libexec/gantry. The environment does not matter.
std::filesystem::path worker_program();

}  // namespace gantry::host
