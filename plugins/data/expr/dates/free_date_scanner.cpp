#include "expr/dates/free_date_scanner.hpp"

#include <algorithm>
#include <array>

#include "expr/dates/calendar.hpp"
#include "values/spending.hpp"

namespace gantry::data::expr {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

// The index of a name in `names`, complete or as its first three letters; otherwise -1.
template <std::size_t n>
int place_of_name(const std::array<std::string_view, n>& names, std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (same_letters(name, names[i]) || same_letters(name, names[i].substr(0, 3))) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

void step_of_scan(std::size_t character) {
  constexpr std::size_t kScannedBetweenSteps = 4096;
  if (character % kScannedBetweenSteps == kScannedBetweenSteps - 1) Spending::step_current();
}

struct Abbreviation {
  std::string_view name;
  int minutes;
};
constexpr Abbreviation kAbbreviations[] = {
    {"z", 0},      {"utc", 0},    {"gmt", 0},    {"wet", 0},    {"est", -300},
    {"edt", -240}, {"cst", -360}, {"cdt", -300}, {"mst", -420}, {"mdt", -360},
    {"pst", -480}, {"pdt", -420}, {"hst", -600}, {"cet", 60},   {"cest", 120},
    {"eet", 120},  {"eest", 180}, {"bst", 60},   {"msk", 180},  {"jst", 540}};

constexpr std::string_view kOuterBlanks("\0 \t\n\v\f\r", 7);
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

std::string_view trimmed(std::string_view text) {
  for (std::size_t size = text.size() + 1; size != text.size();) {
    size = text.size();
    if (text.starts_with(kNoBreakSpace)) text.remove_prefix(2);
    if (text.ends_with(kNoBreakSpace)) text.remove_suffix(2);
    text.remove_prefix(std::min(text.find_first_not_of(kOuterBlanks), text.size()));
    text = text.substr(0, text.find_last_not_of(kOuterBlanks) + 1);
  }
  return text;
}

}  // namespace

int month_named(std::string_view name) {
  return same_letters(name, "sept") ? 9 : place_of_name(kMonths, name) + 1;
}

int weekday_named(std::string_view name) { return place_of_name(kWeekdays, name); }

std::optional<std::int32_t> seconds_of_abbreviation(std::string_view name) {
  for (const Abbreviation& known : kAbbreviations) {
    if (same_letters(known.name, name)) return known.minutes * 60;
  }
  return std::nullopt;
}

FreeDateScanner::FreeDateScanner(std::string_view text) : text_(trimmed(text)) {}

bool FreeDateScanner::take(char c) {
  if (peek() != c || at_end()) return false;
  ++at_;
  return true;
}

void FreeDateScanner::skip_any(std::string_view of) {
  at_ = std::min(text_.find_first_not_of(of, at_), text_.size());
}

void FreeDateScanner::skip_ordinal() {
  const std::string_view name = word();
  static constexpr std::string_view kOrdinals[] = {"st", "nd", "rd", "th"};
  for (const std::string_view ordinal : kOrdinals) {
    if (same_letters(name, ordinal)) return skip(2);
  }
}

std::size_t FreeDateScanner::digits_at(std::size_t ahead) const {
  std::size_t count = 0;
  for (; is_digit(peek(ahead + count)); ++count) step_of_scan(count);
  return count;
}

int FreeDateScanner::number(std::size_t digits) {
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (i < 9) value = value * 10 + (peek() - '0');
    skip(1);
  }
  return value;
}

std::string_view FreeDateScanner::word() const {
  std::size_t length = 0;
  for (; is_letter(peek(length)); ++length) step_of_scan(length);
  return text_.substr(at_, length);
}

std::string_view FreeDateScanner::zone_name() const {
  const auto belongs = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("/_+-").find(c) != std::string_view::npos;
  };
  std::size_t length = 0;
  for (; at_ + length < text_.size() && belongs(peek(length)); ++length) step_of_scan(length);
  return text_.substr(at_, length);
}

bool FreeDateScanner::has_meridian(std::size_t ahead) const {
  while (peek(ahead) == ' ') ++ahead;
  const char first = lower_char(peek(ahead));
  const std::size_t m = peek(ahead + 1) == '.' ? ahead + 2 : ahead + 1;
  return (first == 'a' || first == 'p') && lower_char(peek(m)) == 'm' && !is_letter(peek(m + 1));
}

bool FreeDateScanner::take_meridian() {
  skip_any(" ");
  const bool afternoon = lower_char(peek()) == 'p';
  skip(peek(1) == '.' ? 3 : 2);
  take('.');
  return afternoon;
}

}  // namespace gantry::data::expr
