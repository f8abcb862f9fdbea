// host/http/endpoint/call_sink.hpp: the answer of one request of the modern era: JSON, or a stream
// once a notification precedes the answer. A client that disconnects cancels the request.
#pragma once

#include <memory>
#include <string>

#include "host/http/endpoint/reply.hpp"
#include "host/limits/gate.hpp"
#include "host/rpc/message/context.hpp"

namespace gantry::host::http {

class CallSink final : public rpc::Sink {
 public:
  // The gates must outlive the sink: places for streams of running requests, and for listeners.
  CallSink(Reply reply, Gate& streams, Gate& listeners)
      : reply_(std::move(reply)), streams_(streams), listeners_(listeners) {}

  void notify(std::string message) override;
  void answer(rpc::Answer answer) override;
  void started(RunningRequests::Cancel cancel) override;
  bool listen() override;
  std::size_t backlog() const override { return reply_.exchange().backlog(); }
  void when_drained(std::function<void()> drained) override {
    reply_.exchange().when_drained(std::move(drained));
  }

 private:
  enum class Form { undecided, stream, json };

  const Reply reply_;
  Gate& streams_;
  Gate& listeners_;
  Form form_ = Form::undecided;
  Gate::Place place_;
};

}  // namespace gantry::host::http
