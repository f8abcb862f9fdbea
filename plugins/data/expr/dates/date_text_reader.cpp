#include "expr/dates/date_text_reader.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "expr/dates/free_date_scanner.hpp"
#include "values/ascii.hpp"

namespace gantry::data::expr {
bool TextReader::take(char c) {
  if (rest_.empty() || rest_.front() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

std::size_t TextReader::digits() const {
  std::size_t count = 0;
  while (count < rest_.size() && is_digit(rest_[count])) ++count;
  return count;
}

std::string_view TextReader::letters() const {
  std::size_t count = 0;
  while (count < rest_.size() && is_letter(rest_[count])) ++count;
  return rest_.substr(0, count);
}

std::optional<int> TextReader::number(std::size_t least, std::size_t most) {
  const std::size_t count = std::min(digits(), most);
  if (count < least || count == 0) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value * 10 + (rest_[i] - '0');
  rest_.remove_prefix(count);
  return value;
}

std::optional<int> TextReader::month_name() {
  const std::string_view name = letters();
  const int month = month_named(name);
  if (month == 0) return std::nullopt;
  rest_.remove_prefix(name.size());
  return month;
}

std::optional<TimeZone> TextReader::offset() {
  TextReader in = *this;
  const bool west = in.peek() == '-';
  if (!in.take('+') && !in.take('-')) return std::nullopt;
  const std::size_t together = in.digits();
  const auto hours = in.number(1, together == 3 ? 1 : 2);
  if (!hours) return std::nullopt;
  const bool colon = in.take(':');
  const auto minutes = in.number(2, 2);
  if (colon && !minutes) return std::nullopt;
  *this = in;
  const int seconds = (*hours * 60 + minutes.value_or(0)) * 60;
  return TimeZone::fixed(west ? -seconds : seconds);
}

std::optional<TimeZone> TextReader::zone() {
  if (const auto fixed = offset()) return fixed;
  const std::string_view name = letters();
  const auto seconds = seconds_of_abbreviation(name);
  if (seconds) {
    rest_.remove_prefix(name.size());
    const auto more = *seconds == 0 ? offset() : std::nullopt;
    return more ? *more : TimeZone::fixed(*seconds);
  }
  const std::string_view long_name = rest_.substr(0, rest_.find_first_of(" \t,;"));
  try {
    const TimeZone found = TimeZone::find("$dateFromString", long_name);
    rest_.remove_prefix(long_name.size());
    return found;
  } catch (const QueryError&) {
    return std::nullopt;
  }
}

}  // namespace gantry::data::expr
