#include "core/light_catalog.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace discovery {
namespace {

using gantry::Json;

std::string member(const Json& item, std::string_view name) {
  const auto value = item.find(name);
  return value ? value->as_string().value_or("") : std::string();
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::string first_sentence(const std::string& text) {
  const auto end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

// The purpose of a built-in category; other categories are described by their number of tools only.
std::string_view purpose(std::string_view category) {
  static const std::map<std::string_view, std::string_view> kPurposes = {
      {"discovery", "what tools there are"},
      {"schema", "which classes and fields the database has"},
      {"query", "reading rows and objects"},
      {"aggregate", "summing up rows: pipelines, groups, distinct values"},
      {"export", "rows as CSV, Markdown, tables or JSON lines"},
      {"mutation", "changing objects and classes, calling methods"},
      {"custom", "tools of other plugins"}};
  const auto it = kPurposes.find(category);
  return it == kPurposes.end() ? std::string_view() : it->second;
}

std::string category_line(std::string_view category, std::size_t tools) {
  std::string line = std::to_string(tools) + (tools == 1 ? " tool" : " tools");
  if (const auto what = purpose(category); !what.empty()) line += ": " + std::string(what);
  return line;
}

}  // namespace

std::string light_catalog(std::string_view items, std::string_view category) {
  std::string text;
  gantry::JsonWriter out(text);
  out.begin_object().key("tools").begin_array();
  std::vector<std::pair<std::string, std::size_t>> categories;
  const auto parsed = Json::parse(items);
  if (parsed) {
    for (const Json item : parsed->elements()) {
      const std::string name = member(item, "category");
      const auto known = std::find_if(categories.begin(), categories.end(),
                                      [&](const auto& c) { return c.first == name; });
      if (known == categories.end()) {
        categories.emplace_back(name, 1);
      } else {
        ++known->second;
      }
      if (!category.empty() && !same_word(name, category)) continue;
      out.begin_object().key("name").string(member(item, "name"));
      out.key("category").string(name);
      out.key("description").string(first_sentence(member(item, "description"))).end_object();
    }
  }
  out.end_array().key("categories").begin_object();
  for (const auto& [name, tools] : categories) out.key(name).string(category_line(name, tools));
  out.end_object().end_object();
  return text;
}

}  // namespace discovery
