// data_conventions and explore_database: introductions to the data.
#include "prompts/prompts.hpp"

namespace prompts {
namespace {

constexpr std::size_t kMostClasses = 50;

}  // namespace

Answer data_conventions(const Model& model) {
  const auto text = model.introduction();
  if (!text) return text.status();
  return gantry::Messages().user(*text);
}

Answer explore_database(const Model& model) {
  const auto names = model.class_names();
  if (!names) return names.status();
  if (names->empty()) {
    return gantry::Messages().user(
        "The database has no class that you may see. Say so, and that its operator decides that.");
  }
  const std::string& first = names->front();
  std::string text = "Explore this database and explain what it is about.\n\nIt has " +
                     std::to_string(names->size()) +
                     (names->size() == 1 ? " class: " : " classes: ") +
                     listed(*names, kMostClasses) + ".\n\n";
  text += "1. Call `get_all_schemas {}` for the number of fields of each class.\n";
  text += "2. For the classes that look central, call " +
          tool_call("get_schema", {{"class_name", quoted(first)}}) + " and follow the pointers.\n";
  text += "3. See a few objects of each with " +
          tool_call("get_sample_objects", {{"class_name", quoted(first)}, {"limit", "3"}}) +
          ", and how many there are with " +
          tool_call("count_objects", {{"class_name", quoted(first)}}) + ".\n";
  text +=
      "4. Summarise: what each class holds, how the classes are connected, and three questions "
      "this data can answer.";
  return gantry::Messages().user(text);
}

}  // namespace prompts
