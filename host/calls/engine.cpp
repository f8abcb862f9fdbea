#include "host/calls/engine.hpp"

#include <algorithm>
#include <limits>

#include "host/calls/cancelled.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMostAway = 1024;

// `extra` threads at most in place of those that wait.
PoolSize pool_size(const CallLimits& limits, unsigned extra) {
  const unsigned threads = limits.pool_threads > 0
                               ? limits.pool_threads
                               : std::max(4u, 2 * std::thread::hardware_concurrency());
  return {.threads = threads, .extra = extra, .relief = limits.blocking_threads};
}

class Handle final : public CallHandle {
 public:
  Handle(Engine& engine, CallRef call) : engine_(engine), call_(std::move(call)) {}

  void cancel(CancelReason reason) override {
    engine_.cancel(*call_, TreeState::cancelled, cancelled_answer(reason));
  }

 private:
  Engine& engine_;
  CallRef call_;
};

// The "uri" a resource is read with; its own when the arguments name none.
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
      bus_(bus),
      metrics_(metrics),
      limits_(limits),
      faults_(std::move(faults)),
      parties_(limits.max_running > 0 ? limits.max_running : std::numeric_limits<int>::max()),
      alarm_([this](gantry_call& call) { return ring(call); }),
      pool_(pool_size(limits, limits.blocking_threads), [] { Registry::release_cached(); }),
      away_(pool_size(limits, kMostAway), [] { Registry::release_cached(); }) {}

Engine::~Engine() = default;

std::shared_ptr<CallHandle> Engine::start(const ItemCall& request,
                                          std::shared_ptr<CallListener> listener) {
  try {
    const Item* const item = request.item;
    if (auto refused = refusal(request, item)) {
      listener->done(std::move(*refused));
      return nullptr;
    }
    const auto group = admit(request);
    if (!group) {
      ItemAnswer busy;
      busy.kind = ItemAnswer::Kind::busy;
      listener->done(std::move(busy));
      return nullptr;
    }
    CallRef call = make_root(request, *item, *group, listener);
    listener.reset();  // answered through the call from here on
    const bool inline_run = runs_inline(*item);
    if (inline_run) run_inline(*call, *item);
    if (!watch(*call)) return nullptr;  // it has ended already
    if (!inline_run) queue(CallRef(call));
    return std::make_shared<Handle>(*this, std::move(call));
  } catch (...) {
    if (listener) listener->done(internal_answer());
    return nullptr;
  }
}

// Nothing: the call is refused as busy.
std::optional<GroupId> Engine::admit(const ItemCall& request) {
  const auto group = parties_.enter(request.party, request.client);
  if (!group || !draining_) return group;
  parties_.leave(*group);
  return std::nullopt;
}

std::optional<ItemAnswer> Engine::refusal(const ItemCall& request, const Item* item) const {
  if (item == nullptr) {
    ItemAnswer unknown;
    unknown.kind = ItemAnswer::Kind::unknown_item;
    unknown.message = "Unknown " + std::string(kind_of(request.kind).noun) + ": " +
                      std::string(request.name.substr(0, 128));
    return unknown;
  }
  if (auto no = denied(*request.agent, *item)) return no;
  if (item->spec.kind != "tool") return std::nullopt;
  static const rapidjson::Value kNoArguments(rapidjson::kObjectType);
  const rapidjson::Value& arguments = request.parsed != nullptr ? *request.parsed : kNoArguments;
  if (!item->input || item->input->validate(arguments)) return std::nullopt;
  ItemAnswer bad;
  bad.kind = ItemAnswer::Kind::invalid_arguments;
  bad.error_code = "invalid_argument";
  bad.message = schema::explain(item->input->errors(arguments));
  bad.error_fits_schema = error_fits(*item, bad);
  return bad;
}

std::optional<ItemAnswer> Engine::denied(const Agent& agent, const Item& item) const {
  ItemAnswer no;
  no.kind = ItemAnswer::Kind::error;
  if (item.spec.kind == "tool" && !agent.tools.allows(item.spec.name)) {
    no.error_code = "tool_filtered";
    no.message = "The tool '" + item.spec.name + "' is not among the tools of this agent";
  } else if (agent.tier < item.spec.tier) {
    no.error_code = "permission_denied";
    no.message = "The " + named(item.spec.kind, item.spec.key()) + " needs the permission '" +
                 std::string(tier_name(item.spec.tier)) + "'; this agent has '" +
                 std::string(tier_name(agent.tier)) + "'";
  } else {
    return std::nullopt;
  }
  no.error_fits_schema = error_fits(item, no);
  return no;
}

// Takes the place in `group`: gives it back when there is no memory for the call.
CallRef Engine::make_root(const ItemCall& request, const Item& item, GroupId group,
                          std::shared_ptr<CallListener> listener) try {
  CallRef call = CallRef::adopt(slab_.take());
  call->engine = this;
  call->root = call.get();
  call->group = group;
  call->snapshot = request.snapshot;
  call->plugin = item.plugin;
  call->item = &item;
  const Kind& kind = kind_of(request.kind, &item);
  call->kind = kind.name;
  call->name = item.spec.key();
  call->agent = request.agent;
  call->arguments.assign(request.arguments.empty() ? "{}" : request.arguments);
  call->protocol.assign(request.protocol);
  call->correlation_id.assign(request.correlation_id);
  call->wants_progress = request.wants_progress;
  call->log_level = request.log_level.value_or(-1);
  call->inputs = request.inputs;
  call->task = request.is_task;
  call->listener = std::move(listener);
  call->started = Clock::now();
  call->deadline = deadline_from(call->started + item.spec.timeout);
  call->output.reset(
      kind.output, limits_.max_answer_bytes,
      kind.output == Output::For::client_entries ? uri_of(request, item) : std::string());
  return call;
} catch (...) {
  parties_.leave(group);
  throw;
}

// Entering a plugin in a worker is sending a frame and at most a moment's look for the answer,
// whatever the tool then does there.
bool Engine::runs_inline(const Item& item) const {
  const Manifest& plugin = item.plugin->manifest();
  return (item.spec.non_blocking || item.plugin->in_worker()) && plugin.reentrant &&
         !plugin.exclusive && !item.latency_guard->is_too_much();
}

void Engine::run_inline(gantry_call& call, const Item& item) {
  const CallRef running = hand_over(call);
  const InlineLatencyGuard::Sample stretch(*item.latency_guard);
  const gantry_status status = call.plugin->invoke(call.kind, call.name, &call);
  // Before the answer is sent, which is not the tool's doing. Of one in a worker it may have been.
  if (!call.plugin->in_worker() && item.latency_guard->count(stretch.took())) {
    faults_(item.plugin->manifest().name,
            named(item.spec.kind, item.spec.key()) +
                " is flagged non_blocking but took over 1 ms three times; it runs on the pool now");
  }
  settle(call, status);
}

// Makes deadline, heartbeat and drain() know of a call that goes on after start(). False when it
// has ended already.
bool Engine::watch(gantry_call& call) {
  std::lock_guard lock(call.lazy_mutex);
  if (call.phase.load(std::memory_order_acquire) == gantry_call::Phase::ended) return false;
  {
    std::lock_guard live(live_mutex_);
    live_.emplace(&call, CallRef::share(&call));
  }
  call.timed = true;
  alarm_.set(call, next_ring(call));
  return true;
}

void Engine::unwatch(gantry_call& call) {
  {
    std::lock_guard lock(call.lazy_mutex);
    if (!call.timed) return;
  }
  alarm_.drop(call);
  CallRef last;  // dropped outside the lock
  std::lock_guard live(live_mutex_);
  const auto it = live_.find(&call);
  if (it == live_.end()) return;
  last = std::move(it->second);
  live_.erase(it);
  if (live_.empty()) none_live_.notify_all();
}

bool Engine::drain(std::chrono::milliseconds grace) {
  draining_ = true;
  constexpr auto kAfterCancel = std::chrono::seconds(2);
  std::unique_lock lock(live_mutex_);
  if (none_live_.wait_for(lock, grace, [&] { return live_.empty(); })) return true;
  std::vector<CallRef> rest;
  for (auto& [raw, call] : live_) rest.push_back(call);
  lock.unlock();
  for (CallRef& call : rest) {
    Handle(*this, std::move(call)).cancel(CancelReason::session_terminated);
  }
  rest.clear();
  pool_.flush();  // what is cancelled before a thread took it holds its plugin no longer
  lock.lock();
  return none_live_.wait_for(lock, kAfterCancel, [&] { return live_.empty(); });
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

void Engine::fault(const gantry_call& call, std::string_view sentence) const {
  faults_(call.plugin->manifest().name,
          std::string(call.kind) + " '" + std::string(call.name) + "': " + std::string(sentence));
}

}  // namespace gantry::host
