// values/iso_date.hpp: instants as ISO 8601 text and as milliseconds since 1970 in UTC.
//
// Pure functions; any thread. Years 0000 to 9999, proleptic Gregorian calendar, no leap seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::data {

// Reads 2026-11-21, 2026-11-21T20:00, 2026-11-21 20:00:00, …20:00:00.123456Z, …+02:00, …+0200,
// … +02:00. Without a zone it is UTC; digits beyond milliseconds are cut off. Empty for any other
// text.
std::optional<std::int64_t> parse_iso_date(std::string_view text);

// True for the instants that have a four-digit year.
bool fits_iso_date(std::int64_t milliseconds);

// Appends 2026-11-21T20:00:00.000Z. `milliseconds` must satisfy fits_iso_date().
void append_iso_date(std::int64_t milliseconds, std::string& out);

// The same without a fraction of 0: 2026-11-21T20:00:00Z.
void append_short_iso_date(std::int64_t milliseconds, std::string& out);

// Writes the long text to a buffer of at least kIsoDateSize bytes; returns the end.
constexpr std::size_t kIsoDateSize = 24;
char* write_iso_date(std::int64_t milliseconds, char* to);

// The text with each digit replaced by 0: "0000-00-00T00:00:00.000Z". Dates of one shape and one
// zone sort by time when they are sorted as texts.
std::string iso_shape(std::string_view text);
// Whether iso_shape(text) is `shape`.
bool has_iso_shape(std::string_view text, std::string_view shape);
// The zone of a date text: "Z", "+05:30"; empty: it has none, which means UTC.
std::string_view iso_zone(std::string_view text);

}  // namespace gantry::data
