// gantry.input/1 and gantry.task/1.
#include "call.hpp"
#include "tables.hpp"

namespace gantry::worker {
namespace {

template <class Fill>
Reply ask(gantry_call& call, wire::FrameType type, Fill fill) {
  Link& link = call.link;
  const std::uint64_t request = link.next_request();
  wire::FrameWriter frame(type, call.id, request);
  fill(frame);
  return link.ask(frame, request);
}

gantry_status request(gantry_call* call, gantry_bytes key, gantry_bytes method, gantry_bytes params,
                      gantry_bytes* answer) noexcept {
  if (answer == nullptr) return GANTRY_INVALID_ARGUMENT;
  *answer = {nullptr, 0};
  return guarded(call, [&] {
    const Reply reply = ask(*call, wire::FrameType::input, [&](auto& frame) {
      frame.text(view(key)).text(view(method)).text(view(params));
    });
    if (reply.status != GANTRY_OK) return reply.status;
    wire::BodyReader body(reply.body);
    *answer = bytes_of(call->answers.emplace_back(body.text()));
    return reply.status;
  });
}

gantry_bytes state(const gantry_call* call) noexcept {
  if (use_of(call).is_misuse()) return {nullptr, 0};
  return bytes_of(call->entry.state);
}

gantry_status keep(gantry_call* call, gantry_bytes bytes) noexcept {
  return guarded(call, [&] {
    return ask(*call, wire::FrameType::keep, [&](auto& frame) { frame.text(view(bytes)); }).status;
  });
}

gantry_status task(gantry_call* call, bool release) noexcept {
  return guarded(call, [&] {
    return ask(*call, wire::FrameType::task,
               [&](auto& frame) { frame.number(std::uint8_t{release}); })
        .status;
  });
}

gantry_status begin(gantry_call* call) noexcept { return task(call, false); }
gantry_status release(gantry_call* call) noexcept { return task(call, true); }

}  // namespace

const gantry_input_api& input_table() {
  static const gantry_input_api kTable = {sizeof(gantry_input_api), request, state, keep};
  return kTable;
}

const gantry_task_api& task_table() {
  static const gantry_task_api kTable = {sizeof(gantry_task_api), begin, release};
  return kTable;
}

}  // namespace gantry::worker
