#include "values/iso_date.hpp"

#include <algorithm>

#include "values/ascii.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kFirst = -62'167'219'200'000;  // 0000-01-01T00:00:00Z
constexpr std::int64_t kEnd = 253'402'300'800'000;    // 10000-01-01T00:00:00Z

// Days since 1970-01-01. Years begin in March here, so the leap day is the last day of a year.
std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

int days_in_month(int year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool digit(int& value) {
    if (peek() < '0' || peek() > '9') return false;
    value = peek() - '0';
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits, in [low, high].
  bool number(int count, int low, int high, int& value) {
    value = 0;
    for (int d = 0; count > 0; --count) {
      if (!digit(d)) return false;
      value = value * 10 + d;
    }
    return value >= low && value <= high;
  }

 private:
  std::string_view rest_;
};

bool read_fraction(Reader& in, int& milliseconds) {
  int digits = 0;
  for (int d = 0, weight = 100; in.digit(d); weight /= 10, ++digits) milliseconds += d * weight;
  return digits > 0;
}

bool read_time(Reader& in, std::int64_t& ms) {
  int hour = 0, minute = 0, second = 0, fraction = 0;
  if (!in.number(2, 0, 23, hour) || !in.take(':') || !in.number(2, 0, 59, minute)) return false;
  if (in.take(':')) {
    if (!in.number(2, 0, 59, second)) return false;
    if (in.take('.') && !read_fraction(in, fraction)) return false;
  }
  ms = ((hour * 60 + minute) * 60 + second) * std::int64_t{1000} + fraction;
  return true;
}

bool read_zone(Reader& in, std::int64_t& offset_ms) {
  offset_ms = 0;
  if (in.at_end() || in.take('Z')) return in.at_end();
  in.take(' ');
  const int sign = in.peek() == '-' ? -1 : 1;
  int hours = 0, minutes = 0;
  if (!in.take('-') && !in.take('+')) return false;
  if (!in.number(2, 0, 23, hours)) return false;
  if (!in.at_end()) {
    in.take(':');
    if (!in.number(2, 0, 59, minutes)) return false;
  }
  offset_ms = sign * (hours * 60 + minutes) * std::int64_t{60'000};
  return in.at_end();
}

// Writes the number with `digits` digits, then `then`; returns the end.
char* put_digits(char* to, std::int64_t value, int digits, char then) {
  for (int i = digits - 1; i >= 0; --i, value /= 10) to[i] = static_cast<char>('0' + value % 10);
  to[digits] = then;
  return to + digits + 1;
}

}  // namespace

std::optional<std::int64_t> parse_iso_date(std::string_view text) {
  Reader in(text);
  int year = 0, month = 0, day = 0;
  if (!in.number(4, 0, 9999, year) || !in.take('-') || !in.number(2, 1, 12, month) ||
      !in.take('-') || !in.number(2, 1, days_in_month(year, month), day)) {
    return std::nullopt;
  }
  const std::int64_t date = days_from_civil(year, month, day) * kDay;
  if (in.at_end()) return date;
  std::int64_t time = 0, offset = 0;
  if (!in.take('T') && !in.take(' ')) return std::nullopt;
  if (!read_time(in, time) || !read_zone(in, offset)) return std::nullopt;
  return date + time - offset;
}

bool fits_iso_date(std::int64_t milliseconds) {
  return milliseconds >= kFirst && milliseconds < kEnd;
}

void append_iso_date(std::int64_t milliseconds, std::string& out) {
  char text[kIsoDateSize];
  out.append(text, write_iso_date(milliseconds, text));
}

void append_short_iso_date(std::int64_t milliseconds, std::string& out) {
  append_iso_date(milliseconds, out);
  if (milliseconds % 1000 == 0) out.erase(out.size() - 5, 4);  // ".000"
}

char* write_iso_date(std::int64_t milliseconds, char* to) {
  std::int64_t days = milliseconds / kDay;
  std::int64_t ms = milliseconds % kDay;
  if (ms < 0) ms += kDay, --days;
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  to = put_digits(to, year_of_era + era * 400 + (month <= 2), 4, '-');
  to = put_digits(to, month, 2, '-');
  to = put_digits(to, day_of_year - (153 * shifted_month + 2) / 5 + 1, 2, 'T');
  to = put_digits(to, ms / 3'600'000, 2, ':');
  to = put_digits(to, ms / 60'000 % 60, 2, ':');
  to = put_digits(to, ms / 1000 % 60, 2, '.');
  return put_digits(to, ms % 1000, 3, 'Z');
}

std::string iso_shape(std::string_view text) {
  std::string shape(text);
  std::replace_if(shape.begin(), shape.end(), is_digit, '0');
  return shape;
}

bool has_iso_shape(std::string_view text, std::string_view shape) {
  return std::equal(text.begin(), text.end(), shape.begin(), shape.end(),
                    [](char c, char in_shape) { return (is_digit(c) ? '0' : c) == in_shape; });
}

std::string_view iso_zone(std::string_view text) {
  constexpr std::size_t kDate = 10;
  const auto at = text.find_first_of("Z+-", std::min(kDate, text.size()));
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

}  // namespace gantry::data
