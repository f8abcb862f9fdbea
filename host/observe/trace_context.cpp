#include "host/observe/trace_context.hpp"

#include "host/base/text.hpp"

namespace gantry::host {
namespace {

bool is_id(std::string_view text) {
  return is_lower_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

std::optional<TraceContext> parse_traceparent(std::string_view text) {
  constexpr std::size_t kTraceAt = 3, kSpanAt = 36, kFlagsAt = 53, kSize = 55;
  if (text.size() < kSize || text[kTraceAt - 1] != '-' || text[kSpanAt - 1] != '-' ||
      text[kFlagsAt - 1] != '-') {
    return std::nullopt;
  }
  const std::string_view version = text.substr(0, 2), flags = text.substr(kFlagsAt, 2);
  const std::string_view trace = text.substr(kTraceAt, 32), span = text.substr(kSpanAt, 16);
  if (!is_lower_hex(version) || version == "ff" || !is_lower_hex(flags) || !is_id(trace) ||
      !is_id(span)) {
    return std::nullopt;
  }
  const bool is_longer = text.size() > kSize;
  if (is_longer && (version == "00" || text[kSize] != '-')) return std::nullopt;
  const bool is_sampled = (from_hex(flags)->front() & 1) != 0;
  return TraceContext{std::string(trace), std::string(span), is_sampled};
}

}  // namespace gantry::host
