#include "host/http/connection.hpp"

#include <utility>

#include "host/http/live_exchange.hpp"
#include "host/http/loop.hpp"

namespace gantry::host::http {

Connection::Connection(int fd, std::string peer, LoopState& loop)
    : state_(fd, std::move(peer), loop),
      writer_(state_),
      reader_(state_, writer_),
      pending_(loop.server->pending, ByteBudget::Progress::by_growth, give_way(Kept::input)),
      unread_(loop.server->unread, ByteBudget::Progress::by_decrease, give_way(Kept::output)) {}

// A budget calls the function from any thread.
ByteBudget::GiveWay Connection::give_way(Kept bytes) const {
  return [mailbox = std::weak_ptr(state_.loop.mailbox), target = state_.target, bytes] {
    const auto box = mailbox.lock();
    if (!box) return;
    box->post([target, bytes](Loop& loop) {
      auto work = [bytes](Connection& c) { c.drop(bytes); };
      loop.with(target, work);
    });
  };
}

void Connection::advance() {
  reader_.advance();
  hold_bytes();
}

// Called only here, with no lock held: another connection that is evicted takes its own lock.
void Connection::hold_bytes() {
  const std::size_t input = dead() ? 0 : reader_.held();
  const std::size_t output = dead() ? 0 : writer_.bytes();
  const bool held = std::exchange(holds_, input > 0 || output > 0);
  if (!holds_ && !held) return;
  if (!pending_.hold(input)) drop(Kept::input);
  if (!unread_.hold(output)) drop(Kept::output);
}

void Connection::drop(Kept bytes) {
  if (bytes == Kept::output) return writer_.drop();
  if (reader_.drop()) pending_.hold(0);
}

void Connection::on_tick() {
  switch (state_.phase()) {
    case Phase::reading:
      return writer_.bytes() > 0 ? writer_.on_tick() : reader_.on_tick();
    case Phase::lingering:
      if (state_.exceeds(state_.limits().linger)) die();
      return;
    case Phase::working:
      return tick_working();
    case Phase::streaming:
    case Phase::flushing:
      return writer_.on_tick();
    case Phase::dead:
      return;
  }
}

void Connection::read_last() {
  if (state_.is(Phase::lingering)) return;
  if (!state_.is(Phase::reading)) return die();
  reader_.on_readable(true);
  if (state_.is(Phase::reading) && reader_.is_idle()) die();
}

void Connection::end_reading() {
  if (state_.is(Phase::reading)) reader_.end();
}

void Connection::tick_working() {
  ConnectionState::Work& work = state_.work;
  // The client has closed its side: half of it, or all? An interim answer is ignored by a client
  // that closed half; the system of one that closed all resets the connection.
  if ((state_.eof || reader_.is_shut()) && !work.probed && work.asked.minor > 0) {
    work.probed = true;
    writer_.interim("HTTP/1.1 102 Processing\r\n\r\n");
  }
  if (dead() || work.is_late || !state_.exceeds(state_.limits().patience)) return;
  work.is_late = true;
  if (auto exchange = work.exchange.lock()) exchange->life().late();
}

void Connection::release() {
  if (auto exchange = state_.work.exchange.lock()) exchange->client_gone();
}

}  // namespace gantry::host::http
