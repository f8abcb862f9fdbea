// expr/time_zone.hpp: IANA time zones and fixed offsets.
//
// The system's tz database is read on first use and kept by the library that reads it. A TimeZone
// is a small value that stays valid for the life of the process; any thread. Names are matched with
// their case. Beyond the last year the database spells out, its last rules go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "expr/calendar.hpp"
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
  // The same for an operator's evaluated argument: nothing for null and missing, refuses others
  // than strings.
  static std::optional<TimeZone> of(std::string_view op, const Value& name);

  // True without an offset, now or ever.
  bool is_utc() const { return zone_ == nullptr && offset_ == 0; }
  // Seconds east of UTC at an instant, milliseconds since 1970.
  std::int32_t offset_at(std::int64_t milliseconds) const;
  WallTime wall_at(std::int64_t milliseconds) const;
  // The instant a wall clock shows `time`: the first of two where clocks are set back; where they
  // are set forward, by the offset before. Nothing when it does not fit 64 bits of milliseconds.
  std::optional<std::int64_t> instant_of(const WallTime& time) const;

 private:
  const date::time_zone* zone_ = nullptr;  // the database's, lives on
  std::int32_t offset_ = 0;                // without a zone
};

}  // namespace gantry::data::expr
