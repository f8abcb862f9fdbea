// values/pointer.hpp: pointers as values. Pure.
//
// A pointer to an object of another class is {"__type": "Pointer", "className": …, "objectId": …}.
// Agents may also write the bare id: compared with a text, a pointer is equal to its id.
#pragma once

#include "values/value.hpp"

namespace gantry::data {

// The id of a pointer; any other value unchanged.
inline const Value& bare_id(const Value& value) {
  if (!value.is_object() || value.members().size() != 3) return value;
  const Value& type = value.find("__type");
  if (!type.is_string() || type.text() != "Pointer") return value;
  const Value& id = value.find("objectId");
  return id.is_string() && value.find("className").is_string() ? id : value;
}

// Whether the values are equal, or are a pointer and its bare id.
inline bool same_or_pointer(const Value& a, const Value& b) {
  if (a.is_string() && b.is_object()) return a == bare_id(b);
  if (a.is_object() && b.is_string()) return bare_id(a) == b;
  return compare(a, b) == 0;
}

}  // namespace gantry::data
