#include "core/date.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace prompts {
namespace {

constexpr std::int64_t kHour = 3'600'000, kMinute = 60'000;

// Parses a text piece by piece; after one mismatch all further ones fail.
class Pieces {
 public:
  explicit Pieces(std::string_view text) : rest_(text) {}

  int digits(std::size_t count, int most) {
    int value = 0;
    const char* const end = rest_.data() + std::min(count, rest_.size());
    const auto read = std::from_chars(rest_.data(), end, value);
    const bool all = rest_.size() >= count && read.ec == std::errc() && read.ptr == end;
    if (!all || rest_.front() == '-' || value > most) return good_ = false, 0;
    rest_.remove_prefix(count);
    return value;
  }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) { good_ = skip(c) && good_; }
  // The milliseconds after the point; further digits are ignored.
  int fraction() {
    int value = 0, place = 100;
    const std::size_t before = rest_.size();
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; place /= 10) {
      value += (rest_.front() - '0') * place;
      rest_.remove_prefix(1);
    }
    if (rest_.size() == before) good_ = false;
    return value;
  }
  bool at_end() const { return rest_.empty(); }
  bool good() const { return good_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::int64_t time_of(Pieces& text) {
  std::int64_t ms = text.digits(2, 23) * kHour;
  text.expect(':');
  ms += text.digits(2, 59) * kMinute;
  if (!text.skip(':')) return ms;
  ms += text.digits(2, 59) * 1000;
  return text.skip('.') ? ms + text.fraction() : ms;
}

std::int64_t offset_of(Pieces& text) {
  if (text.at_end() || text.skip('Z')) return 0;
  const bool west = text.skip('-');
  if (!west) text.expect('+');
  const std::int64_t hours = text.digits(2, 23);
  text.expect(':');
  const std::int64_t ms = hours * kHour + text.digits(2, 59) * kMinute;
  return west ? -ms : ms;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  Pieces pieces(text);
  const int year = pieces.digits(4, 9999);
  pieces.expect('-');
  const int month = pieces.digits(2, 12);
  pieces.expect('-');
  const int day = pieces.digits(2, 31);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!pieces.good() || !date.ok()) return std::nullopt;
  Date out{std::chrono::sys_days(date).time_since_epoch().count() * kDay, pieces.at_end()};
  if (out.is_day) return out;
  if (!pieces.skip('T')) pieces.expect(' ');
  out.ms += time_of(pieces);
  out.ms -= offset_of(pieces);
  return pieces.good() && pieces.at_end() ? std::optional(out) : std::nullopt;
}

std::string to_iso(std::int64_t ms) {
  const std::int64_t days = ms >= 0 ? ms / kDay : -((kDay - 1 - ms) / kDay);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  const std::int64_t of_day = ms - days * kDay;
  std::array<char, 64> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                    static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                    static_cast<unsigned>(date.day()), static_cast<int>(of_day / kHour),
                    static_cast<int>(of_day % kHour / kMinute),
                    static_cast<int>(of_day % kMinute / 1000), static_cast<int>(of_day % 1000));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

}  // namespace prompts
