// host/rpc/request_trace.hpp (private): the span of one request, from its arrival to its answer.
//
// The attributes are those of OpenTelemetry's conventions for MCP servers, and gantry.agent,
// gantry.tenant (a fingerprint) and gantry.denial.kind. Never arguments, results or the user.
// Any thread; only the first end() counts.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "host/observe/tracer.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

class RequestTrace {
 public:
  // Null: the request is not sampled. The parent is `traceparent` of params._meta; without it, that
  // of the HTTP request. With both the HTTP request's is a link.
  static std::shared_ptr<RequestTrace> begin(std::shared_ptr<Tracer> tracer, const Message& message,
                                             const Context& context);
  // Ends the span of a request that never got an answer.
  ~RequestTrace();
  RequestTrace(const RequestTrace&) = delete;
  RequestTrace& operator=(const RequestTrace&) = delete;

  // The error code of an item's answer (empty: success) and the kind of its denial. Before end().
  void set_outcome(std::string_view code, std::string_view denial);
  // The request is answered with this message.
  void end(std::string_view response);

 private:
  RequestTrace(std::shared_ptr<Tracer> tracer, Span&& span, std::string_view id);
  void finish(std::string_view error_type);

  const std::shared_ptr<Tracer> tracer_;
  const std::string error_head_;  // the beginning of a response that is an error
  std::mutex mutex_;
  Span span_;
  bool tool_failed_ = false, ended_ = false;
};

// Makes sinks that end the trace with their answer.
class TracedChannel final : public Channel {
 public:
  // `channel` must outlive this.
  TracedChannel(Channel& channel, std::shared_ptr<RequestTrace> trace)
      : channel_(channel), trace_(std::move(trace)) {}
  std::shared_ptr<Sink> sink() override;

 private:
  Channel& channel_;
  const std::shared_ptr<RequestTrace> trace_;
};

}  // namespace gantry::host::rpc
