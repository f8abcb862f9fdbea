// tools/worker/worker.hpp: a plugin in this process, driven by the host at the other end of the
// socket.
//
// The main thread runs the plugin's life (create, start, stop, destroy). The others take turns in
// reading frames: who reads one that enters the plugin lets another read and enters it, so that a
// call is never handed from thread to thread. While calls come one after the other and are quick,
// one thread lends its turn and looks for the next call itself, as long as the host has said.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gantry/abi/abi.h>

#include "call.hpp"
#include "host/loader/library.hpp"
#include "link.hpp"

struct gantry_host {
  gantry::worker::Worker* worker = nullptr;
};

namespace gantry::worker {

// How a started nested call comes back (gantry_invoke_api.start).
struct Started {
  gantry_answer answer;
  void (*done)(void*, gantry_status);
  void* context;
};

// How a trial differs from a worker that serves.
struct Trial {
  bool map_only = false;  // no instance is made
  bool unloads = false;   // the library is unloaded at the end
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
  void unload_after_trial();
  void done(std::uint64_t request, gantry_status status, std::string_view reason);
  template <class Function>
  gantry_status into_plugin(const char* step, Function function);

  // The other threads' (serve.cpp).
  // What is to be done for a frame, if anything, and how long to look for the next one afterwards.
  struct Job {
    Work work;
    std::chrono::microseconds look{0};
  };
  void serve();
  std::chrono::microseconds run(Job job);
  Job job_of(const wire::Frame& frame);
  Work started_done(const wire::Frame& frame);
  bool let_another_read();
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

  bool was_quick_ = false;  // the last call; with the turn
  std::mutex started_mutex_;
  std::unordered_map<std::uint64_t, Started> started_;
};

}  // namespace gantry::worker
