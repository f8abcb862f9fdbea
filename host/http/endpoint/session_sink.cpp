#include "host/http/endpoint/session_sink.hpp"

#include "host/http/endpoint/event_outlet.hpp"
#include "host/rpc/message/error.hpp"

namespace gantry::host::http {

SessionSink::SessionSink(Reply reply, Gate& streams, SessionRequest request)
    : reply_(std::move(reply)),
      streams_(streams),
      request_(std::move(request)),
      tracker_(request_.session, request_.key) {}

// A primer makes a stream resumable from its first moment.
bool SessionSink::primes() const { return rpc::Features(request_.session->protocol()).primers(); }

bool SessionSink::open_stream() {
  if (form_ != Form::undecided) return form_ == Form::stream;
  form_ = Form::json;
  if (!request_.accepts.stream) return false;
  auto place = streams_.enter();
  // Without a place for a stream the call continues; only its messages before the answer are lost.
  if (!place && request_.accepts.json) return false;
  const auto outlet = std::make_shared<EventOutlet>(reply_, std::move(place));
  form_ = Form::stream;
  stream_ = request_.session->streams().open(outlet, primes());
  EventOutlet::watch(outlet, request_.session);
  return true;
}

void SessionSink::notify(std::string message) { request(std::move(message)); }

bool SessionSink::request(std::string message) {
  {
    std::lock_guard lock(mutex_);
    if (!open_stream()) return false;
  }
  request_.session->streams().send(stream_, std::move(message));
  return true;
}

void SessionSink::answer(rpc::Answer answer) {
  tracker_.answered();
  {
    std::lock_guard lock(mutex_);
    if (form_ == Form::undecided && request_.accepts.json) form_ = Form::json;
    if (!open_stream()) return reply_.json(answer.status, std::move(answer.body));
  }
  std::string instead;
  if (!request_.session->streams().fits(answer.body.size())) {
    instead = rpc::Error{
        rpc::kServerError,
        "The answer was too large to be kept while the connection was lost; send "
        "the request again",
        200,
        {}}.to_message(request_.id);
  }
  request_.session->streams().finish(stream_, std::move(answer.body), std::move(instead));
}

void SessionSink::started(RunningRequests::Cancel cancel) {
  tracker_.started(std::move(cancel));
  if (primes() && request_.accepts.stream) stream_when_late();
}

void SessionSink::stream_when_late() {
  reply_.exchange().when_late([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    std::lock_guard lock(self->mutex_);
    self->open_stream();
  });
}

bool SessionSink::release() {
  {
    std::lock_guard lock(mutex_);
    if (!primes() || !open_stream()) return false;
  }
  return request_.session->streams().release(stream_);
}

}  // namespace gantry::host::http
