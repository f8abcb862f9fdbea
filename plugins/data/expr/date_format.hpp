// expr/date_format.hpp: dates to text and back, by format strings like "%Y-%m-%dT%H:%M:%S.%LZ".
//
// Pure functions; any thread. Dates are milliseconds since 1970 in UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expr/date_fields.hpp"
#include "expr/time_zone.hpp"

namespace gantry::data::expr {

enum class FormatUse { write, read };

// Throws QueryError, naming `op`, for specifiers that do not exist or cannot be used so.
void check_format(std::string_view op, std::string_view format, FormatUse use);

// `format` must have passed check_format(). Throws QueryError for years beyond 0 to 9999 that
// it would write.
std::string format_date(std::string_view op, std::int64_t date, const TimeZone& zone,
                        std::string_view format);
// The format of a text without one: ISO 8601, with "Z" only for UTC itself.
std::string_view default_format(const TimeZone& zone);

// By `format`, which must have passed check_format(); nothing when the text does not have it.
std::optional<DateFields> read_by_format(std::string_view text, std::string_view format);

}  // namespace gantry::data::expr
