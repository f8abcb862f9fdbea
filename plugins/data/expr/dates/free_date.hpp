// expr/dates/free_date.hpp: dates in free text forms, for $toDate, $convert and $dateFromString
// without a format.
//
// 2026-11-21, 2026/11/21, 20261121, 11/21/2026, 21.11.2026, 21-11-2026, 2026-W47-6, Nov 21 2026, 21
// November 2026, each optionally with a time (20:04, 20:04:05.123, 8:04 pm) and a zone (Z, +01:00,
// +0100, +01, GMT, EST, Europe/Berlin), separated by blanks. Year and month are required. Relative
// dates ("tomorrow") are not supported. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expr/dates/calendar.hpp"
#include "expr/dates/time_zone.hpp"

namespace gantry::data::expr {

struct FreeDate {
  WallTime time;          // as written
  bool has_zone = false;  // the text names one
  TimeZone zone;          // the named zone, else UTC
};

// Empty for any other text.
std::optional<FreeDate> read_free_date(std::string_view text);

// Milliseconds since 1970; UTC if the text does not name a zone.
std::optional<std::int64_t> parse_free_date(std::string_view text);

}  // namespace gantry::data::expr
