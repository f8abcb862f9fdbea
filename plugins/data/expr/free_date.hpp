// expr/free_date.hpp: dates as people and programs write them, for $toDate, $convert and
// $dateFromString without a format.
//
// 2026-11-21, 2026/11/21, 20261121, 11/21/2026, 21.11.2026, 21-11-2026, 2026-W47-6, Nov 21 2026,
// 21 November 2026, each beside a time (20:04, 20:04:05.123, 8:04 pm) and a zone (Z, +01:00, +0100,
// +01, GMT, EST, Europe/Berlin), with blanks around them. A date must name its year and month; what
// is relative ("tomorrow") is no date. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expr/calendar.hpp"
#include "expr/time_zone.hpp"

namespace gantry::data::expr {

struct FreeDate {
  WallTime time;          // as written
  bool has_zone = false;  // the text names one
  TimeZone zone;          // that one, else UTC
};

// Nothing for any other text.
std::optional<FreeDate> read_free_date(std::string_view text);

// Milliseconds since 1970; UTC where the text names no zone.
std::optional<std::int64_t> parse_free_date(std::string_view text);

}  // namespace gantry::data::expr
