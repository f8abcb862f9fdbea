#include "expr/dates/free_date.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "errors/query_error.hpp"
#include "expr/dates/free_date_scanner.hpp"
#include "values/spending.hpp"

namespace gantry::data::expr {
namespace {

// Parses one part after the other until the text ends; the results are kept in members.
// It has more than twenty methods: one for each form of a date.
class FreeDateReader {
 public:
  explicit FreeDateReader(std::string_view text) : in_(text) {}

  std::optional<FreeDate> read() {
    for (in_.skip_blanks(); !in_.at_end(); in_.skip_blanks()) {
      Spending::step_current();
      if (!part()) return std::nullopt;
    }
    return finish();
  }

 private:
  bool part() {
    const char c = in_.peek();
    if (c == '+' || c == '-') return signed_date() || offset();
    if (is_digit(c)) return numeric_date() || time() || day_and_month() || late_year();
    if ((c == 'T' || c == 't') && is_digit(in_.peek(1))) return in_.skip(1), time();
    return word();
  }

  bool signed_date() {
    const bool negative = in_.peek() == '-';
    if (has_date_ || in_.digits_at(1) != 4 || in_.peek(5) != '-' || in_.digits_at(6) != 2) {
      return false;
    }
    in_.skip(1);
    if (!numeric_date()) return false;
    if (negative) year_ = -year_;
    return true;
  }

  bool set_date(std::int64_t year, int month, int day) {
    if (has_date_) return false;
    has_date_ = true;
    year_ = year, month_ = month, day_ = day;
    return true;
  }

  bool numeric_date() {
    const std::size_t run = in_.digits_at(0);
    if (run == 4 && (in_.peek(4) == '-' || in_.peek(4) == '/')) return year_first(in_.peek(4));
    if (run == 4 && in_.peek(4) == 'W') return iso_week();
    if (run == 8) return compact_date();
    const char separator = in_.peek(run);
    return run <= 2 && (separator == '/' || separator == '.' || separator == '-') &&
           year_last(separator);
  }

  // 2026-11-21, 2026-11, 2026-W47-6, 2026/11/21
  bool year_first(char separator) {
    if (in_.peek(5) == 'W') return iso_week();
    if (in_.digits_at(5) == 0) return false;
    const int year = in_.number(4);
    in_.skip(1);
    const int month = in_.number(in_.digits_at(0));
    if (in_.peek() != separator) return separator == '-' && set_date(year, month, 1);
    in_.skip(1);
    const std::size_t run = in_.digits_at(0);
    return (run == 1 || run == 2) && set_date(year, month, in_.number(run));
  }

  bool iso_week() {
    const int year = in_.number(4);
    in_.take('-');
    in_.skip(1);
    if (in_.digits_at(0) < 2) return false;
    const int week = in_.number(2);
    in_.take('-');
    const int day = in_.digits_at(0) == 1 ? in_.number(1) : 1;
    if (week > 53 || day > 7) return false;
    const CivilDate date = civil_of(days_of_iso(year, week, day));
    return set_date(date.year, date.month, date.day);
  }

  bool compact_date() {
    const int year = in_.number(4);
    const int month = in_.number(2);
    const int day = in_.number(2);
    return set_date(year, month, day);
  }

  // 11/21/2026, 21.11.2026, 21-11-2026; other texts are not consumed: 21-Nov-2026, 20.04
  bool year_last(char separator) {
    const std::size_t first = in_.digits_at(0);
    const std::size_t second = in_.digits_at(first + 1);
    const std::size_t year_at = first + 1 + second + 1;
    if ((second != 1 && second != 2) || in_.peek(year_at - 1) != separator) return false;
    if (in_.digits_at(year_at) != 4) return false;
    int day = in_.number(first);
    in_.skip(1);
    int month = in_.number(second);
    in_.skip(1);
    if (separator == '/') std::swap(day, month);
    return set_date(in_.number(4), month, day);
  }

  // 20:04, 20:04:05.123, 8:04 pm, 8pm; after a T also 2004 and 200405
  bool time() {
    const std::size_t run = in_.digits_at(0);
    const bool compact = in_.peek_back() == 'T' || in_.peek_back() == 't';
    if (has_time_) return false;
    if (run <= 2 && in_.peek(run) == ':') return colon_time(run);
    if (run <= 2 && in_.has_meridian(run)) return hour(in_.number(run)) && meridian();
    if (!compact || (run != 4 && run != 6)) return false;
    return hour(in_.number(2)) && minute(in_.number(2)) && (run == 4 || second(in_.number(2)));
  }

  bool colon_time(std::size_t run) {
    if (!hour(in_.number(run))) return false;
    in_.skip(1);
    if (in_.digits_at(0) != 2 || !minute(in_.number(2))) return false;
    if (in_.take(':')) {
      if (in_.digits_at(0) != 2 || !second(in_.number(2))) return false;
      if ((in_.peek() == '.' || in_.peek() == ',') && is_digit(in_.peek(1))) fraction();
    }
    return !in_.has_meridian(0) || meridian();
  }

  bool hour(int value) {
    has_time_ = true;
    hour_ = value;
    return value <= 24;
  }
  bool minute(int value) {
    ms_ += value * kMinute;
    return value < 60;
  }
  bool second(int value) {
    ms_ += value * kSecond;
    return value <= 60;
  }
  void fraction() {
    in_.skip(1);
    std::int64_t weight = 100;
    for (; is_digit(in_.peek()); weight /= 10) ms_ += in_.number(1) * weight;
  }

  bool meridian() {
    const bool afternoon = in_.take_meridian();
    if (hour_ < 1 || hour_ > 12) return false;
    hour_ = hour_ % 12 + (afternoon ? 12 : 0);
    return true;
  }

  // 21 November 2026, 21-Nov-2026, 21st Nov 2026
  bool day_and_month() {
    const std::size_t run = in_.digits_at(0);
    if (run > 2) return false;
    const int day = in_.number(run);
    in_.skip_ordinal();
    in_.skip_any(" \t.-");
    const int month = month_named(in_.word());
    if (month == 0) return false;
    in_.skip(in_.word().size());
    in_.skip_any(" \t.-,");
    return set_date(0, month, day) && (missing_year_ = true) &&
           (in_.digits_at(0) != 4 || in_.peek(4) == ':' || late_year());
  }

  // The year of "Wed Nov 21 20:04:05 2026".
  bool late_year() {
    if (!missing_year_ || in_.digits_at(0) != 4) return false;
    missing_year_ = false;
    year_ = in_.number(4);
    return true;
  }

  bool word() {
    const std::string_view name = in_.word();
    if (name.empty()) return false;
    if (const int month = month_named(name); month != 0) return month_and_day(month, name.size());
    if (const int day = weekday_named(name); day >= 0) {
      in_.skip(name.size());
      weekday_ = day;
      return !has_time_;
    }
    return zone();
  }

  // Nov 21, 2026; Nov 21 20:04 2026; Nov 2026
  bool month_and_day(int month, std::size_t length) {
    in_.skip(length);
    in_.skip_any(" \t.-");
    const std::size_t run = in_.digits_at(0);
    if (run == 4) return set_date(in_.number(4), month, 1);
    if (run != 1 && run != 2) return false;
    const int day = in_.number(run);
    in_.skip_ordinal();
    in_.skip_any(" \t.,-");
    missing_year_ = true;
    return set_date(0, month, day) && (in_.digits_at(0) != 4 || late_year());
  }

  bool offset() {
    const int sign = in_.peek() == '-' ? -1 : 1;
    const std::size_t run = in_.digits_at(1);
    if (has_zone_ || run == 0 || run > 4) return false;
    in_.skip(1);
    const int hours = in_.number(run <= 2 ? run : run - 2);
    int minutes = run > 2 ? in_.number(2) : 0;
    if (run <= 2 && in_.peek() == ':' && in_.digits_at(1) == 2)
      in_.skip(1), minutes = in_.number(2);
    has_zone_ = true;
    zone_ = TimeZone::fixed(sign * (hours * 3600 + minutes * 60));
    return true;
  }

  bool zone() {
    const std::string_view name = in_.zone_name();
    if (has_zone_ || name.empty()) return false;
    in_.skip(name.size());
    has_zone_ = true;
    if (const auto seconds = seconds_of_abbreviation(name)) {
      zone_ = TimeZone::fixed(*seconds);
      return true;
    }
    try {
      zone_ = TimeZone::find("the zone", name);
    } catch (const QueryError&) {
      return false;
    }
    return true;
  }

  std::optional<FreeDate> finish() const {
    if (!has_date_ || missing_year_ || month_ < 1 || month_ > 12 || day_ < 1) return std::nullopt;
    if (day_ > days_in_month(year_, month_)) return std::nullopt;
    if (hour_ == 24 && ms_ != 0) return std::nullopt;
    std::int64_t days = days_of(year_, month_, day_);
    // If the named weekday differs, the date moves forward to that weekday.
    if (weekday_ >= 0) days += floor_mod(weekday_ - weekday(days), 7);
    return FreeDate{wall_of(days, hour_ * kHour + ms_), has_zone_, zone_};
  }

  FreeDateScanner in_;
  bool has_date_ = false, has_time_ = false, has_zone_ = false, missing_year_ = false;
  std::int64_t year_ = 0, ms_ = 0;
  int month_ = 0, day_ = 0, hour_ = 0, weekday_ = -1;
  TimeZone zone_;
};

}  // namespace

std::optional<FreeDate> read_free_date(std::string_view text) {
  return FreeDateReader(text).read();
}

std::optional<std::int64_t> parse_free_date(std::string_view text) {
  const auto date = read_free_date(text);
  return date ? date->zone.instant_of(date->time) : std::nullopt;
}

}  // namespace gantry::data::expr
