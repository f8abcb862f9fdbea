// gantry.input/1 and gantry.task/1: calls that ask their client, or go on without it.
#include "host/calls/answer.hpp"
#include "host/calls/guarded.hpp"
#include "host/calls/kinds.hpp"

namespace gantry::host {
namespace {

// A call that a client made itself, of an item; self-checks and nested calls are none.
bool is_clients(const gantry_call& call) { return call.root == &call && call.item != nullptr; }

bool may_ask(const gantry_call& call) { return is_clients(call) && kind_of(call.kind).may_ask; }

InputRound& round_of(gantry_call& call) {
  if (!call.round) call.round = std::make_unique<InputRound>(call.inputs);
  return *call.round;
}

gantry_status request(gantry_call* call, gantry_bytes key, gantry_bytes method, gantry_bytes params,
                      gantry_bytes* answer) noexcept {
  if (answer == nullptr) return GANTRY_INVALID_ARGUMENT;
  *answer = {nullptr, 0};
  return guarded(call, [&] {
    if (!may_ask(*call)) return GANTRY_UNSUPPORTED;
    std::string_view found;
    const Status status = round_of(*call).request(view(key), view(method), view(params), found);
    if (status) *answer = bytes_of(found);
    if (status.code() == GANTRY_INVALID_ARGUMENT) {
      call->engine->fault(*call, "its request for input is refused: " + status.message());
    }
    return status.code();
  });
}

gantry_bytes state(const gantry_call* call) noexcept {
  if (writable(call) == GANTRY_MISUSE || !may_ask(*call)) return {nullptr, 0};
  return bytes_of(call->inputs.state);
}

gantry_status keep(gantry_call* call, gantry_bytes bytes) noexcept {
  return guarded(call, [&] {
    return may_ask(*call) ? round_of(*call).keep(view(bytes)) : GANTRY_UNSUPPORTED;
  });
}

gantry_status begin(gantry_call* call) noexcept {
  return guarded(call, [&]() -> gantry_status {
    if (!is_clients(*call) || call->kind != "tool") return GANTRY_UNSUPPORTED;
    if (!call->task && !has(call->inputs.can, Ability::tasks)) {
      round_of(*call).lacks().add(Ability::tasks);
      return GANTRY_UNSUPPORTED;
    }
    return call->engine->begin_task(*call);
  });
}

gantry_status release(gantry_call* call) noexcept {
  return guarded(call, [&]() -> gantry_status {
    return is_clients(*call) ? call->engine->release(*call) : GANTRY_UNSUPPORTED;
  });
}

ItemAnswer too_many_rounds(const gantry_call& call) {
  return error_answer(call, {"internal_error",
                             "The " + named(call.kind, call.name) + " still asks for input after " +
                                 std::to_string(InputRound::kMaxRounds) + " rounds of it",
                             ""});
}

}  // namespace

gantry_status Engine::begin_task(gantry_call& call) {
  std::lock_guard lock(call.listener_mutex);
  if (call.answered) return GANTRY_CANCELLED;
  if (call.task) return GANTRY_OK;
  if (!call.task_refused) {
    const gantry_status status = call.listener->begin_task();
    call.task = status >= 0;
    if (status < 0) call.task_refused = status;
  }
  return call.task_refused.value_or(GANTRY_OK);
}

gantry_status Engine::release(gantry_call& call) {
  std::lock_guard lock(call.listener_mutex);
  if (call.answered) return GANTRY_CANCELLED;
  return !call.task && call.listener->release() ? GANTRY_OK : GANTRY_UNSUPPORTED;
}

// The handler ended to be entered again.
ItemAnswer Engine::next_round(gantry_call& call) const {
  if (!call.round || !call.round->goes_on()) {
    return plugin_fault(call,
                        "it returned GANTRY_INPUT_REQUIRED, but nothing is missing: it asked for "
                        "nothing that has no answer and kept nothing");
  }
  if (call.inputs.round >= InputRound::kMaxRounds) return too_many_rounds(call);
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::input_required;
  call.round->put_into(answer);
  return answer;
}

ItemAnswer Engine::missing_capability(gantry_call& call) const {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::missing_capability;
  answer.requests = call.round->lacks().capabilities(call.inputs.can);
  answer.message =
      "The " + named(call.kind, call.name) +
      " needs what this client did not declare, or cannot be asked here (in a batch, or "
      "without text/event-stream in Accept): " +
      call.round->lacks().words(call.inputs.can);
  return answer;
}

const gantry_input_api& input_table() {
  static const gantry_input_api kTable = {sizeof(gantry_input_api), request, state, keep};
  return kTable;
}

const gantry_task_api& task_table() {
  static const gantry_task_api kTable = {sizeof(gantry_task_api), begin, release};
  return kTable;
}

}  // namespace gantry::host
