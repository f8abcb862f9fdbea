#include "host/http/live_exchange.hpp"

#include <utility>

#include "host/http/connection.hpp"
#include "host/http/loop.hpp"

namespace gantry::host::http {
namespace {

// What an event costs besides its bytes; so the bound also holds for very small ones.
constexpr std::size_t kPieceCost = sizeof(Piece);

bool is_sound(int status, std::string_view content_type, Headers extra) {
  return status >= 200 && status <= 599 && is_sendable(extra, content_type);
}

}  // namespace

LiveExchange::LiveExchange(const LoopState& loop, Target target, AskedFor asked)
    : server_(loop.server), mailbox_(loop.mailbox), target_(target), asked_(asked) {}

LiveExchange::~LiveExchange() {
  try {
    if (claim(State::pending, State::complete)) {
      finish_claimed(500, "text/plain", {"The request was given up.\n", nullptr}, {});
    } else if (state_.load() == State::streaming) {
      on_connection([](Connection& c) { c.die(); });
    }
  } catch (...) {  // no memory: the connection stays until the client or the server ends it
  }
}

template <class Work>
bool LiveExchange::on_connection(Work work) {
  if (auto* here = Connection::dispatching(target_.id)) {
    work(*here);
    return true;
  }
  return mailbox_->post(
      [target = target_, work = std::move(work)](Loop& loop) mutable { loop.with(target, work); });
}

bool LiveExchange::keep() const { return asked_.keep && !server_->draining.load(); }

bool LiveExchange::reply(int status, std::string_view content_type, std::string body,
                         Headers extra) {
  return finish(status, content_type, {std::move(body), nullptr}, extra);
}

bool LiveExchange::reply(int status, std::string_view content_type,
                         std::shared_ptr<const std::string> body, Headers extra) {
  return finish(status, content_type, {{}, std::move(body)}, extra);
}

bool LiveExchange::finish(int status, std::string_view content_type, Piece body, Headers extra) {
  if (!claim(State::pending, State::complete)) return false;
  if (!is_sound(status, content_type, extra)) {
    return finish_claimed(500, "text/plain", {"The answer's head was unsound.\n", nullptr}, {});
  }
  return finish_claimed(status, content_type, std::move(body), extra);
}

bool LiveExchange::finish_claimed(int status, std::string_view content_type, Piece body,
                                  Headers extra) {
  ReplyHead head = head_of(status, content_type);
  head.length = body.view().size();
  return send_claimed(head, std::move(body), extra);
}

ReplyHead LiveExchange::head_of(int status, std::string_view content_type) const {
  ReplyHead head;
  head.status = status;
  head.content_type = content_type;
  head.keep = keep();
  head.request_minor = asked_.minor;
  return head;
}

bool LiveExchange::send_claimed(const ReplyHead& head, Piece body, Headers extra) {
  forget_callbacks();
  if (asked_.head || !has_body(head.status)) body = {};
  if (auto* here = Connection::dispatching(target_.id)) {
    here->answer(head, extra, std::move(body));
    return true;
  }
  std::string bytes;
  append_head(bytes, head, extra);
  return on_connection([bytes = std::move(bytes), body = std::move(body), keep = head.keep](
                           Connection& c) mutable { c.answer(bytes, std::move(body), keep); });
}

bool LiveExchange::open_stream(Headers extra) {
  if (!is_sendable(extra, {})) return refuse_headers();
  if (asked_.head) {
    finish(200, "text/event-stream", {}, extra);
    return false;
  }
  if (!claim(State::pending, State::streaming)) return false;
  ReplyHead head = head_of(200, "text/event-stream");
  head.stream = true;
  head.framing = asked_.minor > 0 ? Framing::chunked : Framing::until_close;
  head.keep = head.framing == Framing::chunked && head.keep;
  return begin_stream(head, extra);
}

bool LiveExchange::open_body(int status, std::string_view content_type, std::uint64_t length,
                             Headers extra) {
  if (!is_sound(status, content_type, extra)) return refuse_headers();
  ReplyHead head = head_of(status, content_type);
  head.length = length;
  if (asked_.head || length == 0 || !has_body(status)) {
    if (claim(State::pending, State::complete)) send_claimed(head, {}, extra);
    return false;
  }
  if (!claim(State::pending, State::streaming)) return false;
  {
    std::lock_guard lock(mutex_);
    is_sized_ = true;
    missing_ = length;
  }
  return begin_stream(head, extra);
}

bool LiveExchange::refuse_headers() {
  finish(500, "text/plain", {"The answer's head was unsound.\n", nullptr}, {});
  return false;
}

bool LiveExchange::begin_stream(const ReplyHead& head, Headers extra) {
  std::string bytes;
  append_head(bytes, head, extra);
  return on_connection(
      [bytes = std::move(bytes), framing = head.framing, keep = head.keep](Connection& c) mutable {
        c.open_stream(std::move(bytes), framing, keep);
      });
}

bool LiveExchange::write(std::string events) { return enqueue({std::move(events), nullptr}); }

bool LiveExchange::write(std::shared_ptr<const std::string> events) {
  return enqueue({{}, std::move(events)});
}

bool LiveExchange::enqueue(Piece events) {
  if (state_.load() != State::streaming) return false;
  if (events.view().empty()) return true;
  auto gathered = gather(std::move(events));
  if (gathered == Gathered::refused) {
    cut();
    return false;
  }
  // One task carries whatever has gathered until it runs.
  if (auto* here = Connection::dispatching(target_.id)) {
    here->events(take());
    return true;
  }
  return gathered == Gathered::more || mailbox_->post_events(shared_from_this());
}

LiveExchange::Gathered LiveExchange::gather(Piece events) {
  std::lock_guard lock(mutex_);
  std::size_t cost = events.view().size() + kPieceCost;
  if (is_sized_ && events.view().size() > missing_) return Gathered::refused;
  if (posted_ + cost + backlog_.load() > server_->limits.queued_bytes) return Gathered::refused;
  posted_ += cost;
  if (is_sized_) missing_ -= events.view().size();
  pending_.push_back(std::move(events));
  return pending_.size() == 1 ? Gathered::first : Gathered::more;
}

std::vector<Piece> LiveExchange::take() {
  std::lock_guard lock(mutex_);
  backlog_.fetch_add(posted_);  // until the connection says what is really left
  posted_ = 0;
  return std::exchange(pending_, {});
}

// Not through `claim`: the connection's end still has to be reported to on_disconnect.
void LiveExchange::cut() {
  on_connection([](Connection& c) { c.cut(); });
}

void LiveExchange::close() {
  if (!claim(State::streaming, State::complete)) return;
  forget_callbacks();
  bool is_whole = true;
  {
    std::lock_guard lock(mutex_);
    is_whole = missing_ == 0;
  }
  on_connection([is_whole](Connection& c) { is_whole ? c.end_stream() : c.die(); });
}

void LiveExchange::on_disconnect(std::function<void()> gone) {
  std::lock_guard lock(mutex_);
  gone_ = std::move(gone);
  if (state_.load() != State::gone) return;
  // The client went first: still called on the I/O thread, never inside this function.
  mailbox_->post([call = std::exchange(gone_, nullptr)](Loop&) { call(); });
}

bool LiveExchange::is_open() const {
  auto state = state_.load();
  return state == State::pending || state == State::streaming;
}

// What the callback holds must not live on with a finished exchange; it may be the exchange.
void LiveExchange::forget_callbacks() {
  std::function<void()> gone, drained, late;  // destroyed after the lock is released
  {
    std::lock_guard lock(mutex_);
    gone.swap(gone_);
    drained.swap(drained_);
    late.swap(late_);
  }
}

void LiveExchange::when_drained(std::function<void()> drained) {
  std::function<void()> replaced;
  std::lock_guard lock(mutex_);
  replaced = std::exchange(drained_, nullptr);
  if (state_.load() != State::streaming) return;
  if (stuck_.load() > 0) {
    drained_ = std::move(drained);
  } else {
    mailbox_->post([call = std::move(drained)](Loop&) { call(); });
  }
}

void LiveExchange::set_backlog(std::size_t bytes) {
  backlog_.store(bytes);
  if (bytes == 0 && stuck_.load() == 0) return;  // nothing waited, so nobody waits for its end
  std::lock_guard lock(mutex_);
  stuck_.store(bytes);
  if (bytes > 0 || !drained_) return;
  // Not from here: the connection is in the middle of something, and the callback may write.
  mailbox_->post([call = std::exchange(drained_, nullptr)](Loop&) { call(); });
}

void LiveExchange::when_late(std::function<void()> late) {
  std::lock_guard lock(mutex_);
  if (state_.load() == State::pending) late_ = std::move(late);
}

void LiveExchange::late() {
  std::function<void()> call;
  {
    std::lock_guard lock(mutex_);
    call = std::exchange(late_, nullptr);
  }
  if (call && state_.load() == State::pending) call();
}

void LiveExchange::client_gone() {
  if (!claim(State::pending, State::gone) && !claim(State::streaming, State::gone)) return;
  std::function<void()> call;
  {
    std::lock_guard lock(mutex_);
    call = std::exchange(gone_, nullptr);
  }
  forget_callbacks();
  if (call) call();
}

}  // namespace gantry::host::http
