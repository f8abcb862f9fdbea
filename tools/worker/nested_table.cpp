// gantry.invoke/1: the host runs the nested call, with the rights of this call's caller.
#include "tables.hpp"
#include "worker.hpp"

namespace gantry::worker {
namespace {

void give(gantry_answer answer, std::string_view type, std::string_view body) {
  if (answer.part != nullptr) answer.part(answer.context, bytes_of(type), bytes_of(body));
}

// In the host's wording.
gantry_status refuse(gantry_answer answer, gantry_status status, std::string_view sentence) {
  give(answer, "error",
       R"({"error_code":"internal_error","error":")" + std::string(sentence) + R"("})");
  return status;
}

gantry_status take_reply(gantry_call& call, const Reply& reply, gantry_answer answer) {
  wire::BodyReader body(reply.body);
  call.room = body.number<std::uint64_t>();
  if (const auto parts = wire::parts_from(body)) {
    for (const auto& [type, text] : *parts) give(answer, type, text);
  }
  return reply.status;
}

gantry_status nested(gantry_call& parent, wire::Nested how, const gantry_invocation& what,
                     std::string_view splice, gantry_answer answer, std::uint64_t request) {
  if (what.size < sizeof(gantry_invocation)) {
    return refuse(answer, GANTRY_MISUSE, "gantry_invocation.size is not set");
  }
  Link& link = parent.worker->link();
  wire::FrameWriter frame(wire::FrameType::nested, parent.id, request);
  frame.number(static_cast<std::uint8_t>(how)).text(view(what.kind)).text(view(what.name));
  frame.text(view(what.arguments)).text(view(what.narrowing)).text(splice);
  const Reply reply = link.ask(frame, request);
  if (reply.body.empty()) return refuse(answer, reply.status, "the arguments are too large");
  return take_reply(parent, reply, answer);
}

gantry_status call(gantry_host*, gantry_call* parent, const gantry_invocation* what,
                   gantry_answer answer) noexcept {
  return guarded(parent, [&] {
    return nested(*parent, wire::Nested::call, *what, {}, answer,
                  parent->worker->link().next_request());
  });
}

// Earlier writes must be in the host before the provider's bytes.
void send_writes(gantry_call& call) {
  if (call.writes.empty()) return;
  wire::FrameWriter frame(wire::FrameType::write, call.id);
  frame.raw(call.writes);
  call.worker->link().send(frame);
  call.writes.clear();
}

gantry_status forward(gantry_host*, gantry_call* parent, const gantry_invocation* what,
                      gantry_bytes splice, gantry_answer answer) noexcept {
  return guarded(parent, [&] {
    const bool open = parent->json == gantry_call::Json::open && !parent->forwarding;
    if (!open || splice.size == 0) return GANTRY_MISUSE;
    send_writes(*parent);
    parent->forwarding = true;
    const gantry_status status = nested(*parent, wire::Nested::forward, *what, view(splice), answer,
                                        parent->worker->link().next_request());
    parent->forwarding = false;
    return status;
  });
}

gantry_status start(gantry_host*, gantry_call* parent, const gantry_invocation* what,
                    gantry_answer answer, void (*done)(void*, gantry_status),
                    void* context) noexcept {
  if (done == nullptr) return GANTRY_MISUSE;
  return guarded(parent, [&] {
    Worker& worker = *parent->worker;
    const std::uint64_t request = worker.link().next_request();
    worker.add_started(request, {answer, done, context});
    // `parent` may be over when this returns: done() may come first.
    Calls::keep(*parent);
    const gantry_status status = nested(*parent, wire::Nested::start, *what, {}, answer, request);
    worker.drop(*parent);
    if (status < 0) worker.drop_started(request);
    return status;
  });
}

}  // namespace

const gantry_invoke_api& invoke_table() {
  static const gantry_invoke_api kTable = {sizeof(gantry_invoke_api), call, forward, start};
  return kTable;
}

void Worker::add_started(std::uint64_t request, Started started) {
  std::lock_guard lock(started_mutex_);
  started_.emplace(request, started);
}

void Worker::drop_started(std::uint64_t request) {
  std::lock_guard lock(started_mutex_);
  started_.erase(request);
}

}  // namespace gantry::worker
