// $dateToString, $dateFromString, $dateFromParts and $dateToParts.
#include <array>
#include <string>

#include "errors/query_error.hpp"
#include "expr/dates/date_format.hpp"
#include "expr/dates/date_units.hpp"
#include "expr/dates/free_date.hpp"
#include "expr/registry.hpp"

namespace gantry::data::expr {
namespace {

// UTC if it is absent, empty if it is null.
std::optional<TimeZone> given_zone(std::string_view op, const NamedArguments& arguments,
                                   std::size_t i) {
  return arguments.given[i] ? TimeZone::of(op, arguments[i]) : TimeZone{};
}

// Refuses invalid formats even if the date is null.
void check_format_at(std::string_view op, const NamedArguments& arguments, std::size_t i,
                     FormatUse use) {
  if (!arguments.given[i] || arguments[i].is_nullish()) return;
  if (!arguments[i].is_string()) refuse_type(op, "a string as format", arguments[i]);
  check_format(op, arguments[i].text(), use);
}

Value given_or_null(const NamedArguments& arguments, std::size_t i) {
  return arguments.given[i] ? arguments[i] : Value::null();
}

constexpr std::array<Parameter, 4> kDateToString = {
    {{"date", true}, {"format"}, {"timezone"}, {"onNull"}}};

Value date_to_string(const NamedArguments& arguments, Context&) {
  constexpr std::string_view op = "$dateToString";
  check_format_at(op, arguments, 1, FormatUse::write);
  const auto zone = given_zone(op, arguments, 2);
  if (arguments[0].is_nullish()) return given_or_null(arguments, 3);
  if (!zone || (arguments.given[1] && arguments[1].is_nullish())) return Value::null();
  const std::string_view format = arguments.given[1] ? arguments[1].text() : default_format(*zone);
  return Value::string(format_date(op, date_of(op, arguments[0]), *zone, format));
}

constexpr std::array<Parameter, 5> kDateFromString = {
    {{"dateString", true}, {"format"}, {"timezone"}, {"onError"}, {"onNull"}}};

// Parsing without a format. A zone in the text and the option timezone exclude each other.
std::optional<std::int64_t> read_free(std::string_view text, const TimeZone& zone) {
  const auto date = read_free_date(text);
  if (!date || (date->has_zone && !zone.is_utc())) return std::nullopt;
  return (date->has_zone ? date->zone : zone).instant_of(date->time);
}

std::optional<std::int64_t> read_date(const NamedArguments& arguments, const TimeZone& zone) {
  if (!arguments[0].is_string()) return std::nullopt;
  const std::string_view text = arguments[0].text();
  if (!arguments.given[1]) return read_free(text, zone);
  const auto fields = read_by_format(text, arguments[1].text());
  return fields ? date_from(*fields, zone) : std::nullopt;
}

Value date_from_string(const NamedArguments& arguments, Context&) {
  constexpr std::string_view op = "$dateFromString";
  check_format_at(op, arguments, 1, FormatUse::read);
  const auto zone = given_zone(op, arguments, 2);
  if (arguments[0].is_nullish()) return given_or_null(arguments, 4);
  if (arguments[0].is_string()) {
    if (!zone || (arguments.given[1] && arguments[1].is_nullish())) return Value::null();
  }
  if (const auto date = read_date(arguments, zone.value_or(TimeZone{}))) return Value::date(*date);
  if (arguments.given[3]) return arguments[3];
  if (!arguments[0].is_string()) refuse_type(op, "a string as dateString", arguments[0]);
  throw QueryError(std::string(op) +
                   " cannot read a text as a date; give a format that fits, a text without a zone "
                   "where there is a timezone, or onError for a value to take instead");
}

// In the order of kDateFromParts. The first seven are calendar parts; the ISO week parts replace
// three of them.
enum PartIndex : std::size_t {
  year,
  month,
  day,
  hour,
  minute,
  second,
  ms,
  iso_year,
  iso_week,
  iso_day,
  zone
};

struct PartRange {
  std::int64_t absent;  // the default of the part
  std::int64_t least, most;
};
constexpr PartRange kYears = {0, 1, 9999};
constexpr PartRange kFromOne = {1, -32'768, 32'767};
constexpr PartRange kFromZero = {0, -32'768, 32'767};
// Beyond every date; sums with carries stay within 64 bits.
constexpr PartRange kLong = {0, -9'223'372'036'854'000'000, 9'223'372'036'854'000'000};
constexpr std::array<PartRange, 10> kRanges = {kYears, kFromOne, kFromOne, kFromZero, kFromZero,
                                               kLong,  kLong,    kYears,   kFromOne,  kFromOne};

constexpr std::array<Parameter, 11> kDateFromParts = {{{"year"},
                                                       {"month"},
                                                       {"day"},
                                                       {"hour"},
                                                       {"minute"},
                                                       {"second"},
                                                       {"millisecond"},
                                                       {"isoWeekYear"},
                                                       {"isoWeek"},
                                                       {"isoDayOfWeek"},
                                                       {"timezone"}}};

void check_calendar(const NamedArguments& arguments) {
  const auto given = [&](PartIndex i) { return arguments.given[i]; };
  if (given(iso_year) && (given(year) || given(month) || given(day))) {
    throw QueryError("$dateFromParts takes isoWeekYear with isoWeek and isoDayOfWeek only");
  }
  if (given(iso_year)) return;
  if (!given(year)) throw QueryError("$dateFromParts needs 'year' or 'isoWeekYear'");
  if (given(iso_week) || given(iso_day)) {
    throw QueryError("$dateFromParts takes year with month and day only");
  }
}

std::int64_t given_part(const NamedArguments& arguments, std::size_t i) {
  const PartRange& range = kRanges[i];
  if (!arguments.given[i]) return range.absent;
  const auto number = whole_number(arguments[i]);
  const std::string name(kDateFromParts[i].name);
  if (!number) refuse_type("$dateFromParts", "a whole number as " + name, arguments[i]);
  if (*number < range.least || *number > range.most) {
    throw QueryError("$dateFromParts needs '" + name + "' from " + std::to_string(range.least) +
                     " to " + std::to_string(range.most));
  }
  return *number;
}

// The seconds and the milliseconds may each exceed the range of dates.
std::optional<std::int64_t> instant_from(const std::array<std::int64_t, 10>& part,
                                         std::int64_t days, const TimeZone& where) {
  const WallTime minutes = wall_of(days, part[hour] * kHour + part[minute] * kMinute);
  const WallTime seconds = {floor_div(part[second], 86'400),
                            floor_mod(part[second], 86'400) * kSecond};
  const WallTime rest = wall_of(part[ms]);
  return where.instant_of(
      wall_of(minutes.days + seconds.days + rest.days, minutes.ms + seconds.ms + rest.ms));
}

Value date_from_parts(const NamedArguments& arguments, Context&) {
  check_calendar(arguments);
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    if (arguments.given[i] && arguments[i].is_nullish()) return Value::null();
  }
  std::array<std::int64_t, 10> part{};
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool other_year = i == (arguments.given[iso_year] ? year : iso_year);
    part[i] = other_year ? 0 : given_part(arguments, i);
  }
  const auto where = given_zone("$dateFromParts", arguments, zone);
  const std::int64_t days = arguments.given[iso_year]
                                ? days_of_iso(part[iso_year], part[iso_week], part[iso_day])
                                : days_of(part[year], part[month], part[day]);
  const auto date = instant_from(part, days, where.value_or(TimeZone{}));
  if (!date) refuse_out_of_range("$dateFromParts");
  return Value::date(*date);
}

constexpr std::array<Parameter, 3> kDateToParts = {{{"date", true}, {"timezone"}, {"iso8601"}}};

Value part(std::int64_t number) { return Value::int32(static_cast<std::int32_t>(number)); }

void add_day(const WallTime& time, bool iso, ObjectBuilder& out) {
  if (iso) {
    const IsoWeek week = iso_week_of(time.days);
    out.add("isoWeekYear", part(week.year)).add("isoWeek", part(week.week));
    out.add("isoDayOfWeek", part(iso_weekday(time.days)));
  } else {
    const CivilDate date = civil_of(time.days);
    out.add("year", part(date.year)).add("month", part(date.month)).add("day", part(date.day));
  }
}

Value date_to_parts(const NamedArguments& arguments, Context&) {
  constexpr std::string_view op = "$dateToParts";
  const auto where = given_zone(op, arguments, 1);
  if (!where || arguments[0].is_nullish()) return Value::null();
  if (arguments.given[2] && arguments[2].is_nullish()) return Value::null();
  if (arguments.given[2] && !arguments[2].is_boolean()) {
    refuse_type(op, "true or false as iso8601", arguments[2]);
  }
  const bool iso = arguments.given[2] && arguments[2].truth();
  const WallTime time = where->wall_at(date_of(op, arguments[0]));
  ObjectBuilder out;
  add_day(time, iso, out);
  out.add("hour", part(time.ms / kHour)).add("minute", part(time.ms / kMinute % 60));
  out.add("second", part(time.ms / kSecond % 60)).add("millisecond", part(time.ms % kSecond));
  return out.build();
}

constexpr std::array<NamedFunction, 4> kDateTextFunctions = {
    {{"$dateToString", kDateToString, date_to_string},
     {"$dateFromString", kDateFromString, date_from_string},
     {"$dateFromParts", kDateFromParts, date_from_parts},
     {"$dateToParts", kDateToParts, date_to_parts}}};

}  // namespace

Family date_text_family() { return {{}, kDateTextFunctions, {}}; }

}  // namespace gantry::data::expr
