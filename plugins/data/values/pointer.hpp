// values/pointer.hpp: pointers as values and JSON. Pure.
//
// A pointer to an object of another class is {"__type": "Pointer", "className": …, "objectId": …}.
// Agents may also write the bare id: compared with a text, a pointer is equal to its id.
#pragma once

#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data {

// The id of a pointer; missing for any other value.
inline const Value& pointer_id(const Value& value) {
  static const Value missing;
  if (!value.is_object() || value.members().size() != 3) return missing;
  const Value& type = value.find("__type");
  if (!type.is_string() || type.text() != "Pointer") return missing;
  const Value& id = value.find("objectId");
  return id.is_string() && value.find("className").is_string() ? id : missing;
}

// The id of a pointer; any other value unchanged.
inline const Value& bare_id(const Value& value) {
  const Value& id = pointer_id(value);
  return id.is_missing() ? value : id;
}

// Whether the values are equal, or are a pointer and its bare id.
inline bool same_or_pointer(const Value& a, const Value& b) {
  if (a.is_string() && b.is_object()) return a == bare_id(b);
  if (a.is_object() && b.is_string()) return bare_id(a) == b;
  return compare(a, b) == 0;
}

// `id`: text, or missing.
inline Value pointer_value(std::string_view class_name, Value id) {
  return ObjectBuilder()
      .add("__type", Value::string("Pointer"))
      .add("className", Value::string(std::string(class_name)))
      .add("objectId", std::move(id))
      .build();
}

// The JSON of a pointer up to its id; '}' ends it.
inline std::string pointer_prefix(std::string_view quoted_class_name) {
  std::string json = R"({"__type":"Pointer","className":)";
  return json.append(quoted_class_name) += R"(,"objectId":)";
}

}  // namespace gantry::data
