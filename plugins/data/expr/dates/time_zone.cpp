#include "expr/dates/time_zone.hpp"

#include <date/tz.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "errors/query_error.hpp"
#include "expr/registry.hpp"
#include "values/ascii.hpp"

namespace gantry::data::expr {
namespace {

// The range that the library supports: years -32767 to 32767.
constexpr std::int64_t kFirst = -1'033'000'000'000;
constexpr std::int64_t kLast = 971'000'000'000;
// The explicit transitions of a tz database end in 2037; a zone with rules has its last one there.
constexpr std::int64_t kLastYear = 2'114'380'800;  // 2037-01-01

int number(char tens, char ones) { return (tens - '0') * 10 + (ones - '0'); }

// "+05:30", "+0530", "+05"; minutes up to 99.
std::optional<std::int32_t> read_offset(std::string_view text) {
  constexpr std::size_t kLongest = 6;  // "+05:30"
  if (text.empty() || text.size() > kLongest || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  std::string digits(text.substr(1));
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4 || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    return std::nullopt;
  }
  const int minutes = number(digits[0], digits[1]) * 60 + number(digits[2], digits[3]);
  return (text[0] == '-' ? -minutes : minutes) * 60;
}

// No name of the IANA database is longer.
constexpr std::size_t kLongestName = 63;

// "localtime" is the system's setting, not an IANA zone.
bool is_world_zone(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name != "localtime";
}

const date::time_zone* locate(std::string_view op, std::string_view name) {
  try {
    return is_world_zone(name) ? date::locate_zone(name) : nullptr;
  } catch (const std::runtime_error&) {
  }
  try {
    date::get_tzdb();
  } catch (const std::runtime_error&) {
    throw QueryError(std::string(op) +
                     " knows no time zones by name: the server's system lacks a tz database; use "
                     "an offset such as '+02:00'");
  }
  return nullptr;
}

// The name is an array: a thread-local std::string has a destructor, which would keep this library
// mapped for the thread's lifetime, and pool threads outlive every generation of the library.
struct Known {
  std::array<char, kLongestName> name;
  std::uint8_t size;
  const date::time_zone* zone;

  bool is(std::string_view other) const {
    return zone != nullptr && std::string_view(name.data(), size) == other;
  }
};
static_assert(std::is_trivially_destructible_v<Known>);

// Pipelines use few zones, each for many documents: each thread caches the last ones.
const date::time_zone* locate_kept(std::string_view op, std::string_view name) {
  thread_local std::array<Known, 4> known{};
  thread_local std::size_t oldest = 0;
  for (const Known& one : known) {
    if (one.is(name)) return one.zone;
  }
  const date::time_zone* zone = locate(op, name);
  if (zone == nullptr) return nullptr;
  Known& place = known[oldest++ % known.size()];
  std::copy(name.begin(), name.end(), place.name.begin());
  place.size = static_cast<std::uint8_t>(name.size());
  place.zone = zone;
  return zone;
}

struct Span {
  const date::time_zone* zone = nullptr;
  std::int64_t begin = 0, end = 0;  // seconds since 1970, [begin, end)
  std::int32_t offset = 0;
};

// An offset is valid for months: nearby instants need no search.
const Span& span_of(const date::time_zone* zone, std::int64_t seconds) {
  static_assert(std::is_trivially_destructible_v<Span>);
  thread_local std::array<Span, 4> spans;
  thread_local std::size_t oldest = 0;
  for (const Span& one : spans) {
    if (one.zone == zone && seconds >= one.begin && seconds < one.end) return one;
  }
  const date::sys_seconds instant{std::chrono::seconds{seconds}};
  const date::sys_info info = zone->get_info(instant);
  Span& span = spans[oldest++ % spans.size()];
  span = {zone, info.begin.time_since_epoch().count(), info.end.time_since_epoch().count(),
          static_cast<std::int32_t>(info.offset.count())};
  return span;
}

// The same day of a common year from 2027 to 2037 with the same weekdays in March to December (or
// in January and February): zone rules refer to weekdays of months.
std::int64_t like_now(std::int64_t seconds) {
  // Indexed by weekday, from Sunday.
  static constexpr int kCommonYears[] = {2034, 2029, 2030, 2031, 2037, 2027, 2033};
  const WallTime time = wall_of(floor_div(seconds, 86'400), floor_mod(seconds, 86'400) * kSecond);
  const CivilDate date = civil_of(time.days);
  const std::int64_t first = days_of(date.year, date.month > 2 ? 3 : 1, 1);
  const int first_weekday = weekday(first - (date.month > 2 ? 31 + 28 : 0));
  const std::int64_t days = days_of(kCommonYears[first_weekday], date.month, date.day);
  return days * 86'400 + time.ms / kSecond;
}

}  // namespace

TimeZone TimeZone::fixed(std::int32_t seconds_east) {
  TimeZone zone;
  zone.offset_ = seconds_east;
  return zone;
}

TimeZone TimeZone::find(std::string_view op, std::string_view name) {
  if (name == "UTC") return {};
  if (const auto offset = read_offset(name)) return fixed(*offset);
  TimeZone zone;
  zone.zone_ = locate_kept(op, name);
  if (zone.zone_ != nullptr) return zone;
  throw QueryError(std::string(op) +
                   " does not know this time zone; use a name of the IANA database with its case, "
                   "such as 'Europe/Berlin', or an offset such as '+05:30'");
}

std::optional<TimeZone> TimeZone::of(std::string_view op, const Value& name) {
  if (name.is_nullish()) return std::nullopt;
  if (!name.is_string()) refuse_type(op, "a string as timezone", name);
  return find(op, name.text());
}

std::int32_t TimeZone::offset_at(std::int64_t milliseconds) const {
  if (zone_ == nullptr) return offset_;
  const std::int64_t seconds = std::clamp(floor_div(milliseconds, kSecond), kFirst, kLast);
  const Span& span = span_of(zone_, seconds);
  const bool beyond_data = span.begin >= kLastYear && span.end > kLast && seconds >= span.begin;
  return beyond_data ? span_of(zone_, like_now(seconds)).offset : span.offset;
}

WallTime TimeZone::wall_at(std::int64_t milliseconds) const {
  const WallTime utc = wall_of(milliseconds);
  return wall_of(utc.days, utc.ms + offset_at(milliseconds) * kSecond);
}

std::optional<std::int64_t> TimeZone::instant_of(const WallTime& time) const {
  const auto shifted = [&](std::int32_t offset) {
    return milliseconds_of(wall_of(time.days, time.ms - offset * kSecond));
  };
  if (zone_ == nullptr) return shifted(offset_);
  const auto before = milliseconds_of({time.days - 1, time.ms});
  const auto after = milliseconds_of({time.days + 1, time.ms});
  if (!before || !after) return std::nullopt;
  const std::int32_t early = offset_at(*before);
  const std::int32_t late = offset_at(*after);
  const auto first = shifted(early);
  if (!first || early == late || offset_at(*first) == early) return first;
  const auto second = shifted(late);
  return second && offset_at(*second) == late ? second : first;
}

}  // namespace gantry::data::expr
