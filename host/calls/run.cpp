// How a call gets into its plugin and out again: queue, strand, invoke, settle, end.
#include <cmath>

#include "host/calls/engine.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {

using Phase = gantry_call::Phase;

namespace {

// What a client sees of one call must grow, yet the heartbeat's seconds and the plugin's own scale
// have nothing to do with each other. When the first value of its own would go back, all of them
// are moved up beyond the last heartbeat, the total with them: what is left to do stays true.
double offset_after(double heartbeat, double first) {
  constexpr double kStep = 0.001;
  if (heartbeat < 0 || first > heartbeat) return 0;
  return first > 0 ? heartbeat : heartbeat - first + kStep;
}

}  // namespace

void Engine::queue(CallRef call) {
  const GroupId group = call->root->group;
  pool_.post(group, [this, raw = call.release()] { run_queued(raw); });
}

void Engine::run_queued(gantry_call* adopted) {
  CallRef call = CallRef::adopt(adopted);
  if (held(call)) return;
  if (call->plugin->manifest().reentrant) {
    enter(*call);
  } else {
    take_strand_or_queue(std::move(call));
  }
}

void Engine::take_strand_or_queue(CallRef call) {
  Instance& plugin = *call->plugin;
  gantry_call* raw = CallRef(call).release();  // the strand's reference, if it is queued there
  const GroupId group = call->root->group;
  const auto later = [this, raw, group] {
    pool_.post(group, [this, raw] {
      CallRef mine = CallRef::adopt(raw);
      const InstancePtr keep = mine->plugin;
      enter(*mine);
      leave_strand(*keep);
    });
  };
  if (!plugin.strand().enter(call->root, group, later)) return;
  CallRef::adopt(raw);
  const InstancePtr keep = call->plugin;
  enter(*call);
  leave_strand(*keep);
}

void Engine::leave_strand(Instance& instance) {
  if (auto next = instance.strand().leave()) (*next)();
}

// With the strand, where one is needed. A call that was answered while it waited never starts.
void Engine::enter(gantry_call& call) {
  if (call.root->tree.is_cancelled()) {
    call.phase.store(Phase::ended, std::memory_order_release);
    end(call, GANTRY_CANCELLED);
    return;
  }
  run_plugin(call, call.item != nullptr && call.item->spec.blocking);
}

// Takes two references: the plugin's, held until the call ends, and one for the thread that enters
// the plugin, because finish() may run before invoke() returns.
CallRef Engine::hand_over(gantry_call& call) {
  if (call.item != nullptr) metrics_.plugin_called(call.plugin->manifest().name);
  CallRef::share(&call).release();
  call.phase.store(Phase::entered, std::memory_order_release);
  return CallRef::share(&call);
}

void Engine::run_plugin(gantry_call& call, bool blocking) {
  const CallRef running = hand_over(call);
  gantry_status status = GANTRY_FAILED;
  if (blocking) {
    Pool::Waiting waiting(pool_);
    status = call.plugin->invoke(call.kind, call.name, &call);
  } else {
    status = call.plugin->invoke(call.kind, call.name, &call);
  }
  settle(call, status);
}

void Engine::settle(gantry_call& call, gantry_status status) {
  Phase expected = Phase::entered;
  const Phase next = status == GANTRY_PENDING ? Phase::pending : Phase::ended;
  if (!call.phase.compare_exchange_strong(expected, next)) {
    if (status != GANTRY_PENDING) fault(call, "called finish() and did not return GANTRY_PENDING");
    return;
  }
  if (next == Phase::pending) return;
  end(call, status);
  CallRef::adopt(&call);  // the plugin's reference
}

gantry_status Engine::finish(gantry_call& call, gantry_status status) {
  // From `entered` it may become `pending` at any moment: invoke() returns on another thread.
  Phase now = call.phase.load();
  do {
    if (now != Phase::entered && now != Phase::pending) return GANTRY_MISUSE;
  } while (!call.phase.compare_exchange_weak(now, Phase::ended));
  end(call, status == GANTRY_PENDING ? GANTRY_FAILED : status);
  CallRef::adopt(&call);
  return GANTRY_OK;
}

// The plugin is done with the call; its phase is `ended`.
void Engine::end(gantry_call& call, gantry_status status) {
  call.root->tree.forget(&call);
  if (call.root != &call || call.nested.ended) {
    if (auto ended = std::move(call.nested.ended)) ended(call, status);
    return;
  }
  parties_.leave(call.group);
  if (call.abandonment.exchange(gantry_call::Abandonment::ended) ==
      gantry_call::Abandonment::counted) {
    call.plugin->abandoned_calls()->fetch_sub(1);
  }
  bool unanswered = false;
  {
    std::lock_guard lock(call.listener_mutex);
    unanswered = !call.answered;
  }
  if (unanswered) answer(call, answer_of(call, status));
  unwatch(call);  // last: drain() is over when nothing is watched
}

bool Engine::answer(gantry_call& root, ItemAnswer&& with, TreeState tree) {
  std::shared_ptr<CallListener> listener;
  {
    std::lock_guard lock(root.listener_mutex);
    if (root.answered) return false;
    root.answered = true;
    listener = std::move(root.listener);
    // Before the client hears of it: what is told to be cancelled does not start any more.
    if (tree != TreeState::active) root.tree.mark(tree);
  }
  with.ran = root.phase.load(std::memory_order_acquire) != Phase::free;
  // At once, and before anything that takes time: a plugin that polls would end its call first.
  if (tree != TreeState::active) {
    const Phase now = root.phase.load(std::memory_order_acquire);
    if (now == Phase::entered || now == Phase::pending) abandon(root);
    root.tree.run_callbacks();
  }
  if (listener) listener->done(std::move(with));
  return true;
}

// Races with end(): the exchange on `abandonment` makes exactly one side undo the count.
void Engine::abandon(gantry_call& root) {
  metrics_.call_abandoned();
  const Instance::CallCount count = root.plugin->abandoned_calls();
  count->fetch_add(1);
  auto none = gantry_call::Abandonment::none;
  if (root.abandonment.compare_exchange_strong(none, gantry_call::Abandonment::counted)) return;
  count->fetch_sub(1);
}

void Engine::cancel(gantry_call& root, TreeState how, ItemAnswer&& with) {
  answer(root, std::move(with), how);
}

Alarm::Time Engine::next_ring(const gantry_call& call) const {
  const Alarm::Time deadline = time_of(call.deadline);
  if (!call.wants_progress || call.task || limits_.heartbeat.count() <= 0) return deadline;
  return std::min(deadline, std::chrono::steady_clock::now() + limits_.heartbeat);
}

// The alarm's thread: the deadline has come, or it is time for a heartbeat.
Alarm::Time Engine::ring(gantry_call& raw) {
  CallRef call = CallRef::share(&raw);
  const auto now = std::chrono::steady_clock::now();
  if (now >= time_of(call->deadline)) {
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
        time_of(call->deadline) - call->started);
    ItemAnswer late;
    late.kind = ItemAnswer::Kind::error;
    late.error_code = "timeout";
    late.message = "The " + named(call->kind, call->name) + " did not finish within " +
                   std::to_string(limit.count()) + " ms";
    late.error_fits_schema = error_fits(*call->item, late);
    cancel(*call, TreeState::timed_out, std::move(late));
    return Alarm::Time::max();
  }
  std::lock_guard lock(call->listener_mutex);
  if (call->answered) return Alarm::Time::max();
  if (call->tool_reported || call->task || !call->wants_progress) return time_of(call->deadline);
  call->last_progress = std::chrono::duration<double>(now - call->started).count();
  call->listener->progress(call->last_progress, 0, "");
  return next_ring(*call);
}

gantry_status Engine::report_progress(gantry_call& call, double done, double total,
                                      std::string_view note) {
  gantry_call& root = *call.root;
  std::lock_guard lock(root.listener_mutex);
  if (root.answered || !std::isfinite(done)) return GANTRY_OK;
  if (!root.wants_progress && !root.task) return GANTRY_OK;
  if (!root.tool_reported) {
    root.tool_reported = true;
    root.progress_offset = offset_after(root.last_progress, done);
  }
  const double shown = done + root.progress_offset;
  if (!(shown > root.last_progress)) return GANTRY_OK;
  root.last_progress = shown;
  const bool has_end = std::isfinite(total) && total > 0;
  root.listener->progress(shown, has_end ? total + root.progress_offset : 0, note);
  return GANTRY_OK;
}

gantry_status Engine::report_log(gantry_call& call, int level, std::string_view text) {
  gantry_call& root = *call.root;
  std::lock_guard lock(root.listener_mutex);
  if (root.answered || root.task || level > root.log_level) return GANTRY_OK;
  constexpr std::size_t kMaxLog = 16u << 10;
  root.listener->log(level, call.plugin->manifest().name, text.substr(0, kMaxLog));
  return GANTRY_OK;
}

Status Engine::self_check(InstancePtr instance, std::chrono::milliseconds limit) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable cv;
    std::optional<Status> status;
  };
  auto shared = std::make_shared<Shared>();
  CallRef call = CallRef::adopt(slab_.take());
  call->engine = this;
  call->root = call.get();
  call->snapshot = registry_.snapshot();
  call->plugin = std::move(instance);
  call->kind = "self_check";
  call->name = "";
  call->agent = std::make_shared<const Agent>();
  call->arguments = "{}";
  call->started = std::chrono::steady_clock::now();
  call->deadline = deadline_from(call->started + limit);
  call->output.reset(Output::For::nested_tool, limits_.max_answer_bytes);
  call->nested.ended = [shared](gantry_call& ended, gantry_status status) {
    std::lock_guard lock(shared->mutex);
    const Output::Failure& failure = ended.output.failure();
    shared->status = status >= 0 && !ended.output.failed()
                         ? Status::ok()
                         : Status(status < 0 ? status : GANTRY_FAILED,
                                  ended.output.failed() ? failure.message : std::string());
    shared->cv.notify_all();
  };
  run_plugin(*call, false);
  std::unique_lock lock(shared->mutex);
  if (!shared->cv.wait_for(lock, limit, [&] { return shared->status.has_value(); })) {
    lock.unlock();
    if (call->tree.mark(TreeState::timed_out)) call->tree.run_callbacks();
    return {GANTRY_TIMED_OUT,
            "the self-check did not finish within " + std::to_string(limit.count()) + " ms"};
  }
  return *shared->status;
}

}  // namespace gantry::host
