// The core table of the fake host, and the entry into the plugin.
#include <exception>

#include "sdk/contract/limits.hpp"
#include "sdk/contract/undeclared.hpp"
#include "state.hpp"

namespace gantry::testing::detail {
namespace {

using contract::CallState;
using contract::TreeState;

// Returns false and reports a violation if the plugin uses the host after destroy() has returned.
bool alive(HostState& state, const char* function) {
  if (state.phase != Phase::destroyed && state.phase != Phase::idle) return true;
  state.violation(std::string(function) + "() outside create() to destroy()");
  return false;
}

const void* service(gantry_host* host, const char* id) {
  HostState& state = *host->state;
  if (!alive(state, "service")) return nullptr;
  if (id == nullptr || std::string_view(id).size() > contract::kMaxServiceId) {
    state.violation("service() with an id that is null or longer than 63 bytes");
    return nullptr;
  }
  const void* const table = service_table(id);
  if (state.manifest.asks_for(id)) return table;
  if (table != nullptr) state.report_undeclared(id);
  return nullptr;
}

void log(gantry_host* host, int32_t level, gantry_bytes text) {
  HostState& state = *host->state;
  if (!alive(state, "log")) return;
  const bool known = level >= GANTRY_LOG_EMERGENCY && level <= GANTRY_LOG_DEBUG;
  const std::lock_guard lock(state.mutex);
  state.log.push_back({known ? level : GANTRY_LOG_ERROR,
                       std::string(to_view(text).substr(0, contract::kMaxLogLine))});
}

gantry_status offer(gantry_host* host, gantry_bytes json) {
  HostState& state = *host->state;
  if (state.phase != Phase::starting && state.phase != Phase::started) {
    state.violation("offer() outside start() to stop()");
    return GANTRY_MISUSE;
  }
  if (json.size > GANTRY_NOTE_MAX) return GANTRY_TOO_BIG;
  Result<std::vector<Item>> items = contract::parse_items(to_view(json), state.manifest);
  if (items.status().code() == GANTRY_TOO_BIG) return GANTRY_TOO_BIG;
  if (!items) {
    state.violation("offer(): " + items.message());
    return GANTRY_INVALID_ARGUMENT;
  }
  const std::lock_guard lock(state.mutex);
  state.items = std::move(*items);
  return GANTRY_OK;
}

constexpr gantry_status kLastKnownStatus = GANTRY_MISUSE;

// invoke(); catches exceptions, which must never leave it.
gantry_status guarded_invoke(gantry_call& call) {
  HostState& host = call.host;
  try {
    const gantry_status status =
        host.table->invoke(host.self, to_bytes(call.kind), to_bytes(call.name), &call);
    if (status >= kLastKnownStatus && status <= GANTRY_INPUT_REQUIRED) return status;
    host.violation("invoke() of " + label(call) + " returned " + std::to_string(status) +
                   ", which is no GANTRY_… status");
  } catch (...) {
    host.violation("an exception left invoke() of " + label(call) +
                   ": nothing may unwind across the contract");
  }
  return GANTRY_FAILED;
}

}  // namespace

void HostState::report_undeclared(std::string_view id) {
  {
    const std::lock_guard lock(mutex);
    if (!undeclared.emplace(id).second) return;
  }
  violation(contract::undeclared_service(id));
}

void enter_plugin(gantry_call& call) {
  std::unique_lock strand(call.host.strand, std::defer_lock);
  if (!call.host.manifest.reentrant) strand.lock();
  call.limit.reset(call.host.options.max_answer_bytes);
  call.state.enter();
  const gantry_status status = guarded_invoke(call);
  CallState::Return how{};
  {
    const std::lock_guard lock(call.mutex);
    how = call.state.left(status);
    call.returned = true;
    if (how == CallState::Return::ends) call.reply.status = status;
  }
  if (how == CallState::Return::ends) call.tree.forget(&call);
  if (how == CallState::Return::misuse) {
    call.host.violation(label(call) + " " + std::string(contract::kFinishedAndReturned));
  }
  call.changed.notify_all();
}

void kill_call(gantry_call& call, bool timed_out) {
  {
    const std::lock_guard lock(call.mutex);
    const TreeState how = timed_out ? TreeState::timed_out : TreeState::cancelled;
    if (call.state.is_over() || !call.tree.mark(how)) return;
    call.reply.timed_out = timed_out;
    call.reply.cancelled = !timed_out;
  }
  call.tree.run_callbacks();
}

const gantry_host_api& host_table() {
  static const gantry_host_api table = {
      sizeof(gantry_host_api), GANTRY_ABI_MINOR, 0, service, log, offer};
  return table;
}

}  // namespace gantry::testing::detail
