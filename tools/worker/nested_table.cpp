// gantry.invoke/1: the host runs the nested call, with the rights of this call's caller.
#include "call.hpp"
#include "sdk/contract/nested_answer.hpp"
#include "tables.hpp"

namespace gantry::worker {
namespace {

gantry_status take_reply(gantry_call& call, const Reply& reply, gantry_answer answer) {
  wire::BodyReader body(reply.body);
  call.limit.reset(body.number<std::uint64_t>());
  give_parts(body, answer);
  return reply.status;
}

gantry_status nested(gantry_call& parent, wire::Nested how, const gantry_invocation& what,
                     std::string_view splice, gantry_answer answer, std::uint64_t request) {
  if (!contract::is_complete(&what)) {
    return contract::give_error(answer, GANTRY_MISUSE, "internal_error", contract::kSizeNotSet);
  }
  Link& link = parent.link;
  wire::FrameWriter frame(wire::FrameType::nested, parent.id, request);
  frame.number(static_cast<std::uint8_t>(how)).text(view(what.kind)).text(view(what.name));
  frame.text(view(what.arguments)).text(view(what.narrowing)).text(splice);
  const Reply reply = link.ask(frame, request);
  if (reply.body.empty()) {
    return contract::give_error(answer, reply.status, "internal_error",
                                "the arguments are too large");
  }
  return take_reply(parent, reply, answer);
}

gantry_status call(gantry_host*, gantry_call* parent, const gantry_invocation* what,
                   gantry_answer answer) noexcept {
  return guarded(parent, [&] {
    return nested(*parent, wire::Nested::call, *what, {}, answer, parent->link.next_request());
  });
}

// Earlier writes must be in the host before the provider's bytes.
void send_writes(gantry_call& call) {
  if (call.writes.empty()) return;
  wire::FrameWriter frame(wire::FrameType::write, call.id);
  frame.raw(call.writes);
  call.link.send(frame);
  call.writes.clear();
}

gantry_status forward(gantry_host*, gantry_call* parent, const gantry_invocation* what,
                      gantry_bytes splice, gantry_answer answer) noexcept {
  return guarded(parent, [&] {
    const bool open = parent->json.is_open() && !parent->forwarding;
    if (!open || splice.size == 0) return GANTRY_MISUSE;
    send_writes(*parent);
    parent->forwarding = true;
    const gantry_status status = nested(*parent, wire::Nested::forward, *what, view(splice), answer,
                                        parent->link.next_request());
    parent->forwarding = false;
    return status;
  });
}

gantry_status start(gantry_host*, gantry_call* parent, const gantry_invocation* what,
                    gantry_answer answer, void (*done)(void*, gantry_status),
                    void* context) noexcept {
  if (done == nullptr) return GANTRY_MISUSE;
  return guarded(parent, [&] {
    Calls& calls = parent->calls;
    const std::uint64_t request = parent->link.next_request();
    calls.started().add(request, {answer, done, context});
    // `parent` may be over when this returns: done() may come first.
    Calls::keep(*parent);
    const gantry_status status = nested(*parent, wire::Nested::start, *what, {}, answer, request);
    calls.drop(*parent);
    if (status < 0) calls.started().drop(request);
    return status;
  });
}

}  // namespace

const gantry_invoke_api& invoke_table() {
  static const gantry_invoke_api kTable = {sizeof(gantry_invoke_api), call, forward, start};
  return kTable;
}

}  // namespace gantry::worker
