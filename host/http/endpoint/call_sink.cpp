#include "host/http/endpoint/call_sink.hpp"

namespace gantry::host::http {

CallSink::CallSink(Reply reply, Gate& streams, std::shared_ptr<Session> session, std::string key)
    : reply_(std::move(reply)),
      streams_(streams),
      cancel_when_gone_(session == nullptr),
      tracker_(std::move(session), std::move(key)) {}

void CallSink::notify(std::string message) {
  if (form_ == Form::undecided) {
    place_ = streams_.enter();
    // Without a place for a stream the call goes on; only what it says on the way is lost.
    form_ = place_ && reply_.open_stream() ? Form::stream : Form::json;
  }
  if (form_ == Form::stream) reply_.exchange().write(as_event(message));
}

void CallSink::answer(rpc::Answer answer) {
  tracker_.answered();
  if (form_ != Form::stream) {
    reply_.json(answer.status, std::move(answer.body));
    return;
  }
  reply_.exchange().write(as_event(answer.body));
  reply_.exchange().close();
  place_ = {};
}

void CallSink::started(Session::Cancel cancel) {
  if (!cancel_when_gone_) {
    tracker_.started(std::move(cancel));
  } else if (reply_.exchange().is_open()) {
    reply_.exchange().on_disconnect([cancel = std::move(cancel)] { cancel(Stop::disconnected); });
  }
}

}  // namespace gantry::host::http
