#include "host/sessions/event_id.hpp"

#include <charconv>

namespace gantry::host {
namespace {

// All of `text` as the one decimal form of a number.
std::optional<std::uint64_t> number_of(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::string to_text(EventId id) {
  return "s" + std::to_string(id.stream) + "-" + std::to_string(id.number);
}

std::optional<EventId> parse_event_id(std::string_view text) {
  const auto dash = text.find('-');
  if (!text.starts_with('s') || dash == text.npos) return std::nullopt;
  const auto stream = number_of(text.substr(1, dash - 1));
  const auto number = number_of(text.substr(dash + 1));
  if (!stream || !number) return std::nullopt;
  return EventId{*stream, *number};
}

}  // namespace gantry::host
