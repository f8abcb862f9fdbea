#include "host/http/response_writer.hpp"

#include <sys/socket.h>

#include <array>
#include <utility>

#include "host/http/live_exchange.hpp"

namespace gantry::host::http {
namespace {

// Up to here copying an event is cheaper than sending it as a piece of its own.
constexpr std::size_t kCopiedEvent = 4 * 1024;

thread_local ResponseWriter* t_dispatching = nullptr;

// One event as it is sent.
void append_framed(std::string_view payload, Framing framing, std::string& bytes) {
  if (framing != Framing::chunked) {
    bytes.append(payload);
  } else {
    bytes.append(chunk_line(payload.size())).append(payload).append("\r\n");
  }
}

}  // namespace

ResponseWriter::Dispatching::Dispatching(ResponseWriter& writer) { t_dispatching = &writer; }

ResponseWriter::Dispatching::~Dispatching() { t_dispatching = nullptr; }

ResponseWriter* ResponseWriter::dispatching(std::uint64_t id) {
  const bool is_it = t_dispatching != nullptr && t_dispatching->connection_.target.id == id;
  return is_it ? t_dispatching : nullptr;
}

void ResponseWriter::answer(const ReplyHead& head, Headers extra, Bytes body) {
  std::string& bytes = connection_.loop.scratch;
  bytes.clear();
  append_head(bytes, head, extra);
  answer(bytes, std::move(body), head.keep);
}

void ResponseWriter::answer(std::string_view head, Bytes body, bool keep) {
  if (!connection_.is(Phase::working)) return;
  connection_.keep = keep;
  connection_.enter(Phase::flushing);
  progress_ = connection_.loop.now;
  send(head, std::move(body));
}

void ResponseWriter::refuse(const Refusal& refusal, const Request& page, bool is_head) {
  LoopState& loop = connection_.loop;
  loop.tallies.rejected.add();
  connection_.keep = false;
  connection_.enter(Phase::flushing);
  ReplyHead head;
  head.status = refusal.status;
  head.content_type = "text/plain";
  head.length = refusal.why.size() + 1;
  head.keep = false;
  loop.scratch.clear();
  const std::string_view origin = page.header("origin").value_or("");
  const std::array extra{Header{"Access-Control-Allow-Origin", origin}, Header{"Vary", "Origin"}};
  const bool shown =
      !origin.empty() && is_sendable(extra, {}) && loop.server->handler.may_read(page);
  append_head(loop.scratch, head, shown ? Headers(extra) : Headers());
  if (!is_head) loop.scratch.append(refusal.why).append("\n");
  send(loop.scratch, {});
}

void ResponseWriter::interim(std::string_view bytes) { send(bytes, {}); }

void ResponseWriter::open_stream(std::string_view head, Framing framing, bool keep) {
  if (!connection_.is(Phase::working)) return;
  connection_.keep = keep;
  framing_ = framing;
  connection_.enter(Phase::streaming);
  send(head, {});
  if (connection_.eof && !in_sized_body()) die();
}

void ResponseWriter::events(std::vector<Bytes> events) {
  if (!connection_.is(Phase::streaming)) return;
  // The usual case: nothing waits, and the socket takes it.
  if (out_.empty() && events.size() == 1 && events[0].view().size() <= kCopiedEvent) {
    std::string& bytes = connection_.loop.scratch;
    bytes.clear();
    append_framed(events[0].view(), framing_, bytes);
    return send(bytes, {});
  }
  if (out_.empty()) progress_ = connection_.loop.now;
  for (auto& event : events) queue_event(std::move(event));
  // Where bytes waited before, the socket is full and its event is awaited.
  after_send(connection_.write_armed ? Sent::part : out_.flush(connection_.target.fd));
}

void ResponseWriter::queue_event(Bytes event) {
  const bool chunked = framing_ == Framing::chunked;
  const std::size_t size = event.view().size();
  if (chunked) out_.append(chunk_line(size));
  if (size <= kCopiedEvent) {
    out_.append(event.view());
  } else {
    out_.push(std::move(event));
  }
  if (chunked) out_.append("\r\n");
}

void ResponseWriter::end_stream() {
  if (!connection_.is(Phase::streaming)) return;
  connection_.enter(Phase::flushing);
  if (framing_ == Framing::until_close) connection_.keep = false;
  if (framing_ == Framing::chunked) return send(kLastChunk, {});
  after_send(out_.empty() ? Sent::all : Sent::part);
}

void ResponseWriter::cut() {
  if (!connection_.is(Phase::streaming)) return;
  connection_.loop.tallies.slow_cut.add();
  die();
}

void ResponseWriter::flush() {
  if (!out_.empty()) after_send(out_.flush(connection_.target.fd));
}

void ResponseWriter::drop() {
  if (!out_.empty()) die();
}

void ResponseWriter::on_tick() {
  const LoopState& loop = connection_.loop;
  const auto silence = loop.now - progress_;
  if (!out_.empty()) {
    if (silence <= loop.limits().write_stall) return;
    connection_.loop.tallies.timeouts.add();
    return die();
  }
  const bool may_ping = connection_.is(Phase::streaming) && !in_sized_body();
  if (may_ping && silence > loop.limits().heartbeat) events({std::string(": ping\n\n")});
}

void ResponseWriter::send(std::string_view head, Bytes body) {
  if (out_.empty()) progress_ = connection_.loop.now;
  after_send(out_.send(connection_.target.fd, head, std::move(body)));
}

void ResponseWriter::after_send(Sent sent) {
  LoopState& loop = connection_.loop;
  loop.tallies.sent.add(static_cast<std::int64_t>(out_.sent() - tallied_));
  if (out_.sent() != tallied_) progress_ = loop.now;
  tallied_ = out_.sent();
  if (sent == Sent::failed) return die();
  if (connection_.is(Phase::streaming)) {
    if (auto exchange = connection_.work.exchange.lock()) {
      exchange->stream().set_backlog(out_.bytes());
    }
  }
  if (connection_.is(Phase::flushing) && out_.empty()) complete();
}

void ResponseWriter::complete() {
  connection_.work.exchange.reset();
  const bool goes_on =
      connection_.keep && !connection_.input_lost && !connection_.loop.server->draining.load();
  if (goes_on) return connection_.enter(Phase::reading);
  if (connection_.eof) return die();
  // Closing at once would reset the connection when input is unread, and with it may destroy the
  // answer before the client has read it.
  ::shutdown(connection_.target.fd, SHUT_WR);
  connection_.enter(Phase::lingering);
}

}  // namespace gantry::host::http
