#include "host/http/endpoint/accepts.hpp"

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

// Cuts the part before `separator` off the front.
std::string_view take(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return trimmed(part);
}

bool is_weight_zero(std::string_view parameter) {
  return same_ignoring_case(parameter.substr(0, 2), "q=") &&
         parameter.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

Accepts read_accept(std::optional<std::string_view> header) {
  if (!header) return {};
  Accepts out{false, false};
  for (std::string_view left = *header; !left.empty();) {
    std::string_view range = take(left, ',');
    const std::string_view type = take(range, ';');
    bool refused = false;
    while (!range.empty()) refused |= is_weight_zero(take(range, ';'));
    if (refused) continue;
    const bool all = type == "*/*";
    out.json |= all || same_ignoring_case(type, "application/json") ||
                same_ignoring_case(type, "application/*");
    out.stream |=
        all || same_ignoring_case(type, "text/event-stream") || same_ignoring_case(type, "text/*");
  }
  return out;
}

}  // namespace gantry::host::http
