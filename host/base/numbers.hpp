// host/base/numbers.hpp: finds and repairs JSON numbers that RapidJSON 1.1 misreads.
//
// With full precision it turns a zero with more than 22 places, or with such an exponent, into an
// arbitrary number, and numbers just beyond the range of doubles too (9e308, 4.4e-325); it reads
// behind its tables, up to a crash, at numbers far beyond (0.000…1 with 400 zeros, 900…0e276 with
// 83), and its arithmetic overflows at exponents of ten digits. Later readers, plugins included,
// read the same text, so such zeros, and numbers that are zero as doubles, are rewritten first.
// Text that has another such number is refused. Every parse with full precision of text from
// elsewhere comes after this. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

// The JSON text with each such zero or number near it replaced by "0.0" and blanks up to its
// length; nothing if there is none.
std::optional<std::string> with_plain_zeros(std::string_view json);

// The byte offset of the first number that RapidJSON cannot read. Unspecified for text that is not
// JSON.
std::optional<std::size_t> unreadable_number(std::string_view json);

// The JSON text with "0.0" and blanks in place of each number that RapidJSON cannot read.
std::string without_unreadable(std::string_view json);

// Mends the text and judges it: if `json` has such zeros, `mended` gets the repaired copy and
// `json` views it, so `mended` must outlive it. Returns the byte offset of the first number that
// remains unreadable.
std::optional<std::size_t> make_readable(std::string_view& json, std::string& mended);

}  // namespace gantry::host
