// The required form of each keyword's value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gantry/status.hpp>

#include "text.hpp"

namespace gantry::schema::detail {

enum class Shape : std::uint8_t {
  kUnknown,  // not a keyword: an annotation
  kAny,
  kString,
  kBoolean,
  kNumber,
  kPositive,
  kCount,
  kArray,
  kNames,        // distinct strings
  kNamesByName,  // object of kNames
  kTypes,
  kIdentifier,  // $id
  kAnchor,
  kDialect,
  kVocabulary,
  kSchema,
  kSchemas,  // one or more, in an array
  kSchemasByName,
  kSchemasByPattern,
};

Shape shape_of(std::string_view keyword);

inline bool is_schema(const Json& value) { return value.IsObject() || value.IsBool(); }

// The member's value, or null. `schema` may be a boolean schema.
const Json* find(const Json& schema, std::string_view keyword);

// Checks every keyword of one schema object, but not the schemas inside it; `location` is the place
// of the schema, for the message.
Status check_shapes(const Json& schema, const std::string& location);

// "schema at '#/a/b': why"
Status bad_schema(const std::string& location, const std::string& why);

// The bit of a type's name, or 0.
std::uint8_t type_bit(std::string_view name);

}  // namespace gantry::schema::detail
