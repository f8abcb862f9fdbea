#include "host/http/partial_head.hpp"

#include <algorithm>
#include <optional>

#include "host/base/text.hpp"
#include "host/http/head_scan.hpp"

namespace gantry::host::http {
namespace {

// The complete lines of a head without the request line; empty if a line is malformed.
std::string_view whole_fields(std::string_view head) {
  while (head.starts_with("\r\n")) head.remove_prefix(2);
  HeadScan scan;
  const auto found = scan.look(head);
  if (found == HeadScan::Found::bare_lf || found == HeadScan::Found::folded) return {};
  return head.substr(scan.first_line(), scan.size() - scan.first_line());
}

bool is_visible(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

struct Field {
  std::optional<std::string_view> value;
  bool is_certain = true;

  void take(std::string_view other) {
    is_certain = is_certain && is_visible(other) && (!value || *value == other);
    value = other;
  }
};

}  // namespace

Request origin_of_partial_head(std::string_view head) {
  Field host, origin;
  for (std::string_view rest = whole_fields(head); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(std::min(line.size() + 2, rest.size()));
    const auto colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string_view name = line.substr(0, colon);
    if (same_ignoring_case(name, "origin")) origin.take(trimmed(line.substr(colon + 1)));
    if (same_ignoring_case(name, "host")) host.take(trimmed(line.substr(colon + 1)));
  }
  Request page;
  if (!host.is_certain || !origin.is_certain) return page;
  if (host.value) page.add_header("host", *host.value);
  if (origin.value) page.add_header("origin", *origin.value);
  return page;
}

}  // namespace gantry::host::http
