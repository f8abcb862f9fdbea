#include "host/rpc/request_trace.hpp"

#include <utility>

#include <rapidjson/document.h>

#include "host/auth/digest.hpp"
#include "host/base/text.hpp"

namespace gantry::host::rpc {
namespace {

// Of every answer, see response_head().
constexpr std::string_view kBeforeId = R"({"jsonrpc":"2.0","id":)";

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

// Nothing: the request is not sampled.
std::optional<Span> span_of(const Tracer& tracer, const Message& message, const Context& context) {
  const auto asked = parse_traceparent(text_of(message.meta("traceparent")).value_or(""));
  const auto http = parse_traceparent(header_of(context, "traceparent"));
  auto span = tracer.begin(asked ? asked : http);
  if (!span) return std::nullopt;
  span->name = message.method();
  if (asked && http && http != asked) span->link = http;
  span->add("mcp.method.name", message.method());
  add_target(*span, message);
  add_caller(*span, message, context);
  return span;
}

// What a plugin may say of a span. No text of a query is among it.
constexpr std::string_view kInnerTexts[] = {"db.system.name", "db.collection.name",
                                            "db.operation.name", "db.query.summary", "error.type"};
constexpr std::string_view kInnerNumbers[] = {"db.response.returned_rows"};

std::optional<Span::Time> time_in(const rapidjson::Value& span, std::string_view name) {
  const auto* ns = member(&span, name);
  if (ns == nullptr || !ns->IsInt64()) return std::nullopt;
  return Span::Time(
      std::chrono::duration_cast<Span::Time::duration>(std::chrono::nanoseconds(ns->GetInt64())));
}

// False: the text is no span.
bool read_inner(std::string_view json, Span& out) {
  rapidjson::Document span;
  span.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (span.HasParseError() || !span.IsObject()) return false;
  const auto name = text_of(member(&span, "name"));
  const auto begin = time_in(span, "begin_ns"), end = time_in(span, "end_ns");
  if (!name || !begin || !end || *end < *begin) return false;
  out.name = shortened(*name, 256);
  out.begin = *begin;
  out.end = *end;
  out.asks_another = true;
  const auto* attributes = member(&span, "attributes");
  for (const std::string_view key : kInnerTexts)
    out.add(key, text_of(member(attributes, key)).value_or(""));
  for (const std::string_view key : kInnerNumbers) {
    const auto* number = member(attributes, key);
    if (number != nullptr && number->IsInt64()) out.add(key, number->GetInt64());
  }
  out.failed = member(attributes, "error.type") != nullptr;
  return true;
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

std::shared_ptr<RequestTrace> RequestTrace::begin(Metrics& metrics, std::shared_ptr<Tracer> tracer,
                                                  const Message& message, const Context& context) {
  std::shared_ptr<RequestTrace> trace(new RequestTrace(metrics, std::move(tracer), message));
  if (trace->tracer_) trace->span_ = span_of(*trace->tracer_, message, context);
  return trace;
}

RequestTrace::RequestTrace(Metrics& metrics, std::shared_ptr<Tracer> tracer, const Message& message)
    : metrics_(metrics),
      tracer_(std::move(tracer)),
      method_(message.method()),
      member_at_(kBeforeId.size() + message.id().size() + 1) {}

RequestTrace::~RequestTrace() {
  if (!ended_) finish("cancelled");
}

void RequestTrace::set_tool(std::string_view name) {
  const std::lock_guard lock(mutex_);
  tool_ = name;
}

void RequestTrace::set_outcome(std::string_view code, std::string_view denial) {
  std::lock_guard lock(mutex_);
  if (ended_) return;
  tool_failed_ = !code.empty() && code != "input_required";
  if (span_) span_->add("gantry.denial.kind", denial);
}

void RequestTrace::add_inner(std::string_view json) {
  constexpr std::size_t kMostInner = 64;
  std::lock_guard lock(mutex_);
  if (ended_ || !span_ || inner_ == kMostInner) return;
  Span inner = Tracer::inside(*span_);
  if (!read_inner(json, inner)) return;
  ++inner_;
  tracer_->end(std::move(inner));
}

void RequestTrace::end(std::string_view response) {
  std::lock_guard lock(mutex_);
  if (std::exchange(ended_, true)) return;
  if (response.size() > member_at_ && response.substr(member_at_).starts_with("\"error\":")) {
    const std::string code = std::to_string(code_of_error(response));
    if (span_) span_->add("rpc.response.status_code", code);
    return finish(code);
  }
  finish(tool_failed_ ? "tool_error" : "");
}

void RequestTrace::finish(std::string_view error_type) {
  metrics_.operation_ended(method_, tool_, error_type, std::chrono::steady_clock::now() - began_);
  if (!span_) return;
  span_->add("error.type", error_type);
  span_->failed = !error_type.empty();
  tracer_->end(std::move(*span_));
}

std::shared_ptr<Sink> TracedChannel::sink() {
  return std::make_shared<TracedSink>(channel_.sink(), trace_);
}

}  // namespace gantry::host::rpc
