#include "host/observe/trace_context.hpp"

#include <algorithm>

namespace gantry::host {
namespace {

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_id(std::string_view text) {
  return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
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
  if (!is_hex(version) || version == "ff" || !is_hex(flags) || !is_id(trace) || !is_id(span)) {
    return std::nullopt;
  }
  const bool is_longer = text.size() > kSize;
  if (is_longer && (version == "00" || text[kSize] != '-')) return std::nullopt;
  const char low = flags[1];
  const bool is_odd = (low <= '9' ? low - '0' : low - 'a' + 10) % 2 == 1;
  return TraceContext{std::string(trace), std::string(span), is_odd};
}

}  // namespace gantry::host
