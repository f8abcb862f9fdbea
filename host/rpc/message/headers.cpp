#include "host/rpc/message/headers.hpp"

#include <algorithm>

#include "host/base/text.hpp"

namespace gantry::host::rpc {

std::optional<std::string> header_text(std::string_view value) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  if (value.size() >= kBegin.size() + kEnd.size() && value.starts_with(kBegin) &&
      value.ends_with(kEnd)) {
    value.remove_prefix(kBegin.size());
    value.remove_suffix(kEnd.size());
    auto inside = from_base64(value);
    return inside && is_utf8(*inside) ? inside : std::nullopt;
  }
  const bool plain = std::all_of(value.begin(), value.end(),
                                 [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
  return plain ? std::optional(std::string(value)) : std::nullopt;
}

}  // namespace gantry::host::rpc
