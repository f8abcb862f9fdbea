// data_relations: the pointers between classes.
#include <algorithm>

#include "prompts/prompts.hpp"

namespace prompts {
namespace {

// A larger diagram is not readable, and each class costs one query.
constexpr std::size_t kMostDrawn = 60;

gantry::Result<Names> wanted_classes(const Model& model, const Subset& which) {
  auto all = model.class_names();
  if (!all) return all.status();
  Names some = split_list(which.classes.value_or(""));
  if (some.empty()) return all;
  Names unique;
  for (std::string& name : some) {
    if (std::find(unique.begin(), unique.end(), name) == unique.end()) {
      unique.push_back(std::move(name));
    }
  }
  return unique;
}

}  // namespace

Answer data_relations(const Model& model, const Subset& which) {
  auto names = wanted_classes(model, which);
  if (!names) return names.status();
  const std::size_t left_out = names->size() - std::min(names->size(), kMostDrawn);
  names->resize(names->size() - left_out);
  std::vector<ClassSchema> classes;
  for (const std::string& name : *names) {
    auto schema = model.open("classes", name);
    if (!schema) return schema.status();
    classes.push_back(std::move(*schema));
  }
  std::string text =
      "How the classes are connected. A line is a pointer, with its field's name; it leads from "
      "the "
      "class that has the field to the class it points to.\n\n" +
      diagram(classes);
  if (left_out > 0) {
    text += "\n" + std::to_string(left_out) +
            " more classes are left out; name those you want in `classes`.\n";
  }
  text +=
      "\nUse it to choose fields for `include` of `query_class`, and to find the objects that "
      "point "
      "to another with a `where` on the pointer field. `get_schema` has the other fields.";
  return gantry::Messages().user(text);
}

}  // namespace prompts
