// The threads that take turns in reading, and how calls end.
#include <system_error>
#include <thread>

#include "worker.hpp"

namespace gantry::worker {

namespace {

using Phase = gantry_call::Phase;

}  // namespace

void Worker::serve() {
  for (;;) {
    const Work work = next_work();
    work();
    ++waiting_readers_;
  }
}

Worker::Work Worker::next_work() {
  const std::lock_guard reading(reading_mutex_);
  --waiting_readers_;
  for (;;) {
    Work work = work_of(link_.read());
    if (!work) continue;
    if (waiting_readers_ > 0 || add_reader()) return work;
    give_to_main(std::move(work));  // slower, but reading continues
  }
}

// False: the process may not start another thread.
bool Worker::add_reader() {
  ++waiting_readers_;
  try {
    std::thread([this] { serve(); }).detach();
  } catch (const std::system_error&) {
    --waiting_readers_;
    return false;
  }
  return true;
}

Worker::Work Worker::work_of(const wire::Frame& frame) {
  switch (frame.header.type) {
    case wire::FrameType::reply:
      link_.answer(frame);
      return {};
    case wire::FrameType::invoke: {
      gantry_call* const call = calls_.begin(*this, frame.header.call, frame.body);
      if (call == nullptr) return {};
      return [this, call] { enter(*call); };
    }
    case wire::FrameType::cancel: {
      gantry_call* const call = calls_.find(frame.header.call);
      if (call == nullptr) return {};
      // A call that is marked runs its callbacks at once and on that thread: see CallTree.
      return [this, call] {
        if (call->tree.mark(host::TreeState::cancelled)) call->tree.run_callbacks();
        calls_.drop(*call);
      };
    }
    case wire::FrameType::nested_done:
      return started_done(frame);
    default:
      give_to_main(step_of(frame));
      return {};
  }
}

Worker::Work Worker::started_done(const wire::Frame& frame) {
  Started started{};
  {
    std::lock_guard lock(started_mutex_);
    const auto it = started_.find(frame.header.request);
    if (it == started_.end()) return {};
    started = it->second;
    started_.erase(it);
  }
  return [started, bytes = std::string(frame.body)] {
    wire::BodyReader body(bytes);
    const auto status = body.number<gantry_status>();
    if (const auto parts = wire::parts_from(body); parts && started.answer.part != nullptr) {
      for (const auto& [type, text] : *parts) {
        started.answer.part(started.answer.context, bytes_of(type), bytes_of(text));
      }
    }
    started.done(started.context, status);
  };
}

// invoke() has returned `status`. The caller holds a reference of its own.
void Worker::settle(gantry_call& call, gantry_status status) {
  Phase expected = Phase::entered;
  const Phase next = status == GANTRY_PENDING ? Phase::pending : Phase::ended;
  const bool first = call.phase.compare_exchange_strong(expected, next);
  if (first && next == Phase::ended) {
    end(call, wire::FrameType::returned, status);
    calls_.drop(call);  // the plugin's reference
    return;
  }
  wire::FrameWriter frame(wire::FrameType::returned, call.id);
  frame.number(status);
  link_.send(frame);
}

gantry_status Worker::finish(gantry_call& call, gantry_status status) {
  // From `entered` it may become `pending` at any moment: invoke() returns on another thread.
  Phase now = call.phase.load();
  do {
    if (now != Phase::entered && now != Phase::pending) return GANTRY_MISUSE;
  } while (!call.phase.compare_exchange_weak(now, Phase::ended));
  end(call, wire::FrameType::finish, status);
  calls_.drop(call);
  return GANTRY_OK;
}

// The plugin is done with the call; its phase is `ended`.
void Worker::end(gantry_call& call, wire::FrameType how, gantry_status status) {
  call.tree.forget(&call);
  calls_.forget(call);
  wire::FrameWriter frame(how, call.id);
  frame.number(status).raw(call.writes);
  link_.send(frame);
}

}  // namespace gantry::worker
