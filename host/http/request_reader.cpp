#include "host/http/request_reader.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "host/http/live_exchange.hpp"
#include "host/http/partial_head.hpp"

namespace gantry::host::http {
namespace {

// Bytes that one connection may read before the others of its thread have their turn.
constexpr std::size_t kTurn = 256 * 1024;
// Input that may wait behind a request being worked on.
constexpr std::size_t kWaitingInput = 64 * 1024;
// Memory that a connection keeps for input while it has none.
constexpr std::size_t kKeptInput = 4 * 1024;

}  // namespace

RequestReader::RequestReader(ConnectionState& connection, ResponseWriter& writer)
    : connection_(connection), writer_(writer), parser_(connection.limits()) {}

bool RequestReader::may_buffer() const {
  return connection_.is(Phase::reading) || connection_.is(Phase::lingering) ||
         in_.size() < kWaitingInput;
}

void RequestReader::on_readable(bool hurry) {
  wants_turn_ = false;
  LoopState& loop = connection_.loop;
  std::size_t taken = 0;
  while (!connection_.is(Phase::dead) && !connection_.eof) {
    if ((paused_ = !may_buffer())) return on_shut_behind_input(hurry);
    const ssize_t n =
        ::recv(connection_.target.fd, loop.buffer.data(), loop.buffer.size(), MSG_DONTWAIT);
    if (n == 0) return on_eof();
    if (n < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) connection_.die();
      return;
    }
    const auto size = static_cast<std::size_t>(n);
    loop.tallies.received.add(n);
    receive({loop.buffer.data(), size});
    // Less than requested: the socket is empty, and new bytes make a new event.
    if (size < loop.buffer.size() && !hurry) return;
    if ((taken += size) >= kTurn) {
      wants_turn_ = true;
      return;
    }
  }
}

void RequestReader::receive(std::string_view data) {
  if (in_.empty() && connection_.is(Phase::reading)) data.remove_prefix(consume(data));
  const bool discards = connection_.is(Phase::dead) || connection_.is(Phase::lingering);
  if (discards || connection_.input_lost || data.empty()) return;
  const bool waiting = !in_.empty();
  in_.append(data);
  if (waiting) advance();
}

// Feeds the parser until it needs more or a request is under way. Returns the number of bytes used.
std::size_t RequestReader::consume(std::string_view data) {
  std::size_t used = 0;
  while (connection_.is(Phase::reading) && used < data.size()) {
    const auto step = parser_.feed(data.substr(used));
    used += step.used;
    switch (step.event) {
      case Parser::Event::more:
        return start_clock(used < data.size() || parser_.in_body()), used;
      case Parser::Event::head:
        began_.reset();
        if (parser_.expects_continue() && used == data.size()) {
          writer_.interim("HTTP/1.1 100 Continue\r\n\r\n");
        }
        start_clock(true);
        break;
      case Parser::Event::complete:
        dispatch(connection_.loop.server->draining.load() ? Cause::stopping : Cause::none);
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

void RequestReader::start_clock(bool begun) {
  if (begun && !began_) began_ = connection_.loop.now;
}

void RequestReader::advance() {
  while (connection_.is(Phase::reading) && !in_.empty()) {
    const std::size_t used = consume(in_);
    in_.erase(0, used);
    if (used == 0) break;
  }
  if (connection_.is(Phase::lingering) || connection_.is(Phase::dead)) in_.clear();
  if (connection_.is(Phase::reading) && connection_.eof) connection_.die();
  if (paused_ && may_buffer() && !connection_.is(Phase::dead)) wants_turn_ = true;
  if (in_.empty() && in_.capacity() > kKeptInput) std::string().swap(in_);
}

std::size_t RequestReader::held() const {
  return (in_.empty() ? 0 : in_.capacity()) + parser_.held();
}

bool RequestReader::drop() {
  const bool reads = connection_.is(Phase::reading);
  if (connection_.is(Phase::dead) || connection_.is(Phase::lingering)) return false;
  if (reads && in_.empty() && !parser_.in_body()) return false;
  if (reads && parser_.in_body()) {
    std::string().swap(parser_.request().body);
    dispatch(Cause::busy);
  } else if (reads) {
    refuse({503, "The server is busy; try again."}, in_);
  }
  connection_.input_lost = true;
  std::string().swap(in_);
  return true;
}

void RequestReader::dispatch(Cause refused) {
  used_ = true;
  began_.reset();
  shut_ = false;
  LoopState& loop = connection_.loop;
  Request& request = parser_.request();
  request.peer = connection_.peer;
  request.connection = connection_.target.id;
  const bool keep = refused == Cause::none && parser_.keep_alive();
  const AskedFor asked{keep, request.method() == "HEAD", request.http_minor()};
  const auto exchange = std::make_shared<LiveExchange>(loop, connection_.target, asked);
  connection_.work = {asked, exchange};
  connection_.enter(Phase::working);
  (refused == Cause::none ? loop.tallies.requests : loop.tallies.rejected).add();
  hand_over(exchange, refused);
  parser_.next();
}

void RequestReader::hand_over(const std::shared_ptr<LiveExchange>& exchange, Cause refused) {
  const ResponseWriter::Dispatching mark(writer_);
  LoopState& loop = connection_.loop;
  try {
    Handler& handler = loop.server->handler;
    Request&& request = std::move(parser_.request());
    refused == Cause::none ? handler.on_request(std::move(request), exchange)
                           : handler.on_refused(std::move(request), exchange, refused);
  } catch (...) {
    loop.tallies.failures.add();
    exchange->reply(500, "text/plain", "The server failed on this request.\n", {});
    if (exchange->is_open()) connection_.die();  // a stream had begun
  }
}

// `head`: the received part of an incomplete head.
void RequestReader::refuse(const Refusal& refusal, std::string_view head) {
  const bool is_head = parser_.request().method() == "HEAD";
  if (parser_.in_body()) return writer_.refuse(refusal, parser_.request(), is_head);
  const auto known = head.substr(0, connection_.limits().head_bytes);
  writer_.refuse(refusal, origin_of_partial_head(known), is_head);
}

void RequestReader::on_eof() {
  connection_.eof = true;
  paused_ = false;
  // A client that shut down its sending side may still wait for its answer. On a stream of events
  // it counts as disconnected, because no client does that while it listens.
  const bool waits = connection_.is(Phase::working) || connection_.is(Phase::flushing);
  if (!waits && !writer_.in_sized_body()) connection_.die();
}

// The peer closed its side behind more input than is read ahead: its end cannot be seen by reading.
void RequestReader::on_shut_behind_input(bool shut) {
  if (!shut) return;
  if (connection_.is(Phase::streaming) && !writer_.in_sized_body()) return connection_.die();
  shut_ = true;
}

void RequestReader::on_hangup() {
  if (paused_ || connection_.eof) connection_.die();
}

void RequestReader::on_tick() {
  const Limits& limits = connection_.limits();
  if (!began_) {
    if (!connection_.exceeds(used_ ? limits.keep_alive_timeout : limits.head_timeout)) return;
    connection_.loop.tallies.timeouts.add();
    return connection_.die();
  }
  const auto taken = connection_.loop.now - *began_;
  if (parser_.in_body() && taken > limits.body_timeout) {
    time_out("The body took too long to arrive.");
  } else if (!parser_.in_body() && taken > limits.head_timeout) {
    time_out("The request took too long to arrive.");
  }
}

void RequestReader::end() {
  if (!began_) return connection_.die();
  refuse({503, "This server is shutting down."}, in_);
}

void RequestReader::time_out(std::string_view why) {
  connection_.loop.tallies.timeouts.add();
  refuse({408, why}, in_);
}

}  // namespace gantry::host::http
