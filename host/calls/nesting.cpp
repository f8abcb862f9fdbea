#include "host/calls/nesting.hpp"

#include <algorithm>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/calls/answer.hpp"
#include "host/calls/approval_check.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/promise.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/registry/find.hpp"
#include "sdk/contract/nested_answer.hpp"

namespace gantry::host {
namespace {

using contract::give_error;
using contract::give_part;

constexpr int kMaxDepth = 8;

gantry_status refuse(gantry_answer answer, const Status& status) {
  return give_error(answer, status.code(), failure_of(status.code()).code, status.message());
}

gantry_status cancel_status(const gantry_call& call) {
  return call.root->client.tree.state() == TreeState::timed_out ? GANTRY_TIMED_OUT
                                                                : GANTRY_CANCELLED;
}

std::string joined_text(Output& output) {
  std::string text;
  for (const auto& [type, body] : output.parts()) {
    if (type == "text") text += (text.empty() ? "" : "\n") + body;
  }
  return text;
}

// Passes a finished call's answer to its caller. Returns the status that the caller gets.
gantry_status deliver(gantry_call& child, gantry_status status, gantry_answer answer) {
  Output& output = child.output;
  if (output.failed()) {
    const Output::Failure& f = output.failure();
    return give_error(answer, status < 0 ? status : GANTRY_FAILED, f.code, f.message, f.details);
  }
  if (output.overflowed()) {
    return give_error(answer, GANTRY_TOO_BIG, "invalid_argument", "The answer is too large");
  }
  if (status == GANTRY_INPUT_REQUIRED) {
    child.engine->answers().fault(child, "it returned GANTRY_INPUT_REQUIRED in a nested call");
    return give_error(answer, GANTRY_FAILED, "internal_error", "Internal error");
  }
  if (status < 0) {
    Output::Failure failure = failure_of(status);
    if (std::string text = joined_text(output); !text.empty()) failure.message = std::move(text);
    return give_error(answer, status, failure.code, failure.message);
  }
  if (child.target.kind == "tool") {
    if (const std::string wrong = broken_promise(child); !wrong.empty()) {
      child.engine->answers().fault(child, wrong);
      return give_error(answer, GANTRY_FAILED, "internal_error", "Internal error");
    }
  }
  if (!output.structured().empty()) give_part(answer, "json", output.structured());
  for (const auto& [type, body] : output.parts()) give_part(answer, type, body);
  return GANTRY_OK;
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

Result<CallRef> Nesting::make(gantry_host* host, gantry_call& parent,
                              const gantry_invocation& what) {
  if (!contract::is_complete(&what)) {
    return Status(GANTRY_MISUSE, std::string(contract::kSizeNotSet));
  }
  if (parent.root->client.tree.is_cancelled())
    return Status(cancel_status(parent), "the call is over");
  if (parent.nested.depth + 1 > kMaxDepth) {
    return Status(GANTRY_BUSY, "calls are nested " + std::to_string(kMaxDepth) + " deep already");
  }
  AgentPtr agent = parent.agent.profile;
  if (what.narrowing.size > 0) {
    auto narrowed = parent.agent.profile->narrowed(view(what.narrowing));
    if (!narrowed) return narrowed.status();
    agent = std::move(*narrowed);
  }
  const std::string_view kind = view(what.kind), name = view(what.name);
  const Item* item = nullptr;
  if (kind == "tool") {
    item = find_item(parent.target.snapshot->tool_by_name, name);
  } else if (kind == "service") {
    Instance& plugin = instance_of(host);
    if (!plugin.manifest().asks_for(name)) {
      plugin.report_undeclared(name);
      return Status::not_found("the plugin '" + plugin.manifest().name +
                               "' does not name the service '" + std::string(name) +
                               "' in its manifest: add it to \"needs\"");
    }
    item = find_item(parent.target.snapshot->service_by_name, name);
  } else {
    return Status(GANTRY_UNSUPPORTED, "kind must be 'tool' or 'service'");
  }
  if (item == nullptr) {
    return Status::not_found("no " + std::string(kind) + " '" + std::string(name) + "' is offered");
  }
  const std::string_view arguments = what.arguments.size > 0 ? view(what.arguments) : "{}";
  if (kind == "tool") {
    if (auto no = Admission::denied(*agent, *item)) return Status::denied(std::move(no->message));
    rapidjson::Document document;
    if (!parse_exact(arguments, document)) return Status::invalid("the arguments are not JSON");
    if (item->input && !item->input->validate(document)) {
      return Status::invalid(schema::explain(item->input->errors(document)));
    }
    if (Status no = unapproved_inside(*parent.root, *agent, *item, document); !no) return no;
  }
  CallRef child = CallRef::adopt(slab_.take());
  child->engine = parent.engine;
  child->root = parent.root;
  child->nested.parent = CallRef::share(&parent).release();
  child->nested.depth = parent.nested.depth + 1;
  child->target.snapshot = parent.target.snapshot;
  child->target.plugin = item->plugin;
  child->target.item = item;
  child->target.kind = item->spec.kind;
  child->target.name = item->spec.name;
  child->agent.profile = std::move(agent);
  child->arguments.assign(arguments);
  child->deadline = parent.deadline;
  child->output.reset(
      kind == "tool" ? Output::For::nested_tool : Output::For::nested_service,
      std::min(child->agent.profile->cap_bytes.value_or(max_answer_bytes_), max_answer_bytes_));
  return child;
}

gantry_status Nesting::invoke(gantry_host* host, gantry_call& parent, const gantry_invocation& what,
                              std::string_view splice, gantry_answer answer) {
  auto made = make(host, parent, what);
  if (!made) return refuse(answer, made.status());
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
      &waiter, [](void* w) { static_cast<Waiter*>(w)->cv.notify_all(); }, &waiter);
  lock.lock();
  // The timeout only covers a notify that came between the check and the wait.
  while (!waiter.over && !root.client.tree.is_cancelled()) {
    waiter.cv.wait_for(lock, std::chrono::milliseconds(50));
  }
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
  auto made = make(host, parent, what);
  if (!made) return refuse(answer, made.status());
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
