// expr/dates/date_units.hpp: arithmetic with units of time, for $dateAdd, $dateDiff, $dateTrunc,
// $densify and ranges of $setWindowFields.
//
// Pure functions; any thread. Dates are milliseconds since 1970 in UTC. Years, quarters, months,
// weeks and days follow the local calendar of the time zone; hours and smaller units are fixed
// lengths of time. Throws QueryError, naming `op`, for invalid arguments and results beyond 64 bits
// of milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expr/dates/time_zone.hpp"

namespace gantry::data::expr {

enum class Unit { year, quarter, month, week, day, hour, minute, second, millisecond };

// "year" to "millisecond", in lower case.
Unit unit_of(std::string_view op, const Value& name);
// 0 Sunday to 6 Saturday; full names or their first three letters, any case.
int week_start_of(std::string_view op, const Value& name);
// A number without a fraction within 64 bits; empty for other values.
std::optional<std::int64_t> whole_number(const Value& value);
// Refuses values other than dates.
std::int64_t date_of(std::string_view op, const Value& value);

// If the resulting month lacks the day, its last day is used.
std::int64_t date_add(std::string_view op, std::int64_t date, Unit unit, std::int64_t amount,
                      const TimeZone& zone);
// The number of unit boundaries between the dates; negative if `end` is before `start`.
std::int64_t date_diff(std::string_view op, std::int64_t start, std::int64_t end, Unit unit,
                       const TimeZone& zone, int week_start);
// The start of the date's interval of `size` units. Intervals are counted from 2000-01-01 in the
// zone (weeks: from the first week that begins on or after that day). `size` is positive.
std::int64_t date_trunc(std::string_view op, std::int64_t date, Unit unit, std::int64_t size,
                        const TimeZone& zone, int week_start);

[[noreturn]] void refuse_out_of_range(std::string_view op);

}  // namespace gantry::data::expr
