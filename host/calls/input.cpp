// gantry.input/1 and gantry.task/1: calls that request input from their client or become tasks.
#include "host/calls/engine.hpp"
#include "host/calls/guarded.hpp"
#include "host/calls/kinds.hpp"
#include "host/calls/tables.hpp"
#include "host/plugin/contract_bytes.hpp"

namespace gantry::host {
namespace {

// True for a client's call of an item; false for self-checks and nested calls.
bool is_clients(const gantry_call& call) {
  return call.root == &call && call.target.item != nullptr;
}

bool may_ask(const gantry_call& call) { return is_clients(call) && call.target.kind->may_ask; }

InputRound& round_of(gantry_call& call) {
  if (!call.client.round)
    call.client.round = std::make_unique<InputRound>(call.client.request.inputs);
  return *call.client.round;
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
      call->engine->answers().fault(*call, "its request for input is refused: " + status.message());
    }
    return status.code();
  });
}

gantry_bytes state(const gantry_call* call) noexcept {
  if (use_of(call).is_misuse() || !may_ask(*call)) return {nullptr, 0};
  return bytes_of(call->client.request.inputs.state);
}

gantry_status keep(gantry_call* call, gantry_bytes bytes) noexcept {
  return guarded(call, [&] {
    return may_ask(*call) ? round_of(*call).keep(view(bytes)) : GANTRY_UNSUPPORTED;
  });
}

gantry_status begin(gantry_call* call) noexcept {
  return guarded(call, [&]() -> gantry_status {
    if (!is_clients(*call) || !call->target.kind->in(contract::kTool)) return GANTRY_UNSUPPORTED;
    if (!call->client.delivery.task && !has(call->client.request.inputs.can, Ability::tasks)) {
      round_of(*call).lacks().add(Ability::tasks);
      return GANTRY_UNSUPPORTED;
    }
    return call->engine->answers().begin_task(*call);
  });
}

gantry_status release(gantry_call* call) noexcept {
  return guarded(call, [&]() -> gantry_status {
    return is_clients(*call) ? call->engine->answers().release(*call) : GANTRY_UNSUPPORTED;
  });
}

}  // namespace

const gantry_input_api& input_table() {
  static const gantry_input_api kTable = {sizeof(gantry_input_api), request, state, keep};
  return kTable;
}

const gantry_task_api& task_table() {
  static const gantry_task_api kTable = {sizeof(gantry_task_api), begin, release};
  return kTable;
}

}  // namespace gantry::host
