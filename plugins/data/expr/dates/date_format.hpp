// expr/dates/date_format.hpp: formats and parses dates by format strings like
// "%Y-%m-%dT%H:%M:%S.%LZ".
//
// Pure functions; any thread. Dates are milliseconds since 1970 in UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expr/dates/date_fields.hpp"
#include "expr/dates/time_zone.hpp"

namespace gantry::data::expr {

enum class FormatUse { write, read };

// Throws QueryError, naming `op`, for specifiers that are unknown or invalid for this use.
void check_format(std::string_view op, std::string_view format, FormatUse use);

// `format` must have passed check_format(). Throws QueryError if it would write a year outside of 0
// to 9999.
std::string format_date(std::string_view op, std::int64_t date, const TimeZone& zone,
                        std::string_view format);
// The default format: ISO 8601, with "Z" for UTC only.
std::string_view default_format(const TimeZone& zone);

// Parses by `format`, which must have passed check_format(); empty if the text does not match it.
std::optional<DateFields> read_by_format(std::string_view text, std::string_view format);

}  // namespace gantry::data::expr
