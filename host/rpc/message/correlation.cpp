#include "host/rpc/message/correlation.hpp"

#include "host/base/correlation_id.hpp"

namespace gantry::host::rpc {
namespace {

// "00-TRACE-SPAN-FLAGS" of W3C trace context.
std::string_view trace_id(std::string_view traceparent) {
  constexpr std::size_t kTraceAt = 3, kTraceSize = 32;
  if (traceparent.size() < 55 || traceparent[2] != '-' || traceparent[kTraceAt + kTraceSize] != '-')
    return {};
  return traceparent.substr(kTraceAt, kTraceSize);
}

std::string_view header(const Context& context, std::string_view name) {
  return context.headers == nullptr ? "" : context.headers->get(name).value_or("");
}

}  // namespace

std::string_view correlation_id(const Message& message, const Context& context) {
  if (const std::string& bound = context.principal.correlation_id; !bound.empty()) return bound;
  if (const auto id = header(context, "x-mcp-session-id"); is_correlation_id(id)) return id;
  if (context.session != nullptr && is_correlation_id(context.session->id()))
    return context.session->id();
  if (const auto id = text_of(message.meta("gantry/correlationId")).value_or("");
      is_correlation_id(id))
    return id;
  if (const auto id = trace_id(text_of(message.meta("traceparent")).value_or(""));
      is_correlation_id(id))
    return id;
  if (const auto id = trace_id(header(context, "traceparent")); is_correlation_id(id)) return id;
  return {};
}

}  // namespace gantry::host::rpc
