#include "tools/gantry/mcp/tool.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

using rapidjson::Value;
using ToolRows = std::vector<std::vector<std::string>>;

const Value& none() {
  static const Value kNone;
  return kNone;
}

// A null value when it is missing.
const Value& at(const Value& object, const char* name) {
  if (!object.IsObject()) return none();
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? none() : found->value;
}

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
  if (const Value& options = at(schema, "enum"); options.IsArray()) {
    for (const auto& one : options.GetArray()) add(", ", one);
    return printable("one of " + out);
  }
  const Value& type = at(schema, "type");
  if (type.IsArray()) {
    for (const auto& one : type.GetArray()) add(" or ", one);
  } else {
    out = type.IsString() ? type.GetString() : "any";
  }
  const std::string items = out == "array" ? type_of(at(schema, "items")) : "any";
  return printable(items == "any" ? out : out + " of " + items);
}

bool is_required(const Value& schema, const Value& name) {
  const Value& required = at(schema, "required");
  if (!required.IsArray()) return false;
  return std::any_of(required.Begin(), required.End(),
                     [&name](const Value& one) { return one == name; });
}

std::string default_of(const Value& property, bool required) {
  if (required) return "required";
  const Value& value = at(property, "default");
  if (value.IsNull()) return "";
  return printable(value.IsString() ? value.GetString() : compact(value));
}

ToolRows argument_rows(const Value& schema) {
  ToolRows out{{"ARGUMENT", "TYPE", "DEFAULT", "DESCRIPTION"}};
  const Value& properties = at(schema, "properties");
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
  if (const Value& options = at(property, "enum"); options.IsArray() && !options.Empty()) {
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
  const Value& schema = at(tool, "inputSchema");
  const Value& properties = at(schema, "properties");
  if (!properties.IsObject()) return out;
  for (const auto& property : properties.GetObject()) {
    if (!is_required(schema, property.name)) continue;
    const std::string name = printable(property.name.GetString());
    out += " " + name + "=" + printable(sample_of(name, property.value));
  }
  return out;
}

}  // namespace

const Value* find_tool(const rapidjson::Document& listed, const std::string& name) {
  for (const auto& tool : listed["tools"].GetArray()) {
    if (text_at(tool, "name") == name) return &tool;
  }
  return nullptr;
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
                    printable(text_at(at(tool, "_meta"), "category")),
                    first_sentence(text_at(tool, "description"))});
  }
  return table(fitted(std::move(rows), width));
}

std::string tool_page(const Value& tool, std::size_t width) {
  std::string out = printable(text_at(tool, "name"));
  if (const std::string title = text_at(tool, "title"); !title.empty()) {
    out += ": " + printable(title);
  }
  out += "\n\n" + printable(text_at(tool, "description")) + "\n\n";
  const ToolRows rows = argument_rows(at(tool, "inputSchema"));
  out += rows.size() == 1 ? "It takes no arguments.\n" : table(fitted(rows, width));
  return out + "\nExample:  " + example_of(tool) + "\n";
}

}  // namespace gantry::cli
