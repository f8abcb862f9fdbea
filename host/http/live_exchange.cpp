#include "host/http/live_exchange.hpp"

#include <utility>

#include "host/http/loop.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kUnsound = "The answer's head was unsound.\n";

bool is_sound(int status, std::string_view content_type, Headers extra) {
  return status >= 200 && status <= 599 && is_sendable(extra, content_type);
}

}  // namespace

LiveExchange::LiveExchange(const LoopState& loop, Target target, AskedFor asked)
    : server_(loop.server),
      mailbox_(loop.mailbox),
      target_(target),
      asked_(asked),
      life_(mailbox_),
      stream_(mailbox_, loop.limits().queued_bytes) {}

LiveExchange::~LiveExchange() {
  try {
    if (life_.is(State::pending)) {
      reply(500, "text/plain", "The request was given up.\n", {});
    } else if (life_.is(State::streaming)) {
      on_writer([](ResponseWriter& writer) { writer.die(); });
    }
  } catch (...) {  // no memory: the connection stays until the client or the server ends it
  }
}

template <class Work>
bool LiveExchange::on_writer(Work work) {
  if (auto* here = ResponseWriter::dispatching(target_.id)) {
    work(*here);
    return true;
  }
  return mailbox_->post([target = target_, work = std::move(work)](Loop& loop) mutable {
    auto on_connection = [&work](Connection& c) { work(c.writer()); };
    loop.with(target, on_connection);
  });
}

bool LiveExchange::reply(int status, std::string_view content_type, Bytes body, Headers extra) {
  if (!life_.claim(State::pending, State::complete)) return false;
  if (!is_sound(status, content_type, extra)) {
    status = 500;
    content_type = "text/plain";
    body = std::string(kUnsound);
    extra = {};
  }
  ReplyHead head = head_of(status, content_type);
  head.length = body.view().size();
  return send_claimed(head, std::move(body), extra);
}

ReplyHead LiveExchange::head_of(int status, std::string_view content_type) const {
  ReplyHead head;
  head.status = status;
  head.content_type = content_type;
  head.keep = asked_.keep && !server_->draining.load();
  head.request_minor = asked_.minor;
  return head;
}

bool LiveExchange::send_claimed(const ReplyHead& head, Bytes body, Headers extra) {
  life_.forget_callbacks();
  if (asked_.head || !has_body(head.status)) body = {};
  if (auto* here = ResponseWriter::dispatching(target_.id)) {
    here->answer(head, extra, std::move(body));
    return true;
  }
  std::string bytes;
  append_head(bytes, head, extra);
  return on_writer([bytes = std::move(bytes), body = std::move(body),
                    keep = head.keep](ResponseWriter& writer) mutable {
    writer.answer(bytes, std::move(body), keep);
  });
}

bool LiveExchange::open_stream(Headers extra) {
  if (asked_.head || !is_sendable(extra, {})) {
    reply(200, "text/event-stream", {}, extra);  // of a bad header: 500
    return false;
  }
  if (!life_.claim(State::pending, State::streaming)) return false;
  ReplyHead head = head_of(200, "text/event-stream");
  head.stream = true;
  head.framing = asked_.minor > 0 ? Framing::chunked : Framing::until_close;
  head.keep = head.framing == Framing::chunked && head.keep;
  return begin_stream(head, extra, std::nullopt);
}

bool LiveExchange::open_body(int status, std::string_view content_type, std::uint64_t length,
                             Headers extra) {
  if (!is_sound(status, content_type, extra)) {
    reply(status, content_type, {}, extra);  // 500
    return false;
  }
  ReplyHead head = head_of(status, content_type);
  head.length = length;
  if (asked_.head || length == 0 || !has_body(status)) {
    if (life_.claim(State::pending, State::complete)) send_claimed(head, {}, extra);
    return false;
  }
  return life_.claim(State::pending, State::streaming) && begin_stream(head, extra, length);
}

bool LiveExchange::begin_stream(const ReplyHead& head, Headers extra,
                                std::optional<std::uint64_t> length) {
  stream_.open(length);
  std::string bytes;
  append_head(bytes, head, extra);
  return on_writer([bytes = std::move(bytes), framing = head.framing, keep = head.keep](
                       ResponseWriter& writer) { writer.open_stream(bytes, framing, keep); });
}

bool LiveExchange::write(Bytes events) {
  if (!life_.is(State::streaming)) return false;
  if (events.view().empty()) return true;
  const auto added = stream_.add(std::move(events));
  if (added == StreamQueue::Added::refused) {
    // Without a claim: the connection's end still has to be reported to on_disconnect.
    on_writer([](ResponseWriter& writer) { writer.cut(); });
    return false;
  }
  // One task carries all events that have gathered until it runs.
  if (auto* here = ResponseWriter::dispatching(target_.id)) {
    here->events(stream_.take());
    return true;
  }
  return added == StreamQueue::Added::more || mailbox_->post_events(shared_from_this());
}

void LiveExchange::close() {
  if (!life_.claim(State::streaming, State::complete)) return;
  life_.forget_callbacks();
  const bool is_whole = stream_.end();
  on_writer([is_whole](ResponseWriter& writer) { is_whole ? writer.end_stream() : writer.die(); });
}

void LiveExchange::client_gone() {
  stream_.end();
  life_.client_gone();
}

}  // namespace gantry::host::http
