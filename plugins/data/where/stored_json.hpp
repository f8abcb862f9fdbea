// where/stored_json.hpp: passes a stored value to a function as a View, with JSON text parsed and
// internal members removed at any depth.
#pragma once

#include <array>

#include "policy/internal.hpp"
#include "values/json_document.hpp"
#include "values/utf8.hpp"
#include "where/column.hpp"

namespace gantry::data::where {

// Calls `use` with the value; the view is valid until it returns. Text of a JSON column that is not
// JSON is a string, or null if it may contain an internal name. Invalid UTF-8 is bytes, as in the
// pipeline engine.
template <class Use>
auto with_stored(const StoredValue& value, const Reading& reading, const Use& use) {
  if (!reading.json || value.bytes.empty()) return use(read_stored(value, reading));
  const auto unread = [&](const View& view) {
    return use(may_name_internal(value.bytes) ? View() : view);
  };
  if (!value.is_text()) return unread(read_stored(value, reading));
  if (!is_utf8(value.bytes)) return unread(View::bytes(value.bytes));
  const Charge passing(document_bytes(value.bytes));
  std::array<char, 8192> first;  // on the stack, and large enough for most documents
  rapidjson::MemoryPoolAllocator<> pool(first.data(), first.size());
  rapidjson::Document json(&pool);
  if (parse_json<rapidjson::kParseNoFlags>(value.bytes, json).IsError()) {
    return unread(View::string(value.bytes));
  }
  drop_internal(json, reading.classes.get());
  return use(view_of(json));
}

}  // namespace gantry::data::where
