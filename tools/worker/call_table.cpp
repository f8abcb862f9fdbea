// gantry.call/1.
#include "call.hpp"
#include "sdk/contract/limits.hpp"
#include "sdk/contract/text.hpp"
#include "tables.hpp"

namespace gantry::worker {
namespace {

// A type of a write that is longer goes to the host, since a frame is bounded.
constexpr std::size_t kMaxType = 16U << 10U;
// From here on writes go to the host before the end of the call.
constexpr std::size_t kSendAt = 256U << 10U;

template <class... Texts>
void append_write(std::string& to, wire::Write what, Texts... texts) {
  to += static_cast<char>(what);
  (wire::append_text(to, texts), ...);
}

// Buffered here, because the host surely accepts it.
template <class... Texts>
gantry_status keep(gantry_call& call, wire::Write what, Texts... texts) {
  append_write(call.writes, what, texts...);
  if (call.writes.size() < kSendAt) return GANTRY_OK;
  wire::FrameWriter frame(wire::FrameType::write, call.id);
  frame.raw(call.writes);
  call.link.send(frame);
  call.writes.clear();
  return GANTRY_OK;
}

// The host decides.
template <class... Texts>
gantry_status ask(gantry_call& call, wire::Write what, Texts... texts) {
  Link& link = call.link;
  const std::uint64_t request = link.next_request();
  wire::FrameWriter frame(wire::FrameType::write, call.id, request);
  std::string write;
  append_write(write, what, texts...);
  if (!frame.raw(call.writes).raw(write).fits()) return GANTRY_TOO_BIG;
  call.writes.clear();
  const Reply reply = link.ask(frame, request);
  wire::BodyReader body(reply.body);
  call.limit.reset(body.number<std::uint64_t>());
  return reply.status;
}

template <class Body>
gantry_status writing(gantry_call* call, Body body) noexcept {
  return guarded(call, [&] { return call->forwarding ? GANTRY_MISUSE : body(); });
}

// The host accepts these kinds after a check of their size alone.
bool is_plain(const gantry_call& call, std::string_view type) {
  return call.entry.kind == "service" || (call.entry.kind == "tool" && type == "text");
}

gantry_status write(gantry_call* call, gantry_bytes type, gantry_bytes body) noexcept {
  return writing(call, [&] {
    // The host counts a tool's text after escaping; this is the upper bound.
    const bool is_text = call->entry.kind == "tool";
    const std::size_t most = is_text ? contract::WriteLimit::most_of_text(body.size) : body.size;
    const bool decided = type.size <= kMaxType && is_plain(*call, view(type));
    if (!decided || !call->limit.take(most)) {
      return ask(*call, wire::Write::write, view(type), view(body));
    }
    return keep(*call, wire::Write::write, view(type), view(body));
  });
}

gantry_status json_begin(gantry_call* call) noexcept {
  return writing(call, [&] {
    if (!call->json.begin().empty()) return GANTRY_MISUSE;
    return keep(*call, wire::Write::json_begin);
  });
}

gantry_status json_raw(gantry_call* call, gantry_bytes part) noexcept {
  return writing(call, [&] {
    if (!call->json.add().empty()) return GANTRY_MISUSE;
    if (!call->limit.take(part.size)) return ask(*call, wire::Write::json_raw, view(part));
    return keep(*call, wire::Write::json_raw, view(part));
  });
}

gantry_status json_end(gantry_call* call) noexcept {
  return writing(call, [&] {
    if (!call->json.end().empty()) return GANTRY_MISUSE;
    return keep(*call, wire::Write::json_end);
  });
}

gantry_status fail(gantry_call* call, gantry_bytes code, gantry_bytes message,
                   gantry_bytes details) noexcept {
  return writing(call, [&] {
    // Cut as the host would cut it, since the size of a frame is bounded.
    const std::string name = contract::shortened(view(code), contract::kMaxErrorCode);
    const std::string sentence = contract::shortened(view(message), contract::kMaxErrorMessage);
    if (details.size > contract::kMaxErrorDetails) details = {nullptr, 0};
    gantry_status status = GANTRY_FAILED;
    // Only the host checks whether details are a JSON object.
    if (details.size > 0) {
      status = ask(*call, wire::Write::fail, std::string_view(name), std::string_view(sentence),
                   view(details));
    } else {
      keep(*call, wire::Write::fail, std::string_view(name), std::string_view(sentence),
           view(details));
    }
    if (status == GANTRY_FAILED) call->json.reset();
    return status;
  });
}

gantry_status progress(gantry_call* call, double done, double total, gantry_bytes note) noexcept {
  return guarded(call, [&] {
    wire::FrameWriter frame(wire::FrameType::progress, call->id);
    frame.number(done).number(total).text(view(note));
    if (!frame.fits()) return GANTRY_TOO_BIG;
    call->link.send(frame);
    return GANTRY_OK;
  });
}

gantry_status log(gantry_call* call, int32_t level, gantry_bytes text) noexcept {
  return guarded(call, [&] {
    wire::FrameWriter frame(wire::FrameType::call_log, call->id);
    frame.number(level).text(view(text).substr(0, contract::kMaxLogLine));
    call->link.send(frame);
    return GANTRY_OK;
  });
}

gantry_bytes arguments(const gantry_call* call) noexcept { return bytes_of(call->entry.arguments); }

gantry_bytes property(const gantry_call* call, gantry_bytes raw) noexcept {
  if (use_of(call).is_misuse()) return {nullptr, 0};
  const std::string_view key = view(raw);
  if (key == "agent") return bytes_of(call->entry.agent);
  if (key == "correlation_id") return bytes_of(call->entry.correlation_id);
  if (key == "protocol") return bytes_of(call->entry.protocol);
  if (key == "max_answer_bytes") return bytes_of(call->entry.max_answer_bytes);
  return {nullptr, 0};
}

int32_t cancelled(const gantry_call* call) noexcept { return use_of(call).cancelled(); }

gantry_status on_cancel(gantry_call* call, void (*fn)(void*), void* context) noexcept {
  return use_of(call).on_cancel(fn, context);
}

gantry_status off_cancel(gantry_call* call, void (*fn)(void*), void* context) noexcept {
  return use_of(call).off_cancel(fn, context);
}

uint64_t deadline(const gantry_call* call) noexcept { return call->entry.deadline; }

gantry_status finish(gantry_call* call, gantry_status status) noexcept {
  if (call == nullptr) return GANTRY_MISUSE;
  try {
    return call->calls.finish(*call, status);
  } catch (...) {
    return GANTRY_FAILED;
  }
}

}  // namespace

const gantry_call_api& call_table() {
  static const gantry_call_api kTable = {sizeof(gantry_call_api),
                                         arguments,
                                         property,
                                         write,
                                         json_begin,
                                         json_raw,
                                         json_end,
                                         fail,
                                         progress,
                                         log,
                                         cancelled,
                                         on_cancel,
                                         deadline,
                                         finish,
                                         off_cancel};
  return kTable;
}

}  // namespace gantry::worker
