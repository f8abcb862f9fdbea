#include "host/calls/engine.hpp"

#include <algorithm>
#include <limits>

#include <rapidjson/document.h>

#include "host/approvals/policy.hpp"
#include "host/calls/approval_check.hpp"
#include "host/calls/error_answer.hpp"
#include "host/calls/kinds.hpp"
#include "host/calls/methods.hpp"
#include "host/calls/tables.hpp"

namespace gantry::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMostAway = 1024;

// `extra`: most further threads, each in place of one that waits.
PoolSize pool_size(const CallLimits& limits, unsigned extra) {
  const unsigned threads = limits.pool_threads > 0
                               ? limits.pool_threads
                               : std::max(4u, 2 * std::thread::hardware_concurrency());
  return {.threads = threads, .extra = extra, .relief = limits.blocking_threads};
}

class Handle final : public CallHandle {
 public:
  Handle(Answers& answers, CallRef call) : answers_(answers), call_(std::move(call)) {}

  void cancel(CancelReason reason) override {
    ItemAnswer cancelled = cancelled_answer(reason);
    cancelled.error_fits_schema = error_fits(call_->target.item->output.get(), cancelled);
    answers_.give(*call_, std::move(cancelled), TreeState::cancelled);
  }

 private:
  Answers& answers_;
  CallRef call_;
};

// The argument "uri" of a resource's read; without one, the item's own URI.
std::string uri_of(const ItemCall& request, const Item& item) {
  rapidjson::Document arguments;
  arguments.Parse<rapidjson::kParseIterativeFlag>(request.arguments.data(),
                                                  request.arguments.size());
  if (!arguments.HasParseError() && arguments.IsObject()) {
    const auto uri = arguments.FindMember("uri");
    if (uri != arguments.MemberEnd() && uri->value.IsString()) {
      return {uri->value.GetString(), uri->value.GetStringLength()};
    }
  }
  return item.spec.uri;
}

// The method that the call names, with the text `fitting` for its arguments unless that is empty.
const Item* method_of(const ItemCall& request, const std::string& fitting) {
  if (!fitting.empty()) return named_method(*request.snapshot, *request.item, fitting);
  if (request.parsed == nullptr) return nullptr;
  return named_method(*request.snapshot, *request.item, *request.parsed);
}

ItemAnswer internal_answer() {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::internal;
  return answer;
}

}  // namespace

std::unique_ptr<Calls> Calls::create(Registry& registry, Bus& bus, Metrics& metrics,
                                     CallLimits limits, FaultLog faults) {
  return std::make_unique<Engine>(registry, bus, metrics, limits, std::move(faults));
}

Engine::Engine(Registry& registry, Bus& bus, Metrics& metrics, CallLimits limits, FaultLog faults)
    : registry_(registry),
      events_(registry, bus),
      admission_(limits.max_running > 0 ? limits.max_running : std::numeric_limits<int>::max(),
                 limits.strict_arguments, limits.open_gates),
      answers_(metrics, std::move(faults), limits.max_answer_bytes),
      deadlines_(answers_, limits.heartbeat),
      nesting_(runner_, slab_, limits.max_answer_bytes),
      runner_(metrics, admission_, answers_, deadlines_, slab_,
              pool_size(limits, limits.blocking_threads)),
      away_(pool_size(limits, kMostAway), [] { Registry::release_cached(); }) {}

Engine::~Engine() = default;

bool Engine::lists(const Snapshot& snapshot, const Agent& agent, const Item& item) const {
  if (admission_.denied(agent, item)) return false;
  if (!is_call_method(item.spec)) return true;
  return std::any_of(snapshot.methods.begin(), snapshot.methods.end(), [&](const ItemPtr& method) {
    return !admission_.denied(agent, *method).has_value();
  });
}

std::shared_ptr<CallHandle> Engine::start(const ItemCall& request,
                                          std::shared_ptr<CallListener> listener) {
  try {
    std::string fitting;
    if (auto refused = admission_.refusal(request, fitting)) {
      listener->done(std::move(*refused));
      return nullptr;
    }
    if (auto waits = unapproved(request, fitting)) {
      listener->done(std::move(*waits));
      return nullptr;
    }
    const auto group = admission_.enter(request);
    if (!group) {
      ItemAnswer busy;
      busy.kind = ItemAnswer::Kind::busy;
      listener->done(std::move(busy));
      return nullptr;
    }
    CallRef call = make_root(request, *group, listener);
    call->target.method = method_of(request, fitting);
    if (!fitting.empty()) call->arguments = std::move(fitting);
    listener.reset();  // answered through the call from here on
    const bool inline_run = Runner::runs_inline(*request.item);
    if (inline_run) runner_.run_inline(*call, *request.item);
    if (!deadlines_.watch(*call)) return nullptr;  // it has ended already
    if (!inline_run) runner_.queue(CallRef(call));
    return std::make_shared<Handle>(answers_, std::move(call));
  } catch (...) {
    if (listener) listener->done(internal_answer());
    return nullptr;
  }
}

// Owns the place in `group`: returns it if the call cannot be allocated.
CallRef Engine::make_root(const ItemCall& request, GroupId group,
                          std::shared_ptr<CallListener> listener) try {
  const Item& item = *request.item;
  CallRef call = CallRef::adopt(slab_.take());
  call->engine = this;
  call->root = call.get();
  ClientCall& client = call->client;
  client.group = group;
  call->target.snapshot = request.snapshot;
  call->target.plugin = item.plugin;
  call->target.item = &item;
  const ItemKind& kind = kind_of(request.kind, &item);
  const Output::For output = output_of(kind);
  call->target.kind = &kind;
  call->target.name = item.spec.key();
  call->agent.profile = request.agent;
  call->arguments.assign(request.arguments.empty() ? "{}" : request.arguments);
  client.request.protocol.assign(request.protocol);
  client.request.correlation_id.assign(request.correlation_id);
  client.request.is_traced = request.is_traced;
  client.request.wants_progress = request.wants_progress;
  client.request.log_level = request.log_level.value_or(-1);
  client.request.inputs = request.inputs;
  client.request.pass = request.pass;
  client.delivery.task = request.is_task;
  client.delivery.listener = std::move(listener);
  client.started = Clock::now();
  const auto own_time = std::chrono::duration_cast<std::chrono::milliseconds>(item.spec.timeout);
  const bool is_shorter = request.most_time.count() > 0 && request.most_time < own_time;
  call->deadline = deadline_from(client.started + (is_shorter ? request.most_time : own_time));
  const std::size_t most = request.agent->cap_bytes.value_or(answers_.max_bytes());
  call->output.reset(output, std::min(most, answers_.max_bytes()),
                     output == Output::For::client_entries ? uri_of(request, item) : std::string());
  return call;
} catch (...) {
  admission_.leave(group);
  throw;
}

bool Engine::drain(std::chrono::milliseconds grace) {
  admission_.close();
  constexpr auto kAfterCancel = std::chrono::seconds(2);
  if (deadlines_.wait_until_none(grace)) return true;
  for (CallRef& call : deadlines_.watched()) {
    Handle(answers_, std::move(call)).cancel(CancelReason::session_terminated);
  }
  runner_.pool().flush();  // so that a call cancelled in the queue releases its plugin
  return deadlines_.wait_until_none(kAfterCancel);
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
  call->target.snapshot = registry_.snapshot();
  call->target.plugin = std::move(instance);
  call->target.kind = contract::find_kind("self_check");
  call->target.name = "";
  call->agent.profile = std::make_shared<const Agent>();
  call->arguments = "{}";
  call->client.started = std::chrono::steady_clock::now();
  call->deadline = deadline_from(call->client.started + limit);
  call->output.reset(Output::For::nested_tool, answers_.max_bytes());
  call->nested.ended = [shared](gantry_call& ended, gantry_status status) {
    std::lock_guard lock(shared->mutex);
    const Output::Failure& failure = ended.output.failure();
    shared->status = status >= 0 && !ended.output.failed()
                         ? Status::ok()
                         : Status(status < 0 ? status : GANTRY_FAILED,
                                  ended.output.failed() ? failure.message : std::string());
    shared->cv.notify_all();
  };
  runner_.run(*call, false);
  std::unique_lock lock(shared->mutex);
  if (!shared->cv.wait_for(lock, limit, [&] { return shared->status.has_value(); })) {
    lock.unlock();
    if (call->client.tree.mark(TreeState::timed_out)) call->client.tree.run_callbacks();
    return {GANTRY_TIMED_OUT,
            "the self-check did not finish within " + std::to_string(limit.count()) + " ms"};
  }
  return *shared->status;
}

const void* Engine::service(std::string_view id) const {
  if (id == GANTRY_CALL_SERVICE) return &call_table();
  if (id == GANTRY_INVOKE_SERVICE) return &invoke_table();
  if (id == GANTRY_CONFIG_SERVICE) return &config_table();
  if (id == GANTRY_SECRET_SERVICE) return &secret_table();
  if (id == GANTRY_CATALOG_SERVICE) return &catalog_table();
  if (id == GANTRY_INPUT_SERVICE) return &input_table();
  if (id == GANTRY_TASK_SERVICE) return &task_table();
  if (id == GANTRY_EVENTS_SERVICE) return &events_table();
  return nullptr;
}

Status Engine::offer(Instance& instance, std::string_view items_json) {
  auto items = parse_items(items_json, instance.manifest());
  if (!items) return items.status();
  return registry_.set_offer(instance, std::move(*items));
}

WorkerCallInfo Engine::call_info(const gantry_call& call) {
  WorkerCallInfo info{call.output.room(), call.nested.parent != nullptr, call.nested.calls_back,
                      call.root->client.group};
  const gantry_call* const into = call.nested.splice_into;
  if (into != nullptr) info.room = std::min(info.room, into->output.room());
  return info;
}

bool Engine::post(const gantry_call* call, std::function<void()> work) {
  away_.post(call != nullptr ? call->root->client.group : 0, std::move(work));
  return true;
}

void Engine::blocking(const std::function<void()>& wait) {
  Pool::Waiting waiting(runner_.pool());
  wait();
}

}  // namespace gantry::host
