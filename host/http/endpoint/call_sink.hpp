// host/http/endpoint/call_sink.hpp: the answer of one request of the modern era: JSON, or a stream
// once a notification precedes the answer. A client that disconnects cancels the request.
#pragma once

#include <memory>
#include <string>

#include "host/http/endpoint/reply.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/limits/gate.hpp"
#include "host/rpc/message/context.hpp"

namespace gantry::host::http {

class CallSink final : public rpc::Sink, public std::enable_shared_from_this<CallSink> {
 public:
  // `places` must outlive the sink. A stream that listens ends when `token` does; null: none.
  CallSink(Reply reply, StreamPlaces& places, std::shared_ptr<const TokenGrant> token)
      : reply_(std::move(reply)), places_(places), token_(std::move(token)) {}

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

  void expire();

  const Reply reply_;
  StreamPlaces& places_;
  const std::shared_ptr<const TokenGrant> token_;
  Form form_ = Form::undecided;
  Gate::Place place_;
  RunningRequests::Cancel cancel_;
  TokenExpiry::Watch expiry_;
};

}  // namespace gantry::host::http
