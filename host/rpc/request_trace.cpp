#include "host/rpc/request_trace.hpp"

#include <utility>

#include <rapidjson/document.h>

#include "host/auth/digest.hpp"
#include "host/rpc/message/envelope.hpp"

namespace gantry::host::rpc {
namespace {

std::string_view header_of(const Context& context, std::string_view name) {
  return context.headers == nullptr ? "" : context.headers->get(name).value_or("");
}

std::string_view param_text(const Message& message, std::string_view name) {
  return text_of(message.param(name)).value_or("");
}

void add_target(Span& span, const Message& message) {
  const std::string_view method = message.method();
  if (method == "tools/call") {
    span.add("gen_ai.operation.name", "execute_tool");
    span.add("gen_ai.tool.name", param_text(message, "name"));
  } else if (method == "prompts/get") {
    span.add("gen_ai.prompt.name", param_text(message, "name"));
  } else if (method.starts_with("resources/")) {
    return span.add("mcp.resource.uri", param_text(message, "uri"));
  } else {
    return;
  }
  const std::string_view target = span.attributes.back().second;
  if (!param_text(message, "name").empty()) span.name += " " + std::string(target);
}

void add_caller(Span& span, const Message& message, const Context& context) {
  const bool is_http = context.headers != nullptr;
  span.add("mcp.protocol.version", context.revision);
  if (context.session != nullptr) span.add("mcp.session.id", context.session->id());
  span.add("jsonrpc.request.id", message.id_text().value_or(message.id()));
  span.add("network.transport", is_http ? "tcp" : "pipe");
  if (is_http) span.add("network.protocol.name", "http");
  span.add("client.address", context.party.peer);
  const Agent& agent = *context.principal.agent;
  span.add("gantry.agent", agent.name);
  if (agent.tenant_id) span.add("gantry.tenant", fingerprint_of(*agent.tenant_id));
}

// The code of a response that is an error; 0: none.
int code_of_error(std::string_view response) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(response.data(), response.size());
  if (document.HasParseError()) return 0;
  const auto* code = member(member(&document, "error"), "code");
  return code != nullptr && code->IsInt() ? code->GetInt() : 0;
}

class TracedSink final : public Sink {
 public:
  TracedSink(std::shared_ptr<Sink> sink, std::shared_ptr<RequestTrace> trace)
      : sink_(std::move(sink)), trace_(std::move(trace)) {}

  void notify(std::string message) override { sink_->notify(std::move(message)); }
  bool request(std::string message) override { return sink_->request(std::move(message)); }
  void answer(Answer answer) override {
    trace_->end(answer.body);
    sink_->answer(std::move(answer));
  }
  void started(RunningRequests::Cancel cancel) override { sink_->started(std::move(cancel)); }
  bool listen() override { return sink_->listen(); }
  std::size_t backlog() const override { return sink_->backlog(); }
  void when_drained(std::function<void()> drained) override {
    sink_->when_drained(std::move(drained));
  }
  bool release() override { return sink_->release(); }

 private:
  const std::shared_ptr<Sink> sink_;
  const std::shared_ptr<RequestTrace> trace_;
};

}  // namespace

std::shared_ptr<RequestTrace> RequestTrace::begin(std::shared_ptr<Tracer> tracer,
                                                  const Message& message, const Context& context) {
  const auto asked = parse_traceparent(text_of(message.meta("traceparent")).value_or(""));
  const auto http = parse_traceparent(header_of(context, "traceparent"));
  auto span = tracer->begin(asked ? asked : http);
  if (!span) return nullptr;
  span->name = message.method();
  if (asked && http && http != asked) span->link = http;
  span->add("mcp.method.name", message.method());
  add_target(*span, message);
  add_caller(*span, message, context);
  return std::shared_ptr<RequestTrace>(
      new RequestTrace(std::move(tracer), std::move(*span), message.id()));
}

RequestTrace::RequestTrace(std::shared_ptr<Tracer> tracer, Span&& span, std::string_view id)
    : tracer_(std::move(tracer)), error_head_(response_head(id, "error")), span_(std::move(span)) {}

RequestTrace::~RequestTrace() {
  if (!ended_) finish("cancelled");
}

void RequestTrace::set_outcome(std::string_view code, std::string_view denial) {
  std::lock_guard lock(mutex_);
  if (ended_) return;
  tool_failed_ = !code.empty() && code != "input_required";
  span_.add("gantry.denial.kind", denial);
}

void RequestTrace::end(std::string_view response) {
  std::lock_guard lock(mutex_);
  if (std::exchange(ended_, true)) return;
  if (response.starts_with(error_head_)) {
    const std::string code = std::to_string(code_of_error(response));
    span_.add("rpc.response.status_code", code);
    return finish(code);
  }
  finish(tool_failed_ ? "tool_error" : "");
}

void RequestTrace::finish(std::string_view error_type) {
  span_.add("error.type", error_type);
  span_.failed = !error_type.empty();
  tracer_->end(std::move(span_));
}

std::shared_ptr<Sink> TracedChannel::sink() {
  return std::make_shared<TracedSink>(channel_.sink(), trace_);
}

}  // namespace gantry::host::rpc
