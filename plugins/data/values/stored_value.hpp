// values/stored_value.hpp: a value as a store keeps it, and a row of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gantry::data {

// A stored value in SQLite's storage classes, onto which other stores map theirs. Reading the wrong
// member is harmless: zero or empty.
struct StoredValue {
  enum class Type : std::uint8_t { null, integer, real, text, blob };

  Type type = Type::null;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view bytes;  // of text (UTF-8 is not guaranteed) and blob

  bool is_null() const { return type == Type::null; }
  bool is_number() const { return type == Type::integer || type == Type::real; }
  bool is_text() const { return type == Type::text; }
  bool is_blob() const { return type == Type::blob; }
  // Either kind of number as a double; integers beyond 2^53 are rounded.
  double number() const { return type == Type::integer ? static_cast<double>(integer) : real; }
};

// The columns of a row. Their bytes belong to the cursor that returned it (store/store.hpp).
using Row = std::span<const StoredValue>;

}  // namespace gantry::data
