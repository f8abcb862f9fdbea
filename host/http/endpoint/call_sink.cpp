#include "host/http/endpoint/call_sink.hpp"

namespace gantry::host::http {

void CallSink::notify(std::string message) {
  if (form_ == Form::undecided) {
    place_ = places_.requests.enter();
    // Without a place for a stream the call continues; only its notifications are lost.
    form_ = place_ && reply_.open_stream() ? Form::stream : Form::json;
  }
  if (form_ == Form::stream) reply_.exchange().write(as_event(message));
}

void CallSink::answer(rpc::Answer answer) {
  if (form_ != Form::stream) {
    reply_.json(answer.status, std::move(answer.body));
    return;
  }
  reply_.exchange().write(as_event(answer.body));
  reply_.exchange().close();
  place_ = {};
}

void CallSink::started(RunningRequests::Cancel cancel) {
  if (!reply_.exchange().is_open()) return;
  cancel_ = cancel;
  reply_.exchange().on_disconnect([cancel = std::move(cancel)] { cancel(Stop::disconnected); });
}

bool CallSink::listen() {
  place_ = places_.listeners.enter();
  if (!place_) return false;
  reply_.open_stream();  // started() reports a client that has already gone
  form_ = Form::stream;
  expiry_ = places_.expiry.watch(token_.get(), [weak = weak_from_this()] {
    if (const auto sink = weak.lock()) sink->expire();
  });
  return true;
}

void CallSink::expire() {
  if (cancel_) cancel_(Stop::disconnected);
  reply_.exchange().close();
}

}  // namespace gantry::host::http
