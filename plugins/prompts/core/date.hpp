// core/date.hpp: parses dates given as arguments. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace prompts {

inline constexpr std::int64_t kDay = 86'400'000;  // in milliseconds

struct Date {
  std::int64_t ms = 0;  // since 1970, UTC
  bool is_day = false;  // no time was given
};

// ISO 8601: 2026-01-31, or with a time: 2026-01-31T08:00[:00[.123]][Z|+01:00]; without an offset it
// is UTC. Empty for other texts and for dates that do not exist.
std::optional<Date> parse_date(std::string_view text);

// "2026-01-31T08:00:00.000Z"
std::string to_iso(std::int64_t ms);

}  // namespace prompts
