// expr/text.hpp: functions that string operators share. Pure functions; any thread.
//
// Functions over a whole text count a step of the query for each part of it (values/spending.hpp).
// Text is UTF-8. Invalid bytes are kept: a stray continuation byte belongs to the character before
// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data::expr {

inline constexpr std::size_t kLongestText = std::size_t{16} << 20;  // bytes of a result

inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
// The index after the character that begins at `at`, which must be inside the text.
inline std::size_t next_character(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && continues_character(text[at]));
  return at;
}
std::size_t count_characters(std::string_view text);
// The byte index of the character that is `count` characters after byte `at`; the end of the text
// if there are fewer.
std::size_t skip_characters(std::string_view text, std::size_t at, std::size_t count);

inline constexpr std::size_t kNotFound = std::string_view::npos;
// The first position of `part` in `text` from `from` on, in time linear in the text.
std::size_t find_text(std::string_view text, std::string_view part, std::size_t from);

std::string ascii_lower(std::string_view text);
std::string ascii_upper(std::string_view text);

// The operand of $toLower, $substr and $strcasecmp as text: text unchanged, "" for null and
// missing, numbers (doubles with six digits), dates in ISO 8601. Refuses other types.
std::string coerce_to_text(std::string_view op, const Value& value);
// The same without copying a text; other results are stored in `made`.
std::string_view view_as_text(std::string_view op, const Value& value, std::string& made);

// 2026-11-21T20:00:00.000Z. Refuses years outside 0 to 9999.
std::string date_text(std::string_view op, std::int64_t milliseconds);

// Refuses, naming `op`, results longer than kLongestText.
void check_text_size(std::string_view op, std::size_t size);

// `whose` begins the message: "$indexOfCP's starting index". Refuses values other than 32-bit whole
// numbers.
std::int32_t whole_int(std::string_view whose, const Value& value);

}  // namespace gantry::data::expr
