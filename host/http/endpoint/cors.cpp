#include "host/http/endpoint/cors.hpp"

#include <algorithm>

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kKnown =
    "Content-Type, Accept, Authorization, X-MCP-API-Key, X-MCP-Session-Id, MCP-Protocol-Version, "
    "Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, Range, If-Range, traceparent, tracestate";
constexpr std::string_view kParam = "mcp-param-";

bool is_param(std::string_view name) {
  return name.size() > kParam.size() && name.size() <= 128 &&
         same_ignoring_case(name.substr(0, kParam.size()), kParam) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

std::string allowed_request_headers(std::string_view requested, std::string_view required) {
  std::string out(kKnown);
  if (!required.empty()) out.append(", ").append(required);
  while (!requested.empty()) {
    const auto comma = requested.find(',');
    const std::string_view name = trimmed(requested.substr(0, comma));
    if (is_param(name)) out.append(", ").append(name);
    requested = comma == std::string_view::npos ? std::string_view() : requested.substr(comma + 1);
  }
  return out;
}

}  // namespace gantry::host::http
