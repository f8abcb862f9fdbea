#include "plan/stage_outputs.hpp"

#include <algorithm>

#include "pipeline/spec.hpp"

namespace gantry::data {
namespace {

std::string root_of(std::string_view path) { return std::string(path.substr(0, path.find('.'))); }

// An object of fields, not an operator: the stage writes nested fields.
bool goes_below(const Member& field) {
  if (field.name.find('.') != std::string::npos) return true;
  const bool is_object = field.value.is_object() && !field.value.members().empty();
  return is_object && !field.value.members().front().name.starts_with('$');
}

void add_field(const Member& field, StageOutputs& outputs) {
  outputs.afterwards.insert(root_of(field.name));
  if (goes_below(field)) outputs.at_once.insert(root_of(field.name));
}

StageOutputs of_fields(const Value& spec) {
  StageOutputs outputs;
  for (const Member& field : spec.members()) add_field(field, outputs);
  return outputs;
}

StageOutputs of_project(const Value& spec) {
  StageOutputs outputs;
  for (const Member& field : spec.members()) {
    if (!pipeline::is_flag(field.value)) {
      add_field(field, outputs);
    } else if (!field.value.is_true()) {
      outputs.removed.insert(field.name);
    }
  }
  outputs.removed.erase("_id");
  return outputs;
}

StageOutputs of_unset(const Value& spec) {
  StageOutputs outputs;
  if (spec.is_string()) outputs.removed.emplace(spec.text());
  if (!spec.is_array()) return outputs;
  for (const Value& path : spec.elements()) outputs.removed.emplace(path.text());
  return outputs;
}

StageOutputs of_as(const Value& spec) {
  StageOutputs outputs;
  const Value& as = spec.find("as");
  if (!as.is_string()) return outputs;
  add_field({std::string(as.text()), Value()}, outputs);
  return outputs;
}

StageOutputs of_output(const Value& spec) {
  StageOutputs outputs;
  const Value& output = spec.find("output");
  if (!output.is_object()) return outputs;
  for (const Member& field : output.members()) {
    outputs.afterwards.insert(root_of(field.name));
    if (goes_below(field)) outputs.at_once.insert(root_of(field.name));
  }
  return outputs;
}

StageOutputs of_bucket(const Value& spec) {
  StageOutputs outputs = of_output(spec);
  outputs.afterwards.insert("_id");
  if (spec.find("output").is_missing()) outputs.afterwards.insert("count");
  return outputs;
}

StageOutputs of_unwind(const Value& spec) {
  StageOutputs outputs;
  const Value& index = spec.find("includeArrayIndex");
  if (index.is_string()) add_field({std::string(index.text()), Value()}, outputs);
  return outputs;
}

StageOutputs of_count(const Value& spec) {
  StageOutputs outputs;
  outputs.afterwards.emplace(spec.text());
  return outputs;
}

StageOutputs of_sort_by_count(const Value&) {
  StageOutputs outputs;
  outputs.afterwards = {"_id", "count"};
  return outputs;
}

StageOutputs of_anything(const Value&) {
  StageOutputs outputs;
  outputs.is_anything = true;
  return outputs;
}

struct Entry {
  std::string_view stage;
  StageOutputs (*outputs)(const Value&);
};
constexpr Entry kEntries[] = {
    {"$addFields", of_fields},
    {"$bucket", of_bucket},
    {"$bucketAuto", of_bucket},
    {"$count", of_count},
    {"$documents", of_anything},
    {"$facet", of_fields},
    {"$fill", of_output},
    {"$graphLookup", of_as},
    {"$group", of_fields},
    {"$lookup", of_as},
    {"$project", of_project},
    {"$replaceRoot", of_anything},
    {"$replaceWith", of_anything},
    {"$set", of_fields},
    {"$setWindowFields", of_output},
    {"$sortByCount", of_sort_by_count},
    {"$unset", of_unset},
    {"$unwind", of_unwind},
};

}  // namespace

StageOutputs outputs_of(std::string_view stage, const Value& spec) {
  const auto* const it = std::find_if(std::begin(kEntries), std::end(kEntries),
                                      [&](const Entry& entry) { return entry.stage == stage; });
  return it == std::end(kEntries) ? StageOutputs() : it->outputs(spec);
}

}  // namespace gantry::data
