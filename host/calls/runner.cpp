#include "host/calls/runner.hpp"

#include <algorithm>

#include "host/calls/methods.hpp"
#include "host/calls/redaction.hpp"

namespace gantry::host {

using contract::CallState;

namespace {

// Writers wait for one another, so those of a group share threads with its readers as another
// group does.
GroupId share_of(const gantry_call& call) {
  constexpr GroupId kWriting = GroupId{1} << 63U;
  const bool writes = tier_of(call.root->target) != Tier::readonly;
  return call.root->client.group | (writes ? kWriting : 0);
}

}  // namespace

Runner::Runner(Metrics& metrics, Admission& admission, Answers& answers, Deadlines& deadlines,
               CallSlab& slab, PoolSize size)
    : metrics_(metrics),
      admission_(admission),
      answers_(answers),
      deadlines_(deadlines),
      slab_(slab),
      pool_(size, [] { Registry::release_cached(); }) {}

void Runner::queue(CallRef call) {
  const GroupId group = share_of(*call);
  pool_.post(group, [this, raw = call.release()] { run_queued(raw); });
}

void Runner::run_queued(gantry_call* adopted) {
  CallRef call = CallRef::adopt(adopted);
  if (hold(call)) return;
  if (call->target.plugin->manifest().reentrant) {
    enter(*call);
  } else {
    take_strand_or_queue(std::move(call));
  }
}

void Runner::take_strand_or_queue(CallRef call) {
  Instance& plugin = *call->target.plugin;
  gantry_call* raw = CallRef(call).release();  // the strand's reference, if it is queued there
  const GroupId group = share_of(*call);
  const auto later = [this, raw, group] {
    pool_.post(group, [this, raw] {
      CallRef mine = CallRef::adopt(raw);
      const InstancePtr keep = mine->target.plugin;
      enter(*mine);
      leave_strand(*keep);
    });
  };
  if (!plugin.strand().enter(call->root, group, later)) return;
  CallRef::adopt(raw);
  const InstancePtr keep = call->target.plugin;
  enter(*call);
  leave_strand(*keep);
}

void Runner::leave_strand(Instance& instance) {
  if (auto next = instance.strand().leave()) (*next)();
}

// Requires the strand of a plugin that is not re-entrant. A call that was cancelled while it waited
// never starts.
void Runner::enter(gantry_call& call) {
  if (call.root->client.tree.is_cancelled()) {
    call.state.end_outside();
    end(call, GANTRY_CANCELLED);
    return;
  }
  run(call, call.target.item != nullptr && call.target.item->spec.blocking);
}

// Takes two references: the plugin's, held until the call ends, and one for the thread that enters
// the plugin, because finish() may run before invoke() returns.
CallRef Runner::hand_over(gantry_call& call) {
  if (call.target.item != nullptr) metrics_.plugin_called(call.target.plugin->manifest().name);
  CallRef::share(&call).release();
  call.state.enter();
  return CallRef::share(&call);
}

void Runner::run(gantry_call& call, bool blocking) {
  const CallRef running = hand_over(call);
  gantry_status status = GANTRY_FAILED;
  if (blocking) {
    Pool::Waiting waiting(pool_);
    status = call.target.plugin->invoke(call.target.kind->name, call.target.name, &call);
  } else {
    status = call.target.plugin->invoke(call.target.kind->name, call.target.name, &call);
  }
  settle(call, status);
}

void Runner::settle(gantry_call& call, gantry_status status) {
  const CallState::Return how = call.state.left(status);
  if (how == CallState::Return::misuse) answers_.fault(call, contract::kFinishedAndReturned);
  if (how != CallState::Return::ends) return;
  end(call, status);
  CallRef::adopt(&call);  // the plugin's reference
}

gantry_status Runner::finish(gantry_call& call, gantry_status status) {
  if (!call.state.finish()) return GANTRY_MISUSE;
  end(call, status == GANTRY_PENDING ? GANTRY_FAILED : status);
  CallRef::adopt(&call);
  return GANTRY_OK;
}

// Runs once per call, after its state is over.
void Runner::end(gantry_call& call, gantry_status status) {
  call.root->client.tree.forget(&call);
  if (call.root != &call || call.nested.ended) {
    if (auto ended = std::move(call.nested.ended)) ended(call, status);
    return;
  }
  if (needs_redaction(call)) {
    return redact(std::make_shared<Redaction>(CallRef::share(&call)), status);
  }
  end_root(call, status);
}

// Each text of the answer goes through the service on the pool: the thread that ended the call may
// be one that reads for others.
void Runner::redact(const std::shared_ptr<Redaction>& answer, gantry_status status) {
  CallRef check = answer->next(slab_);
  if (!check) return end_root(answer->root(), status);
  check->nested.ended = [this, answer, status](gantry_call& ended, gantry_status how) {
    if (answer->take(ended, how)) return redact(answer, status);
    gantry_call& root = answer->root();
    if (!root.client.tree.is_cancelled()) {
      answers_.fault(ended, "the answer of another plugin could not be redacted");
    }
    root.output.fail("internal_error", "Internal error", "");
    end_root(root, GANTRY_FAILED);
  };
  queue(std::move(check));
}

void Runner::end_root(gantry_call& call, gantry_status status) {
  admission_.leave(call.client.group);
  if (call.client.abandonment.exchange(ClientCall::Abandonment::ended) ==
      ClientCall::Abandonment::counted) {
    call.target.plugin->abandoned_calls()->fetch_sub(1);
  }
  answers_.give_written(call, status);
  deadlines_.unwatch(call);  // last: drain() returns when no call is watched
}

// For a plugin in a worker, entering only sends a frame, however long the tool then runs there.
bool Runner::runs_inline(const Item& item) {
  const Manifest& plugin = item.plugin->manifest();
  return (item.spec.non_blocking || item.plugin->in_worker()) && plugin.reentrant &&
         !plugin.exclusive && !item.latency_guard->is_too_much();
}

void Runner::run_inline(gantry_call& call, const Item& item) {
  const CallRef running = hand_over(call);
  const InlineLatencyGuard::Sample stretch(*item.latency_guard);
  const gantry_status status =
      call.target.plugin->invoke(call.target.kind->name, call.target.name, &call);
  // Counted before settle() sends the answer, because sending is not the tool's time.
  if (!call.target.plugin->in_worker() && item.latency_guard->count(stretch.took())) {
    answers_.fault(call,
                   "it is flagged non_blocking but took over 1 ms three times; it runs on the pool "
                   "now");
  }
  settle(call, status);
}

bool Runner::hold(const CallRef& call) {
  gantry_call* const raw = CallRef(call).release();
  const InstancePtr keep = call->target.plugin;
  const bool held = keep->hold(
      [this, raw](InstancePtr instead) { go_on(CallRef::adopt(raw), std::move(instead)); });
  if (!held) CallRef::adopt(raw);
  return held;
}

void Runner::go_on(CallRef call, InstancePtr instead) {
  const auto& pass = call->root->client.request.pass;
  const bool is_root = call.get() == call->root;
  if (instead && is_root && pass && pass->generation() != instead->generation()) {
    call->state.end_outside();
    call->output.fail(
        "approval_declined",
        "The plugin was replaced after the call was approved, so it was not run. Call "
        "the tool again",
        "");
    return end(*call, GANTRY_FAILED);
  }
  if (instead) {
    call->target.plugin = std::move(instead);
    queue(std::move(call));
    return;
  }
  call->state.end_outside();
  call->output.fail("internal_error",
                    "The plugin '" + call->target.plugin->manifest().name +
                        "' was being replaced and did not come back; ask the operator",
                    "");
  end(*call, GANTRY_FAILED);
}

}  // namespace gantry::host
