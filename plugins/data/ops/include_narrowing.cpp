#include "ops/include_narrowing.hpp"

#include <algorithm>

#include "ops/model_echo.hpp"
#include "ops/page.hpp"
#include "ops/selection.hpp"

namespace gantry::data {
namespace {

using Names = std::vector<std::string>;

bool names_field(const Names& names, std::string_view field) {
  return std::find(names.begin(), names.end(), field) != names.end();
}

// The names that may be dropped: of an open class those that the model states.
Names candidates(const ClassView& cls) {
  Names names;
  for (const FieldView& field : cls.fields) names.push_back(field.name);
  if (!cls.is_open()) return names;
  for (const Field& field : cls.stated) names.push_back(field.name);
  const ClassRules& rules = *cls.model;
  if (rules.agent_fields)
    names.insert(names.end(), rules.agent_fields->begin(), rules.agent_fields->end());
  names.insert(names.end(), rules.large_fields.begin(), rules.large_fields.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::optional<IncludeNarrowing> IncludeNarrowing::of(const ClassView& cls) {
  if (!cls.model) return std::nullopt;
  const ClassRules& rules = *cls.model;
  const bool narrows = rules.agent_join_fields || !rules.large_fields.empty();
  return narrows ? std::optional(IncludeNarrowing(cls)) : std::nullopt;
}

bool IncludeNarrowing::keeps(std::string_view field) const {
  const bool is_role = std::any_of(std::begin(kDateRoles), std::end(kDateRoles), [&](auto role) {
    const FieldView* const of_role = cls_->role(role);
    return of_role != nullptr && of_role->name == field;
  });
  if (is_common_field(field) || field == "_id" || field == cls_->id_name() || is_role) return true;
  const ClassRules& rules = *cls_->model;
  if (rules.agent_join_fields) return names_field(*rules.agent_join_fields, field);
  return !is_large_field(*cls_, field);
}

Names IncludeNarrowing::dropped() const {
  Names dropped;
  for (const std::string& name : candidates(*cls_)) {
    if (!keeps(name) && sees_field(*cls_, name)) dropped.push_back(name);
  }
  return dropped;
}

bool is_bare_include(const Shape& shape, std::string_view pointer) {
  const auto is_below = [pointer](std::string_view path) {
    return path.size() > pointer.size() && path.starts_with(pointer) && path[pointer.size()] == '.';
  };
  const auto has = [](const auto& paths, std::string_view path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  return has(shape.keys, pointer) && has(shape.includes, pointer) &&
         std::none_of(shape.keys.begin(), shape.keys.end(), is_below) &&
         std::none_of(shape.includes.begin(), shape.includes.end(), is_below);
}

std::string truncated_member(const std::vector<NarrowedPointer>& pointers) {
  std::string json;
  for (const NarrowedPointer& pointer : pointers) {
    if (pointer.dropped.empty()) continue;
    json += (json.empty() ? R"(,"truncated_include_fields":{)" : ",") + quoted_json(pointer.name) +
            ":" + quoted_list(pointer.dropped);
  }
  return json.empty() ? json : json + "}";
}

}  // namespace gantry::data
