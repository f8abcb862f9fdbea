#include "host/http/endpoint/conditions.hpp"

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

enum class Comparison { strong, weak };

// Our tags have no comma, so that the list may be cut at any.
bool lists(std::string_view tags, std::string_view tag, Comparison how) {
  while (!tags.empty()) {
    const auto comma = tags.find(',');
    std::string_view one = trimmed(tags.substr(0, comma));
    tags = comma == tags.npos ? std::string_view() : tags.substr(comma + 1);
    if (how == Comparison::weak && one.starts_with("W/")) one.remove_prefix(2);
    if (one == tag || one == "*") return true;
  }
  return false;
}

}  // namespace

int status_by_conditions(const Request& request, std::string_view tag) {
  if (const auto tags = request.header("if-match"); tags && !lists(*tags, tag, Comparison::strong))
    return 412;
  const auto tags = request.header("if-none-match");
  return tags && lists(*tags, tag, Comparison::weak) ? 304 : 0;
}

}  // namespace gantry::host::http
