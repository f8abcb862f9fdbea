// host/http/endpoint/call_sink.hpp: the answer of one request over HTTP: JSON, or a stream once
// something had to be said before the answer.
#pragma once

#include <memory>
#include <string>

#include "host/http/endpoint/reply.hpp"
#include "host/limits/gate.hpp"
#include "host/rpc/context.hpp"
#include "host/rpc/tracker.hpp"

namespace gantry::host::http {

// How a request ends early: by its client's going away (modern), or by its session alone.
class CallSink final : public rpc::Sink {
 public:
  // `streams` must outlive the sink. Without a session the client's going away cancels.
  CallSink(Reply reply, Gate& streams, std::shared_ptr<Session> session, std::string key);

  void notify(std::string message) override;
  void answer(rpc::Answer answer) override;
  void started(Session::Cancel cancel) override;

 private:
  enum class Form { undecided, stream, json };

  const Reply reply_;
  Gate& streams_;
  const bool cancel_when_gone_;
  rpc::Tracker tracker_;
  Form form_ = Form::undecided;
  Gate::Place place_;
};

}  // namespace gantry::host::http
