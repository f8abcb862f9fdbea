#include "tools/gantry/console/completer.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include "tools/gantry/console/grammar.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::console {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kMethods[] = {
    "completion/complete", "prompts/get",    "prompts/list",
    "resources/list",      "resources/read", "resources/templates/list",
    "server/discover",     "tools/call",     "tools/list"};

Words starting_with(Words all, std::string_view typed) {
  std::erase_if(all, [typed](const std::string& one) { return !one.starts_with(typed); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool takes_class(const std::string& word) {
  return word == "q" || word == "count" || word == "schema";
}

// What may follow the first word.
Words second_words(const std::string& word, Catalog& catalog) {
  if (word == "t" || word == "tools") return names_in(catalog.tools(), "tools");
  if (takes_class(word)) return catalog.classes();
  if (word == "prompt") return names_in(catalog.prompts(), "prompts");
  if (word == "dispatch") return {std::begin(kMethods), std::end(kMethods)};
  return {};
}

// The schema of the arguments that follow the second word, and how many words stand before them.
rapidjson::Document schema_for(const Words& words, Catalog& catalog) {
  rapidjson::Document out(rapidjson::kObjectType);
  const std::string& word = words[0];
  if (word == "prompt") return catalog.schema_of_prompt(words[1]);
  const char* tool = word == "q" ? "query_class" : word == "count" ? "count_objects" : nullptr;
  if (tool == nullptr && word != "t") return out;
  out.CopyFrom(catalog.schema_of(tool == nullptr ? words[1] : tool), out.GetAllocator());
  return out;
}

Words argument_names(const rapidjson::Value& schema, const Words& words) {
  Words out;
  const auto& properties = member(schema, "properties");
  if (!properties.IsObject()) return out;
  for (const auto& property : properties.GetObject()) {
    const std::string name = std::string(property.name.GetString()) + "=";
    if (name == "class_name=" && takes_class(words[0])) continue;
    const bool is_given = std::any_of(words.begin(), words.end(), [&name](const std::string& word) {
      return word.starts_with(name);
    });
    if (!is_given) out.push_back(name);
  }
  return out;
}

Words values_of(const rapidjson::Value& schema, const std::string& key, Catalog& catalog) {
  if (key == "class_name") return catalog.classes();
  const auto& property = member(member(schema, "properties"), key.c_str());
  if (text_at(property, "type") == "boolean") return {"false", "true"};
  Words out;
  for (const auto& option : items(member(property, "enum"))) {
    out.push_back(option.IsString() ? option.GetString() : compact(option));
  }
  return out;
}

}  // namespace

const Words& console_words() {
  static const Words kWords{"ask",     "count", "dispatch", "exit",    "help", "prompt",
                            "prompts", "q",     "schema",   "schemas", "t",    "tools"};
  return kWords;
}

Words candidates_for(std::string_view before, Catalog& catalog) {
  if (is_open(before)) return {};
  Words words = words_of(before);
  const bool begins_word = before.empty() || before.back() == ' ' || before.back() == '\t';
  if (begins_word) words.emplace_back();
  const std::string typed = words.back();
  words.pop_back();
  if (words.empty()) return starting_with(console_words(), typed);
  if (words.size() == 1) return starting_with(second_words(words[0], catalog), typed);
  const auto schema = schema_for(words, catalog);
  const std::size_t equals = typed.find('=');
  if (equals == typed.npos) return starting_with(argument_names(schema, words), typed);
  return starting_with(values_of(schema, typed.substr(0, equals), catalog),
                       std::string_view(typed).substr(equals + 1));
}

}  // namespace gantry::cli::console
