// tools/gantry/import/cell.hpp: one value of a row as it stands in the file. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::cli::importing {

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

struct Field {
  std::string name;
  Cell cell;
};

struct Row {
  std::size_t number = 0;  // from 1, in the order of the file
  std::size_t line = 0;    // where it begins, from 1
  std::vector<Field> fields;
  std::string json;    // the whole object, where a source was asked for it; fields are empty then
  std::string reason;  // why the row cannot be read; empty: it can
};

// A number's text as JSON writes it: integer, real or big_number.
Cell number_cell(std::string_view text);

// "a number", "text", "an object or array": for sentences.
std::string_view describe(Cell::Type type);

// The beginning of a text for a sentence: one line, at most 40 characters, in double quotes.
std::string excerpt(std::string_view text);

}  // namespace gantry::cli::importing
