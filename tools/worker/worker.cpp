#include "worker.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace gantry::worker {

Worker::Worker(Link& link, Trial trial)
    : link_(link),
      trial_(trial),
      plugin_(link, trial.unloads),
      calls_(link),
      readers_(link, main_, [this](const wire::Frame& frame) { return work_of(frame); }) {}

void Worker::run(std::string_view confinement) {
  const wire::Frame first = link_.read();
  const std::uint64_t request = first.header.request;
  if (const Status status = set_up(first, confinement); !status) {
    link_.done(request, GANTRY_FAILED, status.message());
    for (;;) link_.read();  // until the host closes the socket
  }
  if (trial_.kind == host::Trial::map) {
    link_.done(request, GANTRY_OK, {});
    end_trial();
  }
  main_.give(
      [this, request] { link_.done(request, plugin_.step(wire::FrameType::create, 0), {}); });
  readers_.start();
  main_.run();
}

Status Worker::set_up(const wire::Frame& first, std::string_view confinement) {
  if (first.header.type != wire::FrameType::create) {
    return Status::failed("the host did not begin with `create`");
  }
  const auto setup = wire::Setup::from(first.body);
  if (!setup) return Status::failed("the host's `create` cannot be read");
  if (Status opened = plugin_.open(*setup, confinement); !opened) return opened;
  // exit() called by a plugin ends the process here, before destructors of objects that other
  // threads use.
  ::on_exit([](int code, void*) { std::fflush(nullptr), ::_exit(code); }, nullptr);
  return Status::ok();
}

Work Worker::work_of(const wire::Frame& frame) {
  switch (frame.header.type) {
    case wire::FrameType::reply:
      link_.answer(frame);
      return {};
    case wire::FrameType::invoke: {
      gantry_call* const call = calls_.begin(frame.header.call, frame.body);
      if (call == nullptr) return {};
      return [this, call] { enter(*call); };
    }
    case wire::FrameType::cancel:
      return cancellation_of(frame);
    case wire::FrameType::nested_done:
      return calls_.started().take_answer(frame);
    default:
      main_.give(step_of(frame));
      return {};
  }
}

// A call that is marked runs its callbacks at once and on that thread: see CallTree.
Work Worker::cancellation_of(const wire::Frame& frame) {
  gantry_call* const call = calls_.find(frame.header.call);
  if (call == nullptr) return {};
  return [this, call] {
    if (call->tree.mark(contract::TreeState::cancelled)) call->tree.run_callbacks();
    calls_.drop(*call);
  };
}

// finish() may come before invoke() returns, and takes the plugin's reference with it.
void Worker::enter(gantry_call& call) {
  Calls::keep(call);
  calls_.settle(call, plugin_.invoke(call));
  calls_.drop(call);
}

Work Worker::step_of(const wire::Frame& frame) {
  wire::BodyReader body(frame.body);
  const wire::FrameType step = frame.header.type;
  const auto deadline = step == wire::FrameType::stop ? body.number<std::uint64_t>() : 0;
  return [this, step, deadline, request = frame.header.request] {
    link_.done(request, plugin_.step(step, deadline), {});
    if (step == wire::FrameType::destroy && trial_.kind != host::Trial::none) end_trial();
  };
}

void Worker::end_trial() {
  plugin_.unload();
  std::fflush(nullptr);
  ::_exit(host::kTrialPassed);
}

}  // namespace gantry::worker
