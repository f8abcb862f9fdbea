// where/stored_json.hpp: a stored value, JSON text parsed, handed to a function as a View.
// What is internal is not there, at any depth.
#pragma once

#include <array>

#include "policy/internal.hpp"
#include "where/column.hpp"

namespace gantry::data::where {

// Calls `use` with the value; the view lives until it returns. Text of a JSON column that is no
// JSON is what it is: a string.
template <class Use>
auto with_stored(const StoredValue& value, const Reading& reading, const Use& use) {
  if (!reading.json || !value.is_text()) return use(read_stored(value, reading));
  std::array<char, 8192> first;  // most documents fit, so that nothing is allocated for them
  rapidjson::MemoryPoolAllocator<> pool(first.data(), first.size());
  rapidjson::Document json(&pool);
  // Iterative: a document may be nested deeper than the stack is.
  constexpr unsigned kFlags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
  json.Parse<kFlags>(value.bytes.data(), value.bytes.size());
  if (json.HasParseError()) return use(View::string(value.bytes));
  drop_internal(json);
  return use(view_of(json));
}

}  // namespace gantry::data::where
