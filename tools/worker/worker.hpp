// tools/worker/worker.hpp: a plugin in this process, driven by the host at the other end of the
// socket.
//
// The main thread runs the plugin's life (create, start, stop, destroy). The other threads take
// turns in reading frames: the thread that has read a call lets another thread read and enters the
// plugin itself, so that a call is never handed from thread to thread. There is one thread more
// than the largest number of calls that were in the plugin at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gantry/abi/abi.h>

#include "call.hpp"
#include "host/loader/library.hpp"
#include "host/worker/process.hpp"
#include "link.hpp"

struct gantry_host {
  gantry::worker::Worker* worker = nullptr;
};

namespace gantry::worker {

// The answer of a started nested call (gantry_invoke_api.start).
struct Started {
  gantry_answer answer;
  void (*done)(void*, gantry_status);
  void* context;
};

// The differences of a trial from a worker that serves.
struct Trial {
  host::Trial kind = host::Trial::none;
  bool unloads = false;  // the library is unloaded at the end
};

class Worker {
 public:
  Worker(Link& link, Trial trial) : link_(link), trial_(trial) { host_.worker = this; }

  // Waits for `create`, confines the process as `confinement` says, maps the library, makes the
  // instance and serves until the host closes the socket; then the process ends.
  [[noreturn]] void run(std::string_view confinement);

  // For the tables; any thread.
  Link& link() { return link_; }
  const std::string& config() const { return config_; }
  const void* service(std::string_view id) const;
  void log(int level, std::string_view text);
  gantry_status finish(gantry_call& call, gantry_status status);
  void add_started(std::uint64_t request, Started started);
  void drop_started(std::uint64_t request);
  void drop(gantry_call& call) { calls_.drop(call); }

 private:
  using Work = std::function<void()>;

  // The main thread's (life.cpp).
  bool set_up(std::string_view body, std::string_view confinement, std::string& reason);
  [[noreturn]] void live();
  Work step_of(const wire::Frame& frame);
  gantry_status take_step(wire::FrameType step, std::uint64_t deadline);
  [[noreturn]] void end_trial();
  void done(std::uint64_t request, gantry_status status, std::string_view reason);
  template <class Function>
  gantry_status into_plugin(const char* step, Function function);

  // The other threads' (serve.cpp).
  void serve();
  // Waits for its turn to read, and reads until a frame is to enter the plugin. Then another thread
  // has the turn.
  Work next_work();
  bool add_reader();
  // The work of a frame that enters the plugin; other frames are processed at once.
  Work work_of(const wire::Frame& frame);
  Work started_done(const wire::Frame& frame);
  void enter(gantry_call& call);
  void settle(gantry_call& call, gantry_status status);
  void end(gantry_call& call, wire::FrameType how, gantry_status status);
  void give_to_main(Work work);

  Link& link_;
  const Trial trial_;
  gantry_host host_;
  std::string config_;
  std::vector<std::string> services_;
  std::optional<host::Library> library_;
  void* self_ = nullptr;
  std::atomic<unsigned> turns_{0};  // entries of the plugin and returns from it
  Calls calls_;

  std::mutex main_mutex_;
  std::condition_variable main_has_work_;
  std::deque<Work> main_work_;

  std::mutex reading_mutex_;
  std::atomic<int> waiting_readers_{0};  // for that lock; becomes less under the lock only

  std::mutex started_mutex_;
  std::unordered_map<std::uint64_t, Started> started_;
};

}  // namespace gantry::worker
