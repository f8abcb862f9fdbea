#include "compile/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include <gantry/schema/metaschema.hpp>

#include "program.hpp"

namespace gantry::schema::detail {
namespace {

struct Keyword {
  std::string_view name;
  Shape shape;
};

constexpr std::array<Keyword, 60> kKeywords{{{"$id", Shape::kIdentifier},
                                             {"$schema", Shape::kDialect},
                                             {"$ref", Shape::kString},
                                             {"$anchor", Shape::kAnchor},
                                             {"$dynamicRef", Shape::kString},
                                             {"$dynamicAnchor", Shape::kAnchor},
                                             {"$vocabulary", Shape::kVocabulary},
                                             {"$comment", Shape::kString},
                                             {"$defs", Shape::kSchemasByName},
                                             {"$recursiveAnchor", Shape::kAnchor},
                                             {"$recursiveRef", Shape::kString},
                                             {"definitions", Shape::kSchemasByName},
                                             {"prefixItems", Shape::kSchemas},
                                             {"items", Shape::kSchema},
                                             {"contains", Shape::kSchema},
                                             {"additionalProperties", Shape::kSchema},
                                             {"properties", Shape::kSchemasByName},
                                             {"patternProperties", Shape::kSchemasByPattern},
                                             {"dependentSchemas", Shape::kSchemasByName},
                                             {"propertyNames", Shape::kSchema},
                                             {"if", Shape::kSchema},
                                             {"then", Shape::kSchema},
                                             {"else", Shape::kSchema},
                                             {"allOf", Shape::kSchemas},
                                             {"anyOf", Shape::kSchemas},
                                             {"oneOf", Shape::kSchemas},
                                             {"not", Shape::kSchema},
                                             {"unevaluatedItems", Shape::kSchema},
                                             {"unevaluatedProperties", Shape::kSchema},
                                             {"type", Shape::kTypes},
                                             {"const", Shape::kAny},
                                             {"enum", Shape::kArray},
                                             {"multipleOf", Shape::kPositive},
                                             {"maximum", Shape::kNumber},
                                             {"exclusiveMaximum", Shape::kNumber},
                                             {"minimum", Shape::kNumber},
                                             {"exclusiveMinimum", Shape::kNumber},
                                             {"maxLength", Shape::kCount},
                                             {"minLength", Shape::kCount},
                                             {"pattern", Shape::kString},
                                             {"maxItems", Shape::kCount},
                                             {"minItems", Shape::kCount},
                                             {"uniqueItems", Shape::kBoolean},
                                             {"maxContains", Shape::kCount},
                                             {"minContains", Shape::kCount},
                                             {"maxProperties", Shape::kCount},
                                             {"minProperties", Shape::kCount},
                                             {"required", Shape::kNames},
                                             {"dependentRequired", Shape::kNamesByName},
                                             {"title", Shape::kString},
                                             {"description", Shape::kString},
                                             {"deprecated", Shape::kBoolean},
                                             {"readOnly", Shape::kBoolean},
                                             {"writeOnly", Shape::kBoolean},
                                             {"examples", Shape::kArray},
                                             {"format", Shape::kString},
                                             {"contentEncoding", Shape::kString},
                                             {"contentMediaType", Shape::kString},
                                             {"contentSchema", Shape::kSchema},
                                             {"default", Shape::kAny}}};

bool is_names(const Json& value) {
  if (!value.IsArray()) return false;
  std::unordered_set<std::string_view> seen;
  return std::all_of(value.Begin(), value.End(), [&](const Json& name) {
    return name.IsString() && seen.insert(view(name)).second;
  });
}

bool is_types(const Json& value) {
  if (value.IsString()) return type_bit(view(value)) != 0;
  return is_names(value) && !value.Empty() &&
         std::all_of(value.Begin(), value.End(),
                     [](const Json& name) { return type_bit(view(name)) != 0; });
}

bool is_count(const Json& value) {
  if (!value.IsNumber()) return false;
  const Number n = Number::of(value);
  return n.is_integer() && compare(n, Number{}) >= 0;
}

bool is_anchor(const Json& value) {
  if (!value.IsString() || value.GetStringLength() == 0) return false;
  const std::string_view name = view(value);
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto more = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return letter(name[0]) && std::all_of(name.begin(), name.end(), more);
}

bool is_identifier(const Json& value) {
  return value.IsString() && view(value).find('#') >= value.GetStringLength() - 1U;
}

bool all_members(const Json& value, bool (*test)(const Json&)) {
  return value.IsObject() &&
         std::all_of(value.MemberBegin(), value.MemberEnd(),
                     [&](const Json::Member& member) { return test(member.value); });
}

bool is_schemas(const Json& value) {
  return value.IsArray() && !value.Empty() && std::all_of(value.Begin(), value.End(), is_schema);
}

// The requirement of the shape in words, or null if `value` satisfies it.
const char* complaint(Shape shape, const Json& value) {
  switch (shape) {
    case Shape::kUnknown:
    case Shape::kAny:
      return nullptr;
    case Shape::kString:
    case Shape::kDialect:
      return value.IsString() ? nullptr : "must be a string";
    case Shape::kBoolean:
      return value.IsBool() ? nullptr : "must be true or false";
    case Shape::kNumber:
      return value.IsNumber() ? nullptr : "must be a number";
    case Shape::kPositive:
      return value.IsNumber() && compare(Number::of(value), Number{}) > 0
                 ? nullptr
                 : "must be a number above 0";
    case Shape::kCount:
      return is_count(value) ? nullptr : "must be a whole number, 0 or more";
    case Shape::kArray:
      return value.IsArray() ? nullptr : "must be an array";
    case Shape::kNames:
      return is_names(value) ? nullptr : "must be an array of distinct strings";
    case Shape::kNamesByName:
      return all_members(value, is_names) ? nullptr
                                          : "must be an object of arrays of distinct strings";
    case Shape::kTypes:
      return is_types(value) ? nullptr
                             : "must be one of null, boolean, integer, number, string, array, "
                               "object, or an array of distinct ones";
    case Shape::kIdentifier:
      return is_identifier(value) ? nullptr : "must be a URI reference without fragment";
    case Shape::kAnchor:
      return is_anchor(value) ? nullptr
                              : "must be a letter or '_', then letters, digits, '_', '-' or '.'";
    case Shape::kVocabulary:
      return all_members(value, [](const Json& v) { return v.IsBool(); })
                 ? nullptr
                 : "must be an object of true and false";
    case Shape::kSchema:
      return is_schema(value) ? nullptr : "must be a schema (an object, true or false)";
    case Shape::kSchemas:
      return is_schemas(value) ? nullptr : "must be an array of one or more schemas";
    case Shape::kSchemasByName:
    case Shape::kSchemasByPattern:
      return all_members(value, is_schema) ? nullptr : "must be an object of schemas";
  }
  return nullptr;
}

Status check_dialect(const Json& value, const std::string& location) {
  std::string_view named = view(value);
  if (named.ends_with('#')) named.remove_suffix(1);
  if (named == kDialect) return Status::ok();
  return bad_schema(with_segment(location, "$schema"),
                    "the dialect '" + std::string(view(value)) +
                        "' is not supported; only JSON Schema 2020-12 is (" +
                        std::string(kDialect) + ")");
}

}  // namespace

Shape shape_of(std::string_view keyword) {
  const auto* at = std::find_if(kKeywords.begin(), kKeywords.end(),
                                [&](const Keyword& k) { return k.name == keyword; });
  return at == kKeywords.end() ? Shape::kUnknown : at->shape;
}

const Json* find(const Json& schema, std::string_view keyword) {
  if (!schema.IsObject()) return nullptr;
  const Json name(rapidjson::StringRef(keyword.data(), keyword.size()));
  const auto at = schema.FindMember(name);
  return at == schema.MemberEnd() ? nullptr : &at->value;
}

Status check_shapes(const Json& schema, const std::string& location) {
  for (const auto& member : schema.GetObject()) {
    const std::string_view keyword = view(member.name);
    const Shape shape = shape_of(keyword);
    if (const char* why = complaint(shape, member.value)) {
      return bad_schema(with_segment(location, keyword), "'" + std::string(keyword) + "' " + why);
    }
    if (shape == Shape::kDialect) {
      if (Status s = check_dialect(member.value, location); !s) return s;
    }
  }
  return Status::ok();
}

Status bad_schema(const std::string& location, const std::string& why) {
  return Status::invalid("schema at '" + location + "': " + why);
}

std::uint8_t type_bit(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::uint8_t>, 7> kNames{
      {{"null", kNullBit},
       {"boolean", kBooleanBit},
       {"integer", kIntegerBit},
       {"number", kNumberBit},
       {"string", kStringBit},
       {"array", kArrayBit},
       {"object", kObjectBit}}};
  for (const auto& [known, bit] : kNames) {
    if (known == name) return bit;
  }
  return 0;
}

}  // namespace gantry::schema::detail
