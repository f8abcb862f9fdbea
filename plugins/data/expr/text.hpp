// expr/text.hpp: what the string operators share. Pure functions; any thread.
//
// What looks at a whole text takes a step of the query for each part of it (values/spending.hpp).
// Text is UTF-8, and what is not is taken as it is: a byte that continues no character counts to
// the one before it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data::expr {

inline constexpr std::size_t kLongestText = std::size_t{16} << 20;  // bytes of a result

inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
// The byte behind the character that begins at `at`, which is inside the text.
inline std::size_t next_character(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && continues_character(text[at]));
  return at;
}
std::size_t count_characters(std::string_view text);
// The byte at which the character begins that lies `count` characters behind byte `at`; the end of
// the text when there are fewer.
std::size_t skip_characters(std::string_view text, std::size_t at, std::size_t count);

inline constexpr std::size_t kNotFound = std::string_view::npos;
// The first place of `part` in `text` at or behind `from`, in time linear in the text.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from);

std::string ascii_lower(std::string_view text);
std::string ascii_upper(std::string_view text);

// What $toLower, $substr and $strcasecmp make of their operand: text as it is, "" of null and
// missing, numbers (doubles with six digits), dates in ISO 8601. Refuses all else.
std::string coerce_to_text(std::string_view op, const Value& value);
// The same without a copy of what is a text: `made` holds all else.
std::string_view view_as_text(std::string_view op, const Value& value, std::string& made);

// 2026-11-21T20:00:00.000Z. Refuses years outside 0 to 9999.
std::string date_text(std::string_view op, std::int64_t milliseconds);

// Refuses, naming `op`, to let a result grow beyond kLongestText.
void check_text_size(std::string_view op, std::size_t size);

// Sentences begin so: "$indexOfCP's starting index". Refuses all but whole numbers of 32 bits.
std::int32_t whole_int(std::string_view whose, const Value& value);

}  // namespace gantry::data::expr
