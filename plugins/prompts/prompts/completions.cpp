// Completion of arguments: suggests only names that the caller can see.
#include <algorithm>

#include "prompts/prompts.hpp"

namespace prompts {
namespace {

using gantry::Completion;

constexpr std::size_t kMost = 100;

Completion of(Names names) {
  Completion some{std::move(names)};
  some.total = some.values.size();
  some.has_more = some.values.size() > kMost;
  if (some.has_more) some.values.resize(kMost);
  return some;
}

std::string known(const gantry::Completing& what, std::string_view argument) {
  const auto found = what.others.find(argument);
  return found == what.others.end() ? std::string() : found->second;
}

gantry::Result<Completion> class_names(const Model& model, std::string_view prefix) {
  const auto names = model.class_names();
  if (!names) return names.status();
  return of(that_begin(*names, prefix));
}

// Completes the last name of a list; earlier names stay and are not suggested again.
gantry::Result<Completion> last_of_list(const Model& model, const std::string& value) {
  const auto names = model.class_names();
  if (!names) return names.status();
  const auto comma = value.rfind(',');
  std::string before = comma == std::string::npos ? "" : value.substr(0, comma + 1);
  const auto begin = value.find_first_not_of(" \t", before.size());
  const std::string prefix = begin == std::string::npos ? "" : value.substr(begin);
  const Names chosen = split_list(before);
  Names suggestions;
  for (const std::string& name : that_begin(*names, prefix)) {
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) {
      suggestions.push_back(before + name);
    }
  }
  return of(std::move(suggestions));
}

// The schema of the class in another argument. Empty if it is not given yet or not visible to the
// caller.
gantry::Result<ClassSchema> known_class(const Model& model, const std::string& class_name) {
  const auto names = model.class_names();
  if (!names) return names.status();
  if (!std::binary_search(names->begin(), names->end(), class_name)) return ClassSchema{};
  return model.open("class_name", class_name);
}

gantry::Result<Completion> fields(const Model& model, const gantry::Completing& what) {
  const auto schema = known_class(model, known(what, "class_name"));
  if (!schema) return schema.status();
  Names names;
  for (const FieldInfo& field : schema->fields) names.push_back(field.name);
  return of(that_begin(names, what.value));
}

// Pointers to the parent class come first.
gantry::Result<Completion> pointers(const Model& model, const gantry::Completing& what) {
  auto schema = known_class(model, known(what, "child_class"));
  if (!schema) return schema.status();
  const std::string parent = known(what, "parent_class");
  std::erase_if(schema->fields, [](const FieldInfo& field) { return !field.is_pointer(); });
  std::stable_partition(schema->fields.begin(), schema->fields.end(), [&](const FieldInfo& field) {
    return !parent.empty() && field.target_class == parent;
  });
  Names names;
  for (const FieldInfo& field : schema->fields) names.push_back(field.name);
  return of(that_begin(names, what.value));
}

}  // namespace

gantry::Result<Completion> complete(const Model& model, const gantry::Completing& what) {
  const std::string& name = what.argument;
  if (name == "class_name" || name == "parent_class" || name == "child_class") {
    return class_names(model, what.value);
  }
  if (name == "classes") return last_of_list(model, what.value);
  if (name == "group_by") return fields(model, what);
  if (name == "pointer_field") return pointers(model, what);
  return Completion{};
}

}  // namespace prompts
