// class_overview, count_by and find_relationship: one class and its fields.
#include "prompts/prompts.hpp"

namespace prompts {
namespace {

Names pointers_of(const ClassSchema& schema, const std::string& target = "") {
  Names names;
  for (const FieldInfo& field : schema.fields) {
    const bool fits = target.empty() || field.target_class == target;
    if (field.is_pointer() && fits) names.push_back(field.name);
  }
  return names;
}

std::string array_of(const Names& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() > 1 ? "," : "") + quoted(name);
  return out + "]";
}

// Instructions that count with the read tools only.
std::string count_by_reading(const Grouping& how) {
  const std::string name = quoted(how.class_name);
  return "1. Find the values: " +
         tool_call("query_class", {{"class_name", name},
                                   {"keys", array_of({how.group_by})},
                                   {"order", quoted(how.group_by)},
                                   {"limit", "1000"}}) +
         ", and `next_call` while there is one.\n2. If that was all of them, count what you have "
         "read. Else count each value with " +
         tool_call("count_objects",
                   {{"class_name", name}, {"where", object({{how.group_by, "\"VALUE\""}})}}) +
         ", and those without one with " +
         tool_call("count_objects", {{"class_name", name},
                                     {"where", object({{how.group_by, R"({"$exists":false})"}})}}) +
         ".\n";
}

}  // namespace

Answer class_overview(const Model& model, const OfClass& which) {
  const auto schema = model.open("class_name", which.class_name);
  if (!schema) return schema.status();
  const std::string name = quoted(schema->name);
  std::string text = "Give an overview of the class " + schema->name + ". Its fields:\n\n" +
                     field_lines(*schema) + "\n";
  text += "1. " + tool_call("count_objects", {{"class_name", name}}) + " for how many there are.\n";
  text += "2. " + tool_call("get_sample_objects", {{"class_name", name}, {"limit", "5"}}) +
          " to see what the fields hold.\n";
  if (const Names pointers = pointers_of(*schema); !pointers.empty()) {
    text += "3. " +
            tool_call("query_class",
                      {{"class_name", name}, {"include", array_of(pointers)}, {"limit", "3"}}) +
            " to see what it points to.\n";
  }
  text +=
      "\nThen say in a few sentences what an object of this class stands for, which fields "
      "matter, which are often empty, and how it is connected to other classes.";
  return gantry::Messages().user(text);
}

Answer count_by(const Model& model, const Grouping& how) {
  const auto schema = model.open("class_name", how.class_name);
  if (!schema) return schema.status();
  const auto field = model.field("group_by", *schema, how.group_by);
  if (!field) return field.status();
  std::string text = "Count the objects of the class " + schema->name + " for each value of " +
                     field->name + " (" + field->type + ").\n\n";
  if (model.has_tool("group_by")) {
    text += "Call " +
            tool_call("group_by", {{"class_name", quoted(schema->name)},
                                   {"field", quoted(field->name)},
                                   {"operation", "\"count\""},
                                   {"sort", "\"value_desc\""}}) +
            ". `truncated` says that there are more groups than the limit.\n";
  } else {
    text += count_by_reading(how);
  }
  if (!field->target_class.empty()) {
    text += "The values are objectIds of " + field->target_class +
            ": get their names with `get_objects`.\n";
  }
  text += "\nShow a table of values and counts, the most frequent first, and say what stands out.";
  return gantry::Messages().user(text);
}

Answer find_relationship(const Model& model, const Relationship& which) {
  const auto parent = model.open("parent_class", which.parent_class);
  if (!parent) return parent.status();
  const auto child = model.open("child_class", which.child_class);
  if (!child) return child.status();
  const auto field = model.field("pointer_field", *child, which.pointer_field);
  if (!field) return field.status();
  if (!field->is_pointer() || field->target_class != parent->name) {
    return model.refuse(
        "pointer_field",
        "field '" + field->name + "' of class '" + child->name + "' is no pointer to '" +
            parent->name + "'. Pointers to it: " + listed(pointers_of(*child, parent->name)) + ".");
  }
  const std::string name = quoted(child->name);
  const std::string where = object({{field->name, quoted(which.parent_id)}});
  std::string text = "Find the objects of " + child->name + " whose " + field->name +
                     " points to the object " + which.parent_id + " of " + parent->name + ".\n\n";
  text += "1. " +
          tool_call("get_object", {{"class_name", quoted(parent->name)},
                                   {"object_id", quoted(which.parent_id)}}) +
          " to see what they point to.\n";
  text += "2. " + tool_call("count_objects", {{"class_name", name}, {"where", where}}) +
          " for how many there are.\n";
  text += "3. " + tool_call("query_class", {{"class_name", name}, {"where", where}}) +
          ", and `next_call` while there is one.\n\n";
  text += "Describe the object, how many point to it, and what they have in common.";
  return gantry::Messages().user(text);
}

}  // namespace prompts
