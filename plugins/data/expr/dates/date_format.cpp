#include "expr/dates/date_format.hpp"

#include <array>
#include <cstdlib>

#include "errors/query_error.hpp"
#include "expr/dates/date_text_reader.hpp"
#include "expr/text.hpp"

namespace gantry::data::expr {
namespace {

// A local date and time, prepared for formatting.
struct Moment {
  std::string_view op;
  WallTime time;
  CivilDate date;
  std::int32_t offset = 0;  // seconds east
};

void put(std::string& out, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

void put_year(std::string& out, const Moment& at, std::int64_t year) {
  if (year < 0 || year > 9999) {
    throw QueryError(std::string(at.op) + " writes years from 0 to 9999 only");
  }
  put(out, year, 4);
}

void put_offset(std::string& out, const Moment& at) {
  const int minutes = std::abs(at.offset / 60);
  out += at.offset < 0 ? '-' : '+';
  put(out, minutes / 60, 2);
  put(out, minutes % 60, 2);
}

using Write = void (*)(const Moment&, std::string&);
using Read = bool (*)(TextReader&, DateFields&);

bool take(std::optional<int>& field, std::optional<int> number) {
  field = number;
  return number.has_value();
}

bool read_millisecond(TextReader& in, DateFields& to) {
  const std::size_t digits = in.digits();
  if (!take(to.millisecond, in.number(1, 3))) return false;
  for (std::size_t i = digits; i < 3; ++i) *to.millisecond *= 10;
  return true;
}

// Minutes east of UTC, with or without a sign.
bool read_zone_minutes(TextReader& in, DateFields& to) {
  const bool west = in.peek() == '-';
  if (!west) in.take('+');
  if (west) in.take('-');
  const auto minutes = in.number(1, 4);
  if (minutes) to.zone = TimeZone::fixed((west ? -*minutes : *minutes) * 60);
  return minutes.has_value();
}

struct Specifier {
  char letter;
  Write write;
  Read read;  // null: not supported for parsing
};

bool read_month_name(TextReader& in, DateFields& to) { return take(to.month, in.month_name()); }
bool read_zone(TextReader& in, DateFields& to) {
  to.zone = in.zone();
  return to.zone.has_value();
}

constexpr std::array<Specifier, 18> kSpecifiers = {{
    {'Y', [](const Moment& at, std::string& out) { put_year(out, at, at.date.year); },
     [](TextReader& in, DateFields& to) { return take(to.year, in.number(4, 4)); }},
    {'m', [](const Moment& at, std::string& out) { put(out, at.date.month, 2); },
     [](TextReader& in, DateFields& to) { return take(to.month, in.number(1, 2)); }},
    {'d', [](const Moment& at, std::string& out) { put(out, at.date.day, 2); },
     [](TextReader& in, DateFields& to) { return take(to.day, in.number(1, 2)); }},
    {'H', [](const Moment& at, std::string& out) { put(out, at.time.ms / kHour, 2); },
     [](TextReader& in, DateFields& to) { return take(to.hour, in.number(1, 2)); }},
    {'M', [](const Moment& at, std::string& out) { put(out, at.time.ms / kMinute % 60, 2); },
     [](TextReader& in, DateFields& to) { return take(to.minute, in.number(1, 2)); }},
    {'S', [](const Moment& at, std::string& out) { put(out, at.time.ms / kSecond % 60, 2); },
     [](TextReader& in, DateFields& to) { return take(to.second, in.number(1, 2)); }},
    {'L', [](const Moment& at, std::string& out) { put(out, at.time.ms % kSecond, 3); },
     read_millisecond},
    {'j', [](const Moment& at, std::string& out) { put(out, day_of_year(at.time.days), 3); },
     [](TextReader& in, DateFields& to) {
       return to.year.has_value() && take(to.days_into_year, in.number(1, 3));
     }},
    {'u', [](const Moment& at, std::string& out) { put(out, iso_weekday(at.time.days), 1); },
     [](TextReader& in, DateFields& to) { return take(to.iso_day, in.number(1, 1)); }},
    {'V', [](const Moment& at, std::string& out) { put(out, iso_week_of(at.time.days).week, 2); },
     [](TextReader& in, DateFields& to) { return take(to.iso_week, in.number(1, 2)); }},
    {'G',
     [](const Moment& at, std::string& out) { put_year(out, at, iso_week_of(at.time.days).year); },
     [](TextReader& in, DateFields& to) { return take(to.iso_year, in.number(4, 4)); }},
    {'b',
     [](const Moment& at, std::string& out) {
       out += kMonths[static_cast<std::size_t>(at.date.month - 1)].substr(0, 3);
     },
     read_month_name},
    {'B',
     [](const Moment& at, std::string& out) {
       out += kMonths[static_cast<std::size_t>(at.date.month - 1)];
     },
     read_month_name},
    {'z', [](const Moment& at, std::string& out) { put_offset(out, at); }, read_zone},
    {'Z', [](const Moment& at, std::string& out) { out += std::to_string(at.offset / 60); },
     read_zone_minutes},
    {'%', [](const Moment&, std::string& out) { out += '%'; },
     [](TextReader& in, DateFields&) { return in.take('%'); }},
    {'U', [](const Moment& at, std::string& out) { put(out, sunday_week(at.time.days), 2); },
     nullptr},
    {'w', [](const Moment& at, std::string& out) { put(out, weekday(at.time.days) + 1, 1); },
     nullptr},
}};

constexpr std::size_t kCharactersBetweenSteps = 1024;

const Specifier* specifier_of(char letter) {
  for (const Specifier& one : kSpecifiers) {
    if (one.letter == letter) return &one;
  }
  return nullptr;
}

}  // namespace

void check_format(std::string_view op, std::string_view format, FormatUse use) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (i % kCharactersBetweenSteps == 0) Spending::step_current();
    if (format[i] != '%') continue;
    const Specifier* found = ++i < format.size() ? specifier_of(format[i]) : nullptr;
    if (found != nullptr && (use == FormatUse::write || found->read != nullptr)) continue;
    throw QueryError(std::string(op) +
                     " has a % in its format that begins none of: %b %B %d %G "
                     "%H %j %L %m %M %S %u %V %Y %z %Z" +
                     (use == FormatUse::write ? " %U %w" : "") + "; write %% for a percent sign");
  }
}

std::string format_date(std::string_view op, std::int64_t date, const TimeZone& zone,
                        std::string_view format) {
  Moment at{op, zone.wall_at(date), {}, zone.offset_at(date)};
  at.date = civil_of(at.time.days);
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (i % kCharactersBetweenSteps == 0) {
      Spending::step_current();
      check_text_size(op, out.size());
    }
    if (format[i] != '%') {
      out += format[i];
    } else if (++i < format.size()) {
      if (const Specifier* found = specifier_of(format[i])) found->write(at, out);
    }
  }
  return out;
}

std::string_view default_format(const TimeZone& zone) {
  return zone.is_utc() ? "%Y-%m-%dT%H:%M:%S.%LZ" : "%Y-%m-%dT%H:%M:%S.%L";
}

std::optional<DateFields> read_by_format(std::string_view text, std::string_view format) {
  TextReader in(text);
  DateFields fields;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (i % kCharactersBetweenSteps == 0) Spending::step_current();
    if (format[i] != '%') {
      if (!in.take(format[i])) return std::nullopt;
      continue;
    }
    const Specifier* found = ++i < format.size() ? specifier_of(format[i]) : nullptr;
    if (found == nullptr || found->read == nullptr || !found->read(in, fields)) return std::nullopt;
  }
  if (!in.at_end()) return std::nullopt;
  return fields;
}

}  // namespace gantry::data::expr
