// where/stored_json.hpp: a stored value, JSON text parsed, handed to a function as a View.
// What is internal is not there, at any depth.
#pragma once

#include <array>

#include "policy/internal.hpp"
#include "values/json_document.hpp"
#include "values/utf8.hpp"
#include "where/column.hpp"

namespace gantry::data::where {

// Calls `use` with the value; the view lives until it returns. Text of a JSON column that is no
// JSON is what it is, a string; null where it may name what is internal. What is no UTF-8 is bytes,
// as the engine of pipelines has it.
template <class Use>
auto with_stored(const StoredValue& value, const Reading& reading, const Use& use) {
  if (!reading.json || value.bytes.empty()) return use(read_stored(value, reading));
  const auto unread = [&](const View& view) {
    return use(may_name_internal(value.bytes) ? View() : view);
  };
  if (!value.is_text()) return unread(read_stored(value, reading));
  if (!is_utf8(value.bytes)) return unread(View::bytes(value.bytes));
  const Charge passing(document_bytes(value.bytes));
  std::array<char, 8192> first;  // most documents fit, so that nothing is allocated for them
  rapidjson::MemoryPoolAllocator<> pool(first.data(), first.size());
  rapidjson::Document json(&pool);
  if (parse_json<rapidjson::kParseNoFlags>(value.bytes, json).IsError()) {
    return unread(View::string(value.bytes));
  }
  drop_internal(json);
  return use(view_of(json));
}

}  // namespace gantry::data::where
