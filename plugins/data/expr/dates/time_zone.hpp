// expr/dates/time_zone.hpp: IANA time zones and fixed offsets.
//
// The library date reads the system's tz database on first use and keeps it. A TimeZone is a small
// value that stays valid for the life of the process; any thread. Names are case-sensitive. After
// the database's last explicit year, its last rules continue to apply.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expr/dates/calendar.hpp"
#include "values/value.hpp"

namespace date {
class time_zone;
}

namespace gantry::data::expr {

class TimeZone {
 public:
  TimeZone() = default;  // UTC
  static TimeZone fixed(std::int32_t seconds_east);

  // "Europe/Berlin", "UTC", "GMT", "EST", "+05:30", "+0530", "+05". Throws QueryError, naming `op`,
  // for other names, and when the system has no tz database.
  static TimeZone find(std::string_view op, std::string_view name);
  // The same for an operator's evaluated argument: empty for null and missing; refuses values other
  // than strings.
  static std::optional<TimeZone> of(std::string_view op, const Value& name);

  // True if the offset is always zero.
  bool is_utc() const { return zone_ == nullptr && offset_ == 0; }
  // Seconds east of UTC at an instant, given in milliseconds since 1970.
  std::int32_t offset_at(std::int64_t milliseconds) const;
  WallTime wall_at(std::int64_t milliseconds) const;
  // The instant at which a local clock shows `time`. If clocks are set back, the first of two; if
  // they are set forward, computed with the earlier offset. Empty if it exceeds 64 bits of
  // milliseconds.
  std::optional<std::int64_t> instant_of(const WallTime& time) const;

 private:
  const date::time_zone* zone_ = nullptr;  // owned by the database, never freed
  std::int32_t offset_ = 0;                // used if there is no zone
};

}  // namespace gantry::data::expr
