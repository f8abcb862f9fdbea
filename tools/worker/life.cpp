// The main thread: sets the process up and takes the plugin through its life.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "host/plugin/guarded.hpp"
#include "host/worker/process.hpp"
#include "host/worker/sandbox.hpp"
#include "tables.hpp"
#include "worker.hpp"

namespace gantry::worker {

template <class Function>
gantry_status Worker::into_plugin(const char* step, Function function) {
  // The host orders the steps and the calls, which is invisible to the memory model of this
  // process.
  turns_.fetch_add(1, std::memory_order_acq_rel);
  struct Left {
    std::atomic<unsigned>& turns;
    ~Left() { turns.fetch_add(1, std::memory_order_acq_rel); }
  } const left{turns_};
  return host::guarded(step, function,
                       [this](const std::string& what) { log(GANTRY_LOG_ERROR, what); });
}

void Worker::run(std::string_view confinement) {
  const wire::Frame first = link_.read();
  const std::uint64_t request = first.header.request;
  std::string reason;
  if (first.header.type != wire::FrameType::create) reason = "the host did not begin with `create`";
  if (reason.empty() && set_up(first.body, confinement, reason)) {
    if (trial_.kind == host::Trial::map) {
      done(request, GANTRY_OK, {});
      end_trial();
    }
    give_to_main([this, request] { done(request, take_step(wire::FrameType::create, 0), {}); });
    live();
  }
  done(request, GANTRY_FAILED, reason);
  for (;;) link_.read();  // until the host closes the socket
}

// False with the reason.
bool Worker::set_up(std::string_view body, std::string_view confinement, std::string& reason) {
  const auto setup = wire::Setup::from(body);
  if (!setup) {
    reason = "the host's `create` cannot be read";
    return false;
  }
  config_ = setup->config;
  services_.assign(setup->services.begin(), setup->services.end());
  if (const Status confined = host::confine(confinement); !confined) {
    reason = confined.message();
    return false;
  }
  auto file = host::SealedFile::adopt(host::kWorkerLibrary);
  if (!file) {
    reason = file.message();
    return false;
  }
  auto library = host::Library::open(std::move(*file), !trial_.unloads);
  if (!library) {
    reason = library.message();
    return false;
  }
  library_.emplace(std::move(*library));
  done(0, GANTRY_OK, {});
  // A thread allocates its own copy at the first use, perhaps in a much later call.
  library_->touch_thread_memory();
  done(0, GANTRY_OK, {});
  // exit() called by a plugin ends the process here, before destructors of objects that other
  // threads use.
  ::on_exit([](int code, void*) { std::fflush(nullptr), ::_exit(code); }, nullptr);
  return true;
}

void Worker::live() {
  ++waiting_readers_;
  std::thread([this] { serve(); }).detach();
  for (;;) {
    std::unique_lock lock(main_mutex_);
    main_has_work_.wait(lock, [this] { return !main_work_.empty(); });
    const Work work = std::move(main_work_.front());
    main_work_.pop_front();
    lock.unlock();
    work();
  }
}

void Worker::give_to_main(Work work) {
  std::lock_guard lock(main_mutex_);
  main_work_.push_back(std::move(work));
  main_has_work_.notify_one();
}

Worker::Work Worker::step_of(const wire::Frame& frame) {
  wire::BodyReader body(frame.body);
  const wire::FrameType step = frame.header.type;
  const auto deadline = step == wire::FrameType::stop ? body.number<std::uint64_t>() : 0;
  return [this, step, deadline, request = frame.header.request] {
    done(request, take_step(step, deadline), {});
    if (step == wire::FrameType::destroy && trial_.kind != host::Trial::none) end_trial();
  };
}

gantry_status Worker::take_step(wire::FrameType step, std::uint64_t deadline) {
  const gantry_plugin& plugin = library_->table();
  switch (step) {
    case wire::FrameType::create:
      return into_plugin("create()", [&] { return plugin.create(&host_api(), &host_, &self_); });
    case wire::FrameType::start:
      return into_plugin("start()", [&] { return plugin.start(self_); });
    case wire::FrameType::stop:
      return into_plugin("stop()", [&] { return plugin.stop(self_, deadline); });
    default:
      into_plugin("destroy()", [&] { return plugin.destroy(self_), GANTRY_OK; });
      return GANTRY_OK;
  }
}

// The library's destructors run here.
void Worker::end_trial() {
  if (trial_.unloads) library_->close();
  std::fflush(nullptr);
  ::_exit(host::kTrialPassed);
}

void Worker::done(std::uint64_t request, gantry_status status, std::string_view reason) {
  wire::FrameWriter frame(wire::FrameType::done, 0, request);
  frame.number(status).text(reason);
  link_.send(frame);
}

// finish() may come before invoke() returns, and takes the plugin's reference with it.
void Worker::enter(gantry_call& call) {
  Calls::keep(call);
  const gantry_status status = into_plugin("invoke()", [&] {
    return library_->table().invoke(self_, bytes_of(call.entry.kind), bytes_of(call.entry.name),
                                    &call);
  });
  settle(call, status);
  calls_.drop(call);
}

}  // namespace gantry::worker
