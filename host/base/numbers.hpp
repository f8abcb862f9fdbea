// host/base/numbers.hpp: numbers that RapidJSON 1.1 does not read as they are written.
//
// Asked to read exactly, it makes any number at all of a zero with more than 22 places or such an
// exponent, and its arithmetic overflows at exponents of ten digits. Everything behind reads the
// same text again, plugins too, so such zeros are rewritten first; text with a number that is not
// zero and of such an exponent goes no further. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

// The JSON text with each zero that would be misread as "0.0" and blanks, of the same length;
// nothing when there is none.
std::optional<std::string> with_plain_zeros(std::string_view json);

// Where the first such number of a JSON text starts. Of a text that is no JSON: anything.
std::optional<std::size_t> unreadable_number(std::string_view json);

// Both: where the text has such zeros it becomes that of `mended`, which holds it without them.
// Where the first number starts that stays unreadable.
std::optional<std::size_t> make_readable(std::string_view& json, std::string& mended);

}  // namespace gantry::host
