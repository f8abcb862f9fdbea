// write/cell.hpp: one value that is to be written, as it was given. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::data::write {

struct Cell {
  enum class Type {
    null,
    boolean,  // integer: 0 or 1
    integer,
    real,
    big_number,  // text: a number that neither 64-bit integers nor doubles hold
    text,        // JSON's, quotes taken off
    lexical,     // CSV's: text that may mean something else
    nested,      // text: JSON of an object or array
    date,        // integer: milliseconds since 1970 in UTC
    bytes,       // text: the bytes themselves
    pointer,     // text: the objectId; target: its class
    relation     // not stored
  };
  Type type = Type::null;
  std::int64_t integer = 0;
  double real = 0;
  std::string text, target;

  bool is(Type wanted) const { return type == wanted; }
  bool is_null() const { return type == Type::null; }
};

// A number's text as JSON writes it: integer, real or big_number.
Cell number_cell(std::string_view text);

// "a number", "text", "an object or array": for sentences.
std::string_view describe(Cell::Type type);

}  // namespace gantry::data::write
