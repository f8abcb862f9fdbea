// values/fragment.hpp: a piece of SQL text and the values bound to its question marks, in order.
//
// The text contains only SQL written here and identifiers from the catalog; all text of callers is
// in `binds`. Fragments of the same shape have the same text, so prepared statements can be reused.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "values/stored_value.hpp"

namespace gantry::data {

struct Bytes {
  std::string data;
};

// Decides conditions on one stored value that SQL cannot express exactly. The registered function
// gantry_match(?, column, …) calls it while a statement steps, on that thread. Several statements
// may use one matcher at the same time, so match() must not modify it.
class Matcher;

using Bind = std::variant<std::nullptr_t, std::int64_t, double, std::string, Bytes,
                          std::shared_ptr<const Matcher>>;

// A copy of a stored value.
inline Bind bind_of(const StoredValue& value) {
  switch (value.type) {
    case StoredValue::Type::integer:
      return value.integer;
    case StoredValue::Type::real:
      return value.real;
    case StoredValue::Type::text:
      return std::string(value.bytes);
    case StoredValue::Type::blob:
      return Bytes{std::string(value.bytes)};
    default:
      return nullptr;
  }
}
// The value as a store has it: NULL of a matcher. Its bytes are those of `value`.
inline StoredValue stored_of(const Bind& value) {
  StoredValue stored;
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    stored.type = StoredValue::Type::integer;
    stored.integer = *number;
  } else if (const auto* real = std::get_if<double>(&value)) {
    stored.type = StoredValue::Type::real;
    stored.real = *real;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    stored.type = StoredValue::Type::text;
    stored.bytes = *text;
  } else if (const auto* blob = std::get_if<Bytes>(&value)) {
    stored.type = StoredValue::Type::blob;
    stored.bytes = blob->data;
  }
  return stored;
}

struct Fragment {
  std::string text;
  std::vector<Bind> binds;

  bool empty() const { return text.empty(); }
  Fragment& add(std::string_view sql) { return text += sql, *this; }
  Fragment& add(const Fragment& other) {
    text += other.text;
    binds.insert(binds.end(), other.binds.begin(), other.binds.end());
    return *this;
  }
  Fragment& bind(Bind value) {
    text += '?';
    binds.push_back(std::move(value));
    return *this;
  }
};

}  // namespace gantry::data
