// expr/dates/free_date_scanner.hpp: the lexer of free_date.hpp. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "values/ascii.hpp"

namespace gantry::data::expr {

// 1 to 12, or 0: "nov", "November", "SEPT".
int month_named(std::string_view name);
// 0 Sunday to 6 Saturday, or -1: "wed", "Wednesday".
int weekday_named(std::string_view name);
// Seconds east of UTC, for abbreviations with a unique offset.
std::optional<std::int32_t> seconds_of_abbreviation(std::string_view name);

class FreeDateScanner {
 public:
  // Blanks, NUL bytes and no-break spaces at both ends are skipped.
  explicit FreeDateScanner(std::string_view text);

  bool at_end() const { return at_ == text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  char peek_back() const { return at_ > 0 ? text_[at_ - 1] : '\0'; }
  void skip(std::size_t count) { at_ = at_ + count < text_.size() ? at_ + count : text_.size(); }
  bool take(char c);
  void skip_any(std::string_view of);
  void skip_blanks() { skip_any(" \t\r\n.,;"); }
  void skip_ordinal();  // st nd rd th

  // The number of digits at `ahead` characters from here.
  std::size_t digits_at(std::size_t ahead) const;
  // Reads that many digits, at most nine of which are significant.
  int number(std::size_t digits);
  std::string_view word() const;       // letters
  std::string_view zone_name() const;  // letters, digits, / _ + -
  // Whether am, pm, a.m. or p.m. follows `ahead` characters from here, after blanks.
  bool has_meridian(std::size_t ahead) const;
  bool take_meridian();  // returns whether it is pm

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace gantry::data::expr
