// expr/dates/date_text_reader.hpp: parses a date text of a known format in small steps. Each step
// consumes its match at the front, or leaves the text unchanged. One thread at a time.
#pragma once

#include <optional>
#include <string_view>

#include "expr/dates/time_zone.hpp"

namespace gantry::data::expr {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::size_t digits() const;  // number of digits at the front
  bool take(char c);
  // Consumes digits, at most `most`; empty if there are fewer than `least`.
  std::optional<int> number(std::size_t least, std::size_t most);
  // "January", "jan", "sept": 1 to 12.
  std::optional<int> month_name();
  // "Z", "UTC", "GMT+2", "+05:30", "+0530", "+5", "EST", "Europe/Berlin".
  std::optional<TimeZone> zone();

 private:
  std::optional<TimeZone> offset();
  std::string_view letters() const;

  std::string_view rest_;
};

}  // namespace gantry::data::expr
