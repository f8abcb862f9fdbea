#include "host/config/public_url.hpp"

#include <algorithm>

#include "host/base/text.hpp"

namespace gantry::host {

Result<std::string> canonical_public_url(std::string_view text) {
  constexpr std::string_view kScheme = "https://", kMcp = "/mcp";
  if (text.empty()) return std::string();
  const auto wrong = [&](const std::string& why) {
    return Status::invalid("the public address '" + shortened(text, 100) + "' " + why +
                           "; give the one that clients use, like https://mcp.example/mcp");
  };
  if (!same_ignoring_case(text.substr(0, kScheme.size()), kScheme)) {
    return wrong("does not begin with https://");
  }
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c > 0x20 && c < 0x7f && std::string_view("\"\\<>?#@").find(c) == std::string_view::npos;
  });
  if (!plain) return wrong("has a user, a query, a fragment or a character that no address has");
  const std::string_view rest = text.substr(kScheme.size());
  const std::string_view authority = rest.substr(0, rest.find('/'));
  std::string path(rest.substr(authority.size()));
  if (authority.empty()) return wrong("names no host");
  while (path.ends_with('/')) path.pop_back();
  if (path.empty()) path = kMcp;
  if (!path.ends_with(kMcp)) return wrong("has a path that does not end in /mcp");
  return std::string(kScheme) + lower(authority) + path;
}

}  // namespace gantry::host
