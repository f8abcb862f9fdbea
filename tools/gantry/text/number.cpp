#include "tools/gantry/text/number.hpp"

#include <charconv>
#include <string>

#include <CLI/CLI.hpp>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const bool is_number = error == std::errc() && rest == end;
    if (is_number && number >= least && number <= most) return std::string();
    const bool is_open = most == std::numeric_limits<std::uint64_t>::max();
    return "a whole number " +
           (is_open ? "of " + std::to_string(least) + " or more"
                    : "from " + std::to_string(least) + " to " + std::to_string(most)) +
           " is needed, got '" + printable(text) + "'";
  };
  return {check, ""};
}

CLI::Validator seconds_up_to(double most) {
  const auto check = [most](const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const bool is_number = error == std::errc() && rest == end;
    if (is_number && number >= 0 && number <= most) return std::string();
    return "seconds from 0 to " + std::to_string(static_cast<std::uint64_t>(most)) +
           " are needed, got '" + printable(text) + "'";
  };
  return {check, ""};
}

}  // namespace gantry::cli
