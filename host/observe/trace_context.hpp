// host/observe/trace_context.hpp: W3C trace context, "00-TRACE-SPAN-FLAGS".
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

// A span of a trace, perhaps of another process.
struct TraceContext {
  std::string trace_id;  // 32 lower-case hex digits, not all 0
  std::string span_id;   // 16, not all 0
  bool sampled = false;

  bool operator==(const TraceContext&) const = default;
};

// Nothing for a text that is not a valid traceparent. Later versions than 00 are read as 00, as the
// recommendation demands.
std::optional<TraceContext> parse_traceparent(std::string_view text);

}  // namespace gantry::host
