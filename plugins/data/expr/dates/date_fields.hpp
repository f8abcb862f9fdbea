// expr/dates/date_fields.hpp: the fields parsed from a date's text, and the date they form.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/dates/time_zone.hpp"

namespace gantry::data::expr {

struct DateFields {
  std::optional<int> year, month, day;
  std::optional<int> iso_year, iso_week, iso_day;
  std::optional<int> days_into_year;  // from 0
  std::optional<int> hour, minute, second, millisecond;
  std::optional<TimeZone> zone;  // the text's own
};

// Milliseconds since 1970. Empty for incomplete or invalid dates, and if both the text and `zone`
// (unless it is UTC) name a time zone.
std::optional<std::int64_t> date_from(const DateFields& fields, const TimeZone& zone);

}  // namespace gantry::data::expr
