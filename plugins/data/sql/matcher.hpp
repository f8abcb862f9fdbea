// sql/matcher.hpp: decides conditions on one stored value that SQL cannot express exactly.
//
// A matcher is bound to the statement as a pointer and called by the registered function
// gantry_match(?, column) while the statement steps, on that thread. Several statements may use one
// matcher at the same time, so match() must not modify it. Text and blob bytes are valid only until
// match() returns. An exception ends the statement with an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::data {

// A stored value in SQLite's storage classes. Reading the wrong member is harmless: zero or empty.
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

class Matcher {
 public:
  virtual ~Matcher() = default;
  virtual bool match(const StoredValue& value) const = 0;
  // For ORDER BY gantry_key(?, column): bytes whose order is that of the values.
  virtual std::string key(const StoredValue&) const { return {}; }
};

}  // namespace gantry::data
