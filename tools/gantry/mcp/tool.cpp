#include "tools/gantry/mcp/tool.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using rapidjson::Value;
using ToolRows = std::vector<std::vector<std::string>>;

std::string first_sentence(const std::string& text) {
  const std::size_t end = std::min(text.find(". "), text.find('\n'));
  return printable(end == text.npos ? text : text.substr(0, text[end] == '.' ? end + 1 : end));
}

// "one of json, csv", "integer", "array of string", "string or object".
std::string type_of(const Value& schema) {
  std::string out;
  const auto add = [&out](const char* between, const Value& one) {
    const std::string text = one.IsString() ? one.GetString() : compact(one);
    out += (out.empty() ? "" : between) + text;
  };
  if (const Value& options = member(schema, "enum"); options.IsArray()) {
    for (const auto& one : options.GetArray()) add(", ", one);
    return printable("one of " + out);
  }
  const Value& type = member(schema, "type");
  if (type.IsArray()) {
    for (const auto& one : type.GetArray()) add(" or ", one);
  } else {
    out = type.IsString() ? type.GetString() : "any";
  }
  const std::string items = out == "array" ? type_of(member(schema, "items")) : "any";
  return printable(items == "any" ? out : out + " of " + items);
}

bool is_required(const Value& schema, const Value& name) {
  const Value& required = member(schema, "required");
  if (!required.IsArray()) return false;
  return std::any_of(required.Begin(), required.End(),
                     [&name](const Value& one) { return one == name; });
}

std::string default_of(const Value& property, bool required) {
  if (required) return "required";
  const Value& value = member(property, "default");
  if (value.IsNull()) return "";
  return printable(value.IsString() ? value.GetString() : compact(value));
}

ToolRows argument_rows(const Value& schema) {
  ToolRows out{{"ARGUMENT", "TYPE", "DEFAULT", "DESCRIPTION"}};
  const Value& properties = member(schema, "properties");
  if (!properties.IsObject()) return out;
  for (const auto& property : properties.GetObject()) {
    out.push_back({printable(property.name.GetString()), type_of(property.value),
                   default_of(property.value, is_required(schema, property.name)),
                   printable(text_at(property.value, "description"))});
  }
  return out;
}

// A value for the example of a call.
std::string sample_of(const std::string& name, const Value& property) {
  if (const Value& options = member(property, "enum"); options.IsArray() && !options.Empty()) {
    return options[0].IsString() ? options[0].GetString() : compact(options[0]);
  }
  const std::string type = type_of(property);
  if (type == "integer" || type == "number") return "1";
  if (type == "boolean") return "true";
  if (type == "object") return "'{}'";
  if (type == "array of object") return "'[]'";
  std::string out = name;
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::string example_of(const Value& tool) {
  std::string out = "gantry call " + printable(text_at(tool, "name"));
  const Value& schema = schema_of(tool);
  const Value& properties = member(schema, "properties");
  if (!properties.IsObject()) return out;
  for (const auto& property : properties.GetObject()) {
    if (!is_required(schema, property.name)) continue;
    const std::string name = printable(property.name.GetString());
    out += " " + name + "=" + printable(sample_of(name, property.value));
  }
  return out;
}

// "str", "int", "list", "str|int"; of what the schema does not say, "any".
std::string short_type(const Value& schema) {
  static constexpr std::pair<std::string_view, const char*> kShort[] = {{"string", "str"},
                                                                        {"integer", "int"},
                                                                        {"number", "num"},
                                                                        {"boolean", "bool"},
                                                                        {"array", "list"}};
  if (member(schema, "enum").IsArray()) return "str";
  const auto one = [](const Value& type) {
    const std::string name = type.IsString() ? type.GetString() : "any";
    for (const auto& [from, to] : kShort) {
      if (name == from) return std::string(to);
    }
    return printable(name);
  };
  const Value& type = member(schema, "type");
  if (!type.IsArray()) return one(type);
  std::string out;
  for (const auto& each : type.GetArray()) out += (out.empty() ? "" : "|") + one(each);
  return out;
}

}  // namespace

const Value* find_tool(const rapidjson::Document& listed, const std::string& name) {
  for (const auto& tool : listed["tools"].GetArray()) {
    if (text_at(tool, "name") == name) return &tool;
  }
  return nullptr;
}

const Value& schema_of(const Value& tool) {
  static const Value kAny(rapidjson::kObjectType);
  const Value* found = find_member(tool, "inputSchema");
  return found == nullptr ? kAny : *found;
}

std::string no_such_tool(const rapidjson::Document& listed, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& tool : listed["tools"].GetArray()) {
    names.push_back(printable(text_at(tool, "name")));
  }
  const std::string nearest = did_you_mean(name, names);
  return "there is no tool '" + printable(name) + "'" +
         (nearest.empty() ? "; gantry tools lists them" : nearest);
}

std::string tool_table(const rapidjson::Document& listed, std::size_t width) {
  ToolRows rows{{"NAME", "CATEGORY", "DESCRIPTION"}};
  for (const auto& tool : listed["tools"].GetArray()) {
    rows.push_back({printable(text_at(tool, "name")),
                    printable(text_at(member(tool, "_meta"), "category")),
                    first_sentence(text_at(tool, "description"))});
  }
  return table(fitted(std::move(rows), width));
}

std::string signature_of(const Value& tool) {
  const Value& schema = schema_of(tool);
  const Value& properties = member(schema, "properties");
  std::string needed, optional;
  if (properties.IsObject()) {
    for (const auto& property : properties.GetObject()) {
      const bool is_needed = is_required(schema, property.name);
      const std::string one =
          printable(property.name.GetString()) + ":" + short_type(property.value);
      (is_needed ? needed : optional) += (is_needed ? ", " + one : ", [" + one + "]");
    }
  }
  const std::string all = needed + optional;
  return printable(text_at(tool, "name")) + "(" + (all.empty() ? all : all.substr(2)) + ")";
}

std::string signatures(const rapidjson::Document& listed) {
  std::string out;
  for (const auto& tool : listed["tools"].GetArray()) out += signature_of(tool) + "\n";
  return out;
}

std::string tool_names(const rapidjson::Document& listed) {
  std::string out;
  for (const auto& tool : listed["tools"].GetArray()) {
    out += printable(text_at(tool, "name")) + "\n";
  }
  return out;
}

std::string params_of_call(const std::string& tool, const std::string& arguments) {
  const Value name(rapidjson::StringRef(tool.data(), tool.size()));
  return "{\"name\":" + compact(name) + ",\"arguments\":" + arguments + "}";
}

std::string tool_page(const Value& tool, std::size_t width) {
  std::string out = printable(text_at(tool, "name"));
  if (const std::string title = text_at(tool, "title"); !title.empty()) {
    out += ": " + printable(title);
  }
  out += "\n\n" + signature_of(tool) + "\n\n" + printable(text_at(tool, "description")) + "\n\n";
  const ToolRows rows = argument_rows(schema_of(tool));
  out += rows.size() == 1 ? "It takes no arguments.\n" : table(fitted(rows, width));
  return out + "\nExample:  " + example_of(tool) + "\n";
}

}  // namespace gantry::cli
