#include "host/calls/nesting.hpp"

#include <algorithm>

#include "host/base/json.hpp"
#include "host/calls/answer.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/nested_end.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "sdk/contract/nested_answer.hpp"

namespace gantry::host {
namespace {

using contract::give_error;
using contract::give_part;

constexpr int kMaxDepth = 8;

gantry_status refuse(gantry_answer answer, const Status& status) {
  return give_error(answer, status.code(), failure_of(status.code()).code, status.message());
}

gantry_status refuse(gantry_answer answer, const Status& status, const NestedTarget& target) {
  if (target.error_code.empty()) return refuse(answer, status);
  return give_error(answer, status.code(), target.error_code, status.message(), target.details);
}

// The host's own answer in place of a method's.
gantry_status give_preview(gantry_call& parent, const std::string& preview, std::string_view splice,
                           gantry_answer answer) {
  if (splice == "json") return parent.output.json_raw(preview);
  give_part(answer, "json", preview);
  return GANTRY_OK;
}

gantry_status cancel_status(const gantry_call& call) {
  return call.root->client.tree.state() == TreeState::timed_out ? GANTRY_TIMED_OUT
                                                                : GANTRY_CANCELLED;
}

}  // namespace

// The event that one blocked thread waits for; outlives the wait when the provider ends later.
struct Nesting::Waiter {
  std::mutex mutex;
  std::condition_variable cv;
  bool over = false;       // the event has happened
  bool abandoned = false;  // the waiting thread has given up
  gantry_status status = GANTRY_OK;

  void signal() {
    std::lock_guard lock(mutex);
    over = true;
    cv.notify_all();
  }
};

Result<CallRef> Nesting::make(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                              NestedTarget& target) {
  if (!contract::is_complete(&what)) {
    return Status(GANTRY_MISUSE, std::string(contract::kSizeNotSet));
  }
  if (parent.root->client.tree.is_cancelled())
    return Status(cancel_status(parent), "the call is over");
  if (parent.nested.depth + 1 > kMaxDepth) {
    return Status(GANTRY_BUSY, "calls are nested " + std::to_string(kMaxDepth) + " deep already");
  }
  if (Status no = find_nested(host, parent, what, target); !no) return no;
  const Item& item = *target.item;
  CallRef child = CallRef::adopt(slab_.take());
  child->engine = parent.engine;
  child->root = parent.root;
  child->nested.parent = CallRef::share(&parent).release();
  child->nested.depth = parent.nested.depth + 1;
  child->target.snapshot = parent.target.snapshot;
  child->target.plugin = item.plugin;
  child->target.item = &item;
  child->target.kind = contract::find_kind(item.spec.kind);
  child->target.name = item.spec.key();
  child->agent.profile = std::move(target.agent);
  child->arguments.assign(what.arguments.size > 0 ? view(what.arguments) : "{}");
  child->deadline = parent.deadline;
  child->nested.began = std::chrono::steady_clock::now();
  const bool is_service = child->target.kind->in(contract::kService);
  child->output.reset(
      is_service ? Output::For::nested_service : Output::For::nested_tool,
      std::min(child->agent.profile->cap_bytes.value_or(max_answer_bytes_), max_answer_bytes_));
  return child;
}

gantry_status Nesting::invoke(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                              std::string_view splice, gantry_answer answer) {
  NestedTarget target;
  auto made = make(host, parent, what, target);
  if (!made) return refuse(answer, made.status(), target);
  if (!target.preview.empty()) return give_preview(parent, target.preview, splice, answer);
  const CallRef child = std::move(*made);
  if (!splice.empty()) {
    child->nested.splice_into = &parent;
    child->nested.splice_part = splice;
    if (!child->target.plugin->builtin()) child->root->client.tainted = true;
  }
  if (const gantry_status s = wait_for_replacement(*child); s < 0) {
    return refuse(answer, {s, "'" + child->target.plugin->manifest().name +
                                  "' was being replaced and did not come back in time"});
  }
  auto waiter = std::make_shared<Waiter>();
  child->nested.ended = [waiter](gantry_call&, gantry_status status) {
    waiter->status = status;
    waiter->signal();
  };
  Instance& provider = *child->target.plugin;
  const bool strand = !provider.manifest().reentrant;
  if (strand) {
    std::string chain;
    if (would_deadlock(*child->root, provider, chain)) {
      return refuse(answer, {GANTRY_BUSY, "this call waits for itself: " + chain});
    }
    if (const gantry_status s = wait_for_strand(*child); s < 0) {
      return refuse(answer,
                    {s, "the call ended while it waited for '" + provider.manifest().name + "'"});
    }
  }
  runner_.run(*child, child->target.item->spec.blocking);
  if (strand) Runner::leave_strand(provider);
  if (const gantry_status s = wait_for_end(*child->root, *waiter); s < 0) {
    return refuse(answer,
                  {s, "the call ended while it waited for '" + provider.manifest().name + "'"});
  }
  return deliver(*child, waiter->status, answer);
}

// Waits for the provider's end or this call tree's, whichever comes first.
gantry_status Nesting::wait_for_end(gantry_call& root, Waiter& waiter) {
  std::unique_lock lock(waiter.mutex);
  if (waiter.over) return GANTRY_OK;
  lock.unlock();
  Pool::Waiting waiting(runner_.pool());
  root.client.tree.on_cancel(
      &waiter,
      [](void* context) {
        auto* const waited = static_cast<Waiter*>(context);
        // Under the lock, so that it cannot come between the check and the wait.
        const std::lock_guard locked(waited->mutex);
        waited->cv.notify_all();
      },
      &waiter);
  lock.lock();
  waiter.cv.wait(lock, [&] { return waiter.over || root.client.tree.is_cancelled(); });
  const bool over = waiter.over;
  lock.unlock();
  root.client.tree.forget(&waiter);
  return over ? GANTRY_OK : cancel_status(root);
}

// On GANTRY_OK the strand of the child's plugin is owned.
gantry_status Nesting::wait_for_strand(gantry_call& child) {
  Instance& provider = *child.target.plugin;
  auto waiter = std::make_shared<Waiter>();
  const InstancePtr keep = child.target.plugin;
  const auto granted = [waiter, keep] {
    std::unique_lock lock(waiter->mutex);
    if (waiter->abandoned) {
      lock.unlock();
      Runner::leave_strand(*keep);
      return;
    }
    waiter->over = true;
    waiter->cv.notify_all();
  };
  gantry_status result = GANTRY_OK;
  if (!provider.strand().enter(child.root, child.root->client.group, granted)) {
    result = wait_for_end(*child.root, *waiter);
    std::lock_guard lock(waiter->mutex);
    if (result < 0 && waiter->over) {
      result = GANTRY_OK;  // the strand was granted after the wait had ended
    } else if (result < 0) {
      waiter->abandoned = true;
    }
  }
  std::lock_guard lock(waits_mutex_);
  waits_.erase(child.root);
  return result;
}

// Records that this tree is about to wait for `wanted`, then follows the wait-for graph. If that
// leads back to this tree, nothing is recorded and `chain` names the plugins on the cycle.
bool Nesting::would_deadlock(gantry_call& root, Instance& wanted, std::string& chain) {
  std::lock_guard lock(waits_mutex_);
  Instance* next = &wanted;
  chain = wanted.manifest().name;
  for (std::size_t steps = 0; steps <= waits_.size(); ++steps) {
    const void* owner = next->strand().owner();
    if (owner == nullptr) break;
    if (owner == &root) return true;
    const auto it = waits_.find(static_cast<const gantry_call*>(owner));
    if (it == waits_.end()) break;
    next = it->second;
    chain += " -> " + next->manifest().name;
  }
  waits_[&root] = &wanted;
  return false;
}

gantry_status Nesting::start(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                             gantry_answer answer, void (*done)(void*, gantry_status),
                             void* context) {
  NestedTarget target;
  auto made = make(host, parent, what, target);
  if (!made) return refuse(answer, made.status(), target);
  if (!target.preview.empty()) {
    done(context, give_preview(parent, target.preview, {}, answer));
    return GANTRY_OK;
  }
  CallRef child = std::move(*made);
  child->nested.calls_back = true;
  child->nested.ended = [answer, done, context](gantry_call& ended, gantry_status status) {
    done(context, deliver(ended, status, answer));
  };
  if (runner_.hold(child)) return GANTRY_OK;
  if (child->target.plugin->manifest().reentrant) {
    runner_.run(*child, child->target.item->spec.blocking);
    return GANTRY_OK;
  }
  if (child->target.plugin->strand().owner() == child->root) {
    return refuse(answer, {GANTRY_BUSY, "'" + child->target.plugin->manifest().name +
                                            "' is not re-entrant and already in this call"});
  }
  runner_.take_strand_or_queue(std::move(child));
  return GANTRY_OK;
}

// Blocks; on GANTRY_OK the child's plugin may be entered.
gantry_status Nesting::wait_for_replacement(gantry_call& child) {
  auto waiter = std::make_shared<Waiter>();
  auto instead = std::make_shared<InstancePtr>();
  const bool held = child.target.plugin->hold([waiter, instead](InstancePtr there) {
    *instead = std::move(there);
    waiter->signal();
  });
  if (!held) return GANTRY_OK;
  if (const gantry_status s = wait_for_end(*child.root, *waiter); s < 0) return s;
  if (!*instead) return GANTRY_FAILED;
  child.target.plugin = std::move(*instead);
  return GANTRY_OK;
}

}  // namespace gantry::host
