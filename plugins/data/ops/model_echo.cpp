#include "ops/model_echo.hpp"

#include <rapidjson/document.h>

#include <algorithm>

#include "catalog/floor.hpp"
#include "ops/selection.hpp"
#include "values/extended_json.hpp"
#include "values/value_builder.hpp"

namespace gantry::data {
namespace {

void write_names(const ClassView& cls, const char* key, const std::vector<std::string>& names,
                 JsonWriter& json) {
  json.key(key).begin_array();
  for (const std::string& name : names) {
    if (!is_common_field(name) && sees_field(cls, name)) json.string(name);
  }
  json.end_array();
}

// Whether the agent sees the field of each condition, at any depth of $and, $or and $nor.
bool sees_filter(const ClassView& cls, const rapidjson::Value& filter) {
  return std::all_of(filter.MemberBegin(), filter.MemberEnd(), [&](const auto& member) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    if (!name.starts_with('$')) return sees_field(cls, name);
    if (!member.value.IsArray()) return name == "$comment";
    return std::all_of(member.value.Begin(), member.value.End(),
                       [&](const auto& part) { return part.IsObject() && sees_filter(cls, part); });
  });
}

}  // namespace

bool sees_field(const ClassView& cls, std::string_view name) {
  if (is_common_field(name) || cls.find(name) != nullptr) return true;
  const std::string_view root = name.substr(0, name.find('.'));
  if (!cls.is_open()) return cls.find(root) != nullptr;
  return !is_internal_field(root) && cls.permits(root);
}

void write_description(const ClassView& cls, JsonWriter& json) {
  const bool has_one = cls.model && !cls.model->description.empty();
  if (has_one) json.key("description").string(cls.model->description);
}

void write_echoes(const ClassView& cls, JsonWriter& json) {
  if (!cls.model) return;
  const ClassRules& rules = *cls.model;
  if (rules.agent_fields) write_names(cls, "agent_fields", *rules.agent_fields, json);
  if (rules.agent_join_fields) {
    write_names(cls, "agent_join_fields", *rules.agent_join_fields, json);
  }
  const std::string filter = shown_canonical_filter(cls);
  if (!filter.empty()) json.key("canonical_filter").raw(filter);
}

bool is_large_field(const ClassView& cls, std::string_view name) {
  if (!cls.model) return false;
  const auto& large = cls.model->large_fields;
  return std::find(large.begin(), large.end(), name) != large.end();
}

std::string shown_canonical_filter(const ClassView& cls) {
  if (!cls.model || cls.model->canonical_filter.empty()) return {};
  rapidjson::Document filter;
  filter.Parse(cls.model->canonical_filter.data(), cls.model->canonical_filter.size());
  return sees_filter(cls, filter) ? cls.model->canonical_filter : std::string();
}

Array with_canonical(const ClassView* cls, Array stages) {
  const bool is_applied = cls != nullptr && !cls->canonical.empty();
  const std::string shown = is_applied ? shown_canonical_filter(*cls) : std::string();
  if (shown.empty()) return stages;
  const auto filter = read_extended(shown, {.parse_types = true});
  if (filter) stages.insert(stages.begin(), ObjectBuilder().add("$match", *filter).build());
  return stages;
}

}  // namespace gantry::data
