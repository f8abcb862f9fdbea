#include "host/observe/span.hpp"

#include "host/base/json.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMaxValue = 256;
constexpr int kServer = 2, kClient = 3;  // SpanKind
constexpr int kError = 2;                // StatusCode

std::string nanoseconds(Span::Time when) {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count());
}

// `value`: JSON text.
void append_attribute(std::string& out, std::string_view key, std::string_view type,
                      std::string_view value) {
  if (!out.ends_with('[')) out += ',';
  out += "{\"key\":";
  append_json_string(out, key);
  out.append(",\"value\":{\"").append(type).append("\":").append(value).append("}}");
}

void append_attribute(std::string& out, std::string_view key, std::string_view value) {
  append_attribute(out, key, "stringValue", json_string(value));
}

void append_link(std::string& out, const TraceContext& link) {
  out += ",\"links\":[{";
  append_text_member(out, "traceId", link.trace_id);
  append_text_member(out, "spanId", link.span_id);
  out += "}]";
}

void append_span(std::string& out, const Span& span) {
  out += '{';
  append_text_member(out, "traceId", span.self.trace_id);
  append_text_member(out, "spanId", span.self.span_id);
  if (!span.parent_id.empty()) append_text_member(out, "parentSpanId", span.parent_id);
  append_text_member(out, "name", span.name);
  append_json_member(out, "kind", std::to_string(span.asks_another ? kClient : kServer));
  append_text_member(out, "startTimeUnixNano", nanoseconds(span.begin));
  append_text_member(out, "endTimeUnixNano", nanoseconds(span.end));
  append_json_member(out, "attributes", "[");
  for (const auto& [key, value] : span.attributes) append_attribute(out, key, value);
  // A 64-bit number is a text in OTLP's JSON.
  for (const auto& [key, value] : span.numbers)
    append_attribute(out, key, "intValue", json_string(std::to_string(value)));
  out += ']';
  if (span.link) append_link(out, *span.link);
  if (span.failed) append_json_member(out, "status", "{\"code\":" + std::to_string(kError) + "}");
  out += '}';
}

}  // namespace

void Span::add(std::string_view key, std::string_view value) {
  if (!value.empty()) attributes.emplace_back(key, shortened(value, kMaxValue));
}

std::string otlp_json(std::span<const Span> spans, std::string_view version) {
  std::string out = R"({"resourceSpans":[{"resource":{"attributes":[)";
  append_attribute(out, "service.name", "gantry");
  append_attribute(out, "service.version", version);
  out += R"(]},"scopeSpans":[{"scope":{"name":"gantry"},"spans":[)";
  for (const Span& span : spans) {
    if (!out.ends_with('[')) out += ',';
    append_span(out, span);
  }
  return out + "]}]}]}";
}

}  // namespace gantry::host
