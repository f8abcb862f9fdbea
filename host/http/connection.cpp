// Input: from the socket to the handler. Output is in connection_output.cpp.
#include "host/http/connection.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "host/http/loop.hpp"
#include "host/http/page_of.hpp"

namespace gantry::host::http {
namespace {

// What one connection may read before the others of its thread have their turn.
constexpr std::size_t kTurn = 256 * 1024;
// Input that may wait behind a request being worked on.
constexpr std::size_t kWaitingInput = 64 * 1024;

// Memory that a connection keeps for input while it has none.
constexpr std::size_t kKeptInput = 4 * 1024;

thread_local Connection* t_dispatching = nullptr;

struct Dispatching {
  explicit Dispatching(Connection& c) { t_dispatching = &c; }
  ~Dispatching() { t_dispatching = nullptr; }
};

// What a budget calls from any thread.
ByteBudget::GiveWay told(const LoopState& loop, Target target, void (Connection::*what)()) {
  return [mailbox = std::weak_ptr(loop.mailbox), target, what] {
    const auto box = mailbox.lock();
    if (!box) return;
    box->post([target, what](Loop& here) {
      auto work = [what](Connection& c) { (c.*what)(); };
      here.with(target, work);
    });
  };
}

}  // namespace

Connection::Connection(int fd, std::string peer, LoopState& loop)
    : loop_(loop),
      target_{fd, loop.server->next_id.fetch_add(1)},
      peer_(std::move(peer)),
      parser_(loop.limits()),
      pending_(loop.server->pending, ByteBudget::Progress::by_growth,
               told(loop, target_, &Connection::drop_input)),
      unread_(loop.server->unread, ByteBudget::Progress::by_decrease,
              told(loop, target_, &Connection::drop_output)),
      since_(loop.now),
      progress_(loop.now) {}

Connection* Connection::dispatching(std::uint64_t id) {
  return t_dispatching && t_dispatching->target_.id == id ? t_dispatching : nullptr;
}

bool Connection::may_buffer() const {
  return phase_ == Phase::reading || phase_ == Phase::lingering || in_.size() < kWaitingInput;
}

void Connection::on_readable(bool hurry) {
  wants_turn_ = false;
  std::size_t taken = 0;
  while (!dead() && !eof_) {
    if ((paused_ = !may_buffer())) return on_shut_behind_input(hurry);
    ssize_t n = ::recv(target_.fd, loop_.buffer.data(), loop_.buffer.size(), MSG_DONTWAIT);
    if (n == 0) return on_eof();
    if (n < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) die();
      return;
    }
    auto size = static_cast<std::size_t>(n);
    loop_.tallies.received.add(n);
    receive({loop_.buffer.data(), size});
    // Less than asked for: the socket is empty, and new bytes make a new event.
    if (size < loop_.buffer.size() && !hurry) return;
    if ((taken += size) >= kTurn) {
      wants_turn_ = true;
      return;
    }
  }
}

void Connection::receive(std::string_view data) {
  if (in_.empty() && phase_ == Phase::reading) data.remove_prefix(consume(data));
  if (dead() || phase_ == Phase::lingering || dropped_ || data.empty()) return;
  bool waiting = !in_.empty();
  in_.append(data);
  if (waiting) advance();
}

// Feeds the parser until it needs more or a request is under way. Returns what was used.
std::size_t Connection::consume(std::string_view data) {
  std::size_t used = 0;
  while (phase_ == Phase::reading && used < data.size()) {
    auto step = parser_.feed(data.substr(used));
    used += step.used;
    switch (step.event) {
      case Parser::Event::more:
        return start_clock(data.substr(used)), used;
      case Parser::Event::head:
        clock_running_ = false;
        if (parser_.expects_continue() && used == data.size()) put("HTTP/1.1 100 Continue\r\n\r\n");
        start_clock("body");
        break;
      case Parser::Event::complete:
        dispatch(loop_.server->draining.load() ? Cause::stopping : Cause::none);
        break;
      case Parser::Event::oversize:
        dispatch(Cause::too_large);
        break;
      case Parser::Event::refused:
        refuse(parser_.refusal(), data.substr(used));
        break;
    }
  }
  return used;
}

// Time runs from a request's first byte, and anew from the end of its head.
void Connection::start_clock(std::string_view unused) {
  bool begun = !unused.empty() || parser_.in_body();
  if (!begun || clock_running_) return;
  clock_running_ = true;
  since_ = loop_.now;
}

void Connection::advance() {
  while (phase_ == Phase::reading && !in_.empty()) {
    std::size_t used = consume(in_);
    in_.erase(0, used);
    if (used == 0) break;
  }
  if (phase_ == Phase::lingering || dead()) in_.clear();
  if (phase_ == Phase::reading && eof_) die();
  if (paused_ && may_buffer() && !dead()) wants_turn_ = true;
  hold_bytes();
}

// Here alone, with no lock of anybody's on the stack: what has to give way for it may take its own.
void Connection::hold_bytes() {
  if (in_.empty() && in_.capacity() > kKeptInput) std::string().swap(in_);
  const bool gone = dead();
  const std::size_t input = gone ? 0 : (in_.empty() ? 0 : in_.capacity()) + parser_.held();
  const std::size_t output = gone ? 0 : out_.bytes();
  const bool held = std::exchange(holds_, input > 0 || output > 0);
  if (!holds_ && !held) return;
  if (!pending_.hold(input)) drop_input();
  if (!unread_.hold(output)) drop_output();
}

// What is being read is refused; what is being answered is answered, and is the last.
void Connection::drop_input() {
  if (dead() || phase_ == Phase::lingering) return;
  if (phase_ == Phase::reading && in_.empty() && !parser_.in_body()) return;  // it is done by now
  if (phase_ == Phase::reading && parser_.in_body()) {
    std::string().swap(parser_.request().body);
    dispatch(Cause::busy);
  } else if (phase_ == Phase::reading) {
    refuse({503, "The server is busy; try again."}, in_);
  }
  dropped_ = true;
  std::string().swap(in_);
  pending_.hold(0);
}

void Connection::dispatch(Cause refused) {
  used_ = true;
  clock_running_ = false;
  Request& request = parser_.request();
  request.peer = peer_;
  request.connection = target_.id;
  const bool keep = refused == Cause::none && parser_.keep_alive();
  asked_ = {keep, request.method() == "HEAD", request.http_minor()};
  auto exchange = std::make_shared<LiveExchange>(loop_, target_, asked_);
  exchange_ = exchange;
  phase_ = Phase::working;
  since_ = loop_.now;
  probed_ = told_late_ = shut_ = false;
  (refused == Cause::none ? loop_.tallies.requests : loop_.tallies.rejected).add();
  loop_.tallies.active.add();
  hand_over(std::move(exchange), refused);
  parser_.next();
}

void Connection::hand_over(std::shared_ptr<LiveExchange> exchange, Cause refused) {
  Dispatching mark(*this);
  try {
    Handler& handler = loop_.server->handler;
    Request&& request = std::move(parser_.request());
    refused == Cause::none ? handler.on_request(std::move(request), exchange)
                           : handler.on_refused(std::move(request), exchange, refused);
  } catch (...) {
    loop_.tallies.failures.add();
    exchange->reply(500, "text/plain", "The server failed on this request.\n", {});
    if (exchange->is_open()) die();  // a stream had begun
  }
}

// `head`: what has come of it, unless it is whole.
void Connection::refuse(const Refusal& refusal, std::string_view head) {
  answer_refused(refusal, parser_.in_body() ? parser_.request()
                                            : page_of(head.substr(0, limits().head_bytes)));
}

void Connection::answer_refused(const Refusal& refusal, const Request& page) {
  loop_.tallies.rejected.add();
  keep_ = false;
  phase_ = Phase::flushing;
  loop_.tallies.active.add();
  bool no_body = parser_.request().method() == "HEAD";
  ReplyHead head;
  head.status = refusal.status;
  head.content_type = "text/plain";
  head.length = refusal.why.size() + 1;
  head.keep = false;
  loop_.scratch.clear();
  const std::string_view origin = page.header("origin").value_or("");
  const std::array extra{Header{"Access-Control-Allow-Origin", origin}, Header{"Vary", "Origin"}};
  const bool shown =
      !origin.empty() && is_sendable(extra, {}) && loop_.server->handler.may_read(page);
  append_head(loop_.scratch, head, shown ? Headers(extra) : Headers());
  if (!no_body) loop_.scratch.append(refusal.why).append("\n");
  after_send(out_.send(target_.fd, loop_.scratch, {}));
}

void Connection::on_eof() {
  eof_ = true;
  paused_ = false;
  // A client that shut down its sending side may still wait for its answer. On a stream of events
  // it is gone: no client sends half of that.
  if (phase_ == Phase::working || phase_ == Phase::flushing || in_sized_body()) return;
  die();
}

// The peer closed its side behind more input than is read ahead: its end cannot be seen by reading.
void Connection::on_shut_behind_input(bool shut) {
  if (!shut) return;
  if (phase_ == Phase::streaming && !in_sized_body()) return die();
  shut_ = true;
}

void Connection::on_hangup() {
  if (paused_ || eof_) die();
}

void Connection::release() {
  if (auto exchange = exchange_.lock()) exchange->client_gone();
}

}  // namespace gantry::host::http
