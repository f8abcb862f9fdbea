// Output: answers, streams, and the rules about time.
#include <sys/socket.h>

#include <utility>

#include "host/http/connection.hpp"

namespace gantry::host::http {
namespace {

// Up to here copying an event is cheaper than sending it as a piece of its own.
constexpr std::size_t kCopiedEvent = 4 * 1024;

// One event as it is sent.
void append_framed(std::string_view payload, Framing framing, std::string& bytes) {
  if (framing != Framing::chunked) {
    bytes.append(payload);
  } else {
    bytes.append(chunk_line(payload.size())).append(payload).append("\r\n");
  }
}

}  // namespace

void Connection::answer(const ReplyHead& head, Headers extra, Piece body) {
  loop_.scratch.clear();
  append_head(loop_.scratch, head, extra);
  answer(loop_.scratch, std::move(body), head.keep);
}

void Connection::answer(std::string_view head, Piece body, bool keep) {
  if (phase_ != Phase::working) return;
  keep_ = keep;
  phase_ = Phase::flushing;
  progress_ = loop_.now;
  after_send(out_.send(target_.fd, head, std::move(body)));
}

void Connection::open_stream(std::string head, Framing framing, bool keep) {
  if (phase_ != Phase::working) return;
  keep_ = keep;
  framing_ = framing;
  phase_ = Phase::streaming;
  loop_.tallies.streams.add();
  put(std::move(head));
  if (eof_ && !in_sized_body()) die();
}

void Connection::events(std::vector<Piece> events) {
  if (phase_ != Phase::streaming) return;
  if (out_.empty()) progress_ = loop_.now;
  const bool is_usual =
      out_.empty() && events.size() == 1 && events[0].view().size() <= kCopiedEvent;
  if (is_usual) {
    loop_.scratch.clear();
    append_framed(events[0].view(), framing_, loop_.scratch);
    return after_send(out_.send(target_.fd, loop_.scratch, {}));
  }
  for (auto& piece : events) queue_chunk(std::move(piece));
  // Where bytes waited before, the socket is full and its event is awaited.
  after_send(write_armed ? Sent::part : out_.flush(target_.fd));
}

void Connection::end_stream() {
  if (phase_ != Phase::streaming) return;
  loop_.tallies.streams.add(-1);
  phase_ = Phase::flushing;
  if (framing_ == Framing::until_close) keep_ = false;
  if (framing_ == Framing::chunked) return put(std::string(kLastChunk));
  after_send(out_.empty() ? Sent::all : Sent::part);
}

void Connection::cut() {
  if (phase_ != Phase::streaming) return;
  loop_.tallies.slow_cut.add();
  die();
}

void Connection::drop_output() {
  if (!out_.empty()) die();
}

void Connection::put(std::string bytes) {
  if (out_.empty()) progress_ = loop_.now;
  after_send(out_.send(target_.fd, {}, {std::move(bytes), nullptr}));
}

void Connection::queue_chunk(Piece payload) {
  bool chunked = framing_ == Framing::chunked;
  std::size_t size = payload.view().size();
  if (chunked) out_.append(chunk_line(size));
  if (size <= kCopiedEvent) {
    out_.append(payload.view());
  } else {
    out_.push(std::move(payload));
  }
  if (chunked) out_.append("\r\n");
}

void Connection::on_writable() {
  if (!out_.empty()) after_send(out_.flush(target_.fd));
}

void Connection::after_send(Sent sent) {
  loop_.tallies.sent.add(static_cast<std::int64_t>(out_.sent() - tallied_));
  if (out_.sent() != tallied_) progress_ = loop_.now;
  tallied_ = out_.sent();
  if (sent == Sent::failed) return die();
  if (phase_ == Phase::streaming) {
    if (auto exchange = exchange_.lock()) exchange->set_backlog(out_.bytes());
  }
  if (phase_ == Phase::flushing && out_.empty()) complete();
}

void Connection::complete() {
  leave_phase();
  exchange_.reset();
  if (!keep_ || dropped_ || loop_.server->draining.load()) return linger();
  phase_ = Phase::reading;
  since_ = loop_.now;
}

// Closing at once would reset the connection when input is unread, and with it may destroy the
// answer before the client has read it.
void Connection::linger() {
  if (eof_) return die();
  ::shutdown(target_.fd, SHUT_WR);
  phase_ = Phase::lingering;
  since_ = loop_.now;
}

void Connection::leave_phase() {
  bool active = phase_ == Phase::working || phase_ == Phase::streaming || phase_ == Phase::flushing;
  if (active) loop_.tallies.active.add(-1);
  if (phase_ == Phase::streaming) loop_.tallies.streams.add(-1);
}

void Connection::die() {
  if (dead()) return;
  leave_phase();
  phase_ = Phase::dead;
}

bool Connection::older(Clock::time_point since, Limits::Duration limit) const {
  return loop_.now - since > limit;
}

void Connection::on_tick() {
  switch (phase_) {
    case Phase::reading:
      return tick_reading();
    case Phase::lingering:
      if (older(since_, limits().linger)) die();
      return;
    case Phase::working:
      return tick_working();
    case Phase::streaming:
    case Phase::flushing:
      return tick_output();
    case Phase::dead:
      return;
  }
}

void Connection::tick_working() {
  // The client has closed its side: half of it, or all? An interim answer is ignored by the one
  // and makes the other's system say that nobody is there.
  if ((eof_ || shut_) && !probed_ && asked_.minor > 0) {
    probed_ = true;
    put("HTTP/1.1 102 Processing\r\n\r\n");
  }
  if (dead() || told_late_ || !older(since_, limits().patience)) return;
  told_late_ = true;
  if (auto exchange = exchange_.lock()) exchange->late();
}

void Connection::tick_reading() {
  if (!out_.empty()) return tick_output();
  if (!clock_running_) {
    auto limit = used_ ? limits().keep_alive_timeout : limits().head_timeout;
    if (!older(since_, limit)) return;
    loop_.tallies.timeouts.add();
    return die();
  }
  if (parser_.in_body() && older(since_, limits().body_timeout)) {
    time_out("The body took too long to arrive.");
  } else if (!parser_.in_body() && older(since_, limits().head_timeout)) {
    time_out("The request took too long to arrive.");
  }
}

void Connection::time_out(std::string_view why) {
  loop_.tallies.timeouts.add();
  refuse({408, why}, in_);
}

void Connection::tick_output() {
  if (!out_.empty()) {
    if (!older(progress_, limits().write_stall)) return;
    loop_.tallies.timeouts.add();
    return die();
  }
  const bool may_ping = phase_ == Phase::streaming && !in_sized_body();
  if (may_ping && older(progress_, limits().heartbeat)) {
    events({{": ping\n\n", nullptr}});
  }
}

}  // namespace gantry::host::http
