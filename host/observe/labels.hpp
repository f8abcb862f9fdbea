// host/observe/labels.hpp (private): the allowed values of labels with a fixed set.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace gantry::host {

// The codes of tool errors, and how else a call ends. The most frequent ones first.
inline constexpr std::array<std::string_view, 21> kOutcomes = {
    "ok",
    "tool_error",
    "invalid_argument",
    "not_found",
    "unknown_tool",
    "cancelled",
    "timeout",
    "internal_error",
    "busy",
    "input_required",
    "access_denied",
    "permission_denied",
    "tool_filtered",
    "invalid_query",
    "security_blocked",
    "rate_limited",
    "store_error",
    "approval_declined",
    "approval_unavailable",
    "input_refused",
    "missing_capability",
};

// The methods of clients in every revision of the protocol and with every extension.
inline constexpr std::array<std::string_view, 25> kMethods = {
    "tools/call",
    "tools/list",
    "initialize",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "resources/subscribe",
    "resources/unsubscribe",
    "resources/directory/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
    "tasks/list",
    "tasks/result",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
};

// The values of error.type: none, those of tools, and the codes of JSON-RPC errors.
inline constexpr std::array<std::string_view, 14> kErrorTypes = {
    "",       "tool_error", "cancelled", "-32602", "-32603", "-32601", "-32600",
    "-32700", "-32000",     "-32001",    "-32002", "-32020", "-32021", "-32022",
};

inline constexpr std::array<int, 21> kStatuses = {
    200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 409,
    410, 411, 413, 414, 415, 429, 431, 500, 501, 503,
};

// The index of `value` in `list`; the list's size if it is not in it.
template <class List, class Value>
constexpr std::size_t place_in(const List& list, const Value& value) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

// The text at this index; "other" beyond the list.
template <class List>
constexpr std::string_view name_in(const List& list, std::size_t place) {
  return place < list.size() ? list[place] : "other";
}

}  // namespace gantry::host
