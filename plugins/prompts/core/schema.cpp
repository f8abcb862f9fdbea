#include "core/schema.hpp"

#include <gantry/json.hpp>

#include <algorithm>

namespace prompts {
namespace {

using gantry::Json;

std::string text_of(const Json& object, std::string_view name) {
  const auto member = object.find(name);
  return member ? member->as_string().value_or("") : std::string();
}

FieldInfo field_of(const Json& json) {
  FieldInfo field{text_of(json, "name"), text_of(json, "type"), text_of(json, "target_class")};
  const auto required = json.find("required");
  field.required = required && required->as_bool().value_or(false);
  return field;
}

}  // namespace

const FieldInfo* ClassSchema::find(std::string_view field) const {
  const auto it = std::find_if(fields.begin(), fields.end(),
                               [&](const FieldInfo& each) { return each.name == field; });
  return it == fields.end() ? nullptr : &*it;
}

const FieldInfo* ClassSchema::date(const std::vector<std::string_view>& names) const {
  for (const std::string_view wanted : names) {
    const FieldInfo* field = find(wanted);
    if (field != nullptr && field->type == "Date") return field;
  }
  const auto it = std::find_if(fields.begin(), fields.end(),
                               [](const FieldInfo& each) { return each.type == "Date"; });
  return it == fields.end() ? nullptr : &*it;
}

gantry::Result<ClassSchema> parse_schema(std::string_view meta) {
  const auto json = Json::parse(meta);
  if (!json) return json.status();
  const auto fields = json->find("fields");
  if (!fields) return gantry::Status::failed("a schema without fields");
  ClassSchema schema{text_of(*json, "class_name"), {}};
  for (const Json field : fields->elements()) schema.fields.push_back(field_of(field));
  return schema;
}

gantry::Result<std::vector<std::string>> parse_class_names(std::string_view meta) {
  const auto json = Json::parse(meta);
  if (!json) return json.status();
  std::vector<std::string> names;
  for (const char* const list : {"built_in", "custom"}) {
    const auto classes = json->find(list);
    if (!classes)
      return gantry::Status::failed("a catalog of classes without " + std::string(list));
    for (const Json each : classes->elements()) names.push_back(text_of(each, "name"));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace prompts
