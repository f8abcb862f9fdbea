// host/rpc/request_trace.hpp (private): one request from its arrival to its answer: its duration in
// the metrics and, if it is sampled, its span with those of the stores that it asked.
//
// The attributes are those of OpenTelemetry's conventions for MCP servers, and gantry.agent,
// gantry.tenant (a fingerprint) and gantry.denial.kind. Never arguments, results or the user.
// Any thread; only the first end() counts.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "host/observe/metrics.hpp"
#include "host/observe/tracer.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

class RequestTrace {
 public:
  // `metrics` must outlive it; `tracer` may be null. The parent is `traceparent` of params._meta;
  // without it, that of the HTTP request. With both the HTTP request's is a link.
  static std::shared_ptr<RequestTrace> begin(Metrics& metrics, std::shared_ptr<Tracer> tracer,
                                             const Message& message, const Context& context);
  // Ends the request if it never got an answer.
  ~RequestTrace();
  RequestTrace(const RequestTrace&) = delete;
  RequestTrace& operator=(const RequestTrace&) = delete;

  // It has a span: what the request does inside may have spans, too.
  bool is_sampled() const { return span_.has_value(); }
  // A tool of the registry, for the metrics. Before end().
  void set_tool(std::string_view name);
  // The error code of an item's answer (empty: success) and the kind of its denial. Before end().
  void set_outcome(std::string_view code, std::string_view denial);
  // A span inside this one, as contract::kSpanPart; ignored if it is none or not sampled, and
  // beyond 64.
  void add_inner(std::string_view json);
  // The request is answered with this message.
  void end(std::string_view response);

 private:
  RequestTrace(Metrics& metrics, std::shared_ptr<Tracer> tracer, const Message& message);
  void finish(std::string_view error_type);

  Metrics& metrics_;
  const std::shared_ptr<Tracer> tracer_;
  const Metrics::Method method_;
  const std::size_t member_at_;  // where the member "result" or "error" of the answer begins
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<Span> span_;  // set by begin() alone until finish()
  std::mutex mutex_;          // of the members below, and of what span_ holds
  std::string tool_;
  std::size_t inner_ = 0;  // spans that were added
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
