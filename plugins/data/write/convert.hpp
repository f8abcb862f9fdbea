// write/convert.hpp: converts a cell for its column. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>

#include <gantry/status.hpp>

#include "values/stored_value.hpp"
#include "write/cell.hpp"
#include "write/table.hpp"

namespace gantry::data::write {

// A StoredValue that owns its bytes.
struct Stored {
  using Type = StoredValue::Type;
  Type type = Type::null;
  std::int64_t integer = 0;
  double real = 0;
  std::string bytes;  // text, blob

  StoredValue view() const { return {type, integer, real, bytes}; }
};

// Converts exactly, or refuses: GANTRY_INVALID_ARGUMENT with a reason that continues "age: …".
// Texts of CSV are read as the column's kind; so are JSON strings in the form of a number or a
// date.
Status convert(Cell& cell, const Column& column, Stored& out);

// The kind of CSV's texts: text, integer, number, boolean or date_ms. Numbers that would not come
// back as they were written (007, +1, 1e999, integers beyond 64 bits, more digits than a double
// has) are text, and so are dates with more than milliseconds.
Form lexical_form(std::string_view text);

// Beyond it doubles skip integers.
inline constexpr std::int64_t kExact = std::int64_t{1} << 53;
constexpr bool fits_double(std::int64_t whole) { return whole >= -kExact && whole <= kExact; }

// Whether the text is a number like JSON's that no double gives back digit for digit; zeros at
// either end do not count.
bool loses_digits(std::string_view text);

// Whether the text is a number as SQLite reads one ("007", " 1e3", "+5"), but not as it writes one.
bool becomes_other_number(std::string_view text);

// Refuses JSON with a number that neither a double nor a 64-bit integer holds digit for digit; one
// without a sign may have 64 bits of its own if `takes_unsigned`. The text must be JSON.
Status check_numbers(std::string_view json, bool takes_unsigned);

// The column for texts of both kinds.
Form common_form(Form a, Form b);

// The JSON text of a cell, with dates, bytes and pointers as {"__type":…}.
void append_cell_json(const Cell& cell, std::string& out);

}  // namespace gantry::data::write
