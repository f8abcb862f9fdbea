#include "core/text.hpp"

#include <gantry/json_writer.hpp>

#include <algorithm>

namespace prompts {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// Mermaid has no escapes inside quoted names, so characters become entities.
std::string entity(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' || c == '\n' ? '\'' : c;
  return out += '"';
}

}  // namespace

Names split_list(std::string_view text) {
  Names parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const auto part = trimmed(text.substr(0, comma));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

std::string listed(const Names& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
  return out.empty() ? "none" : out;
}

Names that_begin(const Names& names, std::string_view prefix) {
  Names some;
  std::copy_if(names.begin(), names.end(), std::back_inserter(some), [&](const std::string& name) {
    return name.size() >= prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), name.begin(),
                      [](char a, char b) { return lower(a) == lower(b); });
  });
  return some;
}

std::string field_lines(const ClassSchema& schema) {
  std::string out;
  for (const FieldInfo& field : schema.fields) {
    out += "- " + field.name + ": " + field.type;
    if (!field.target_class.empty()) out += " to " + field.target_class;
    if (field.required) out += ", required";
    out += '\n';
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out;
  gantry::JsonWriter(out).string(text);
  return out;
}

std::string object(const Members& members) {
  std::string out;
  gantry::JsonWriter json(out);
  json.begin_object();
  for (const auto& [name, value] : members) json.key(name).raw(value);
  json.end_object();
  return out;
}

std::string tool_call(std::string_view tool, const Members& arguments) {
  return "`" + std::string(tool) + " " + object(arguments) + "`";
}

std::string diagram(const std::vector<ClassSchema>& classes) {
  std::string out = "```mermaid\nerDiagram\n";
  const auto is_drawn = [&](const std::string& name) {
    return std::any_of(classes.begin(), classes.end(),
                       [&](const ClassSchema& each) { return each.name == name; });
  };
  for (const ClassSchema& schema : classes) {
    out += "  " + entity(schema.name) + "\n";
    for (const FieldInfo& field : schema.fields) {
      if (field.target_class.empty() || !is_drawn(field.target_class)) continue;
      out += "  " + entity(schema.name) + (field.required ? " }o--|| " : " }o--o| ") +
             entity(field.target_class) + " : " + entity(field.name) + "\n";
    }
  }
  return out += "```\n";
}

}  // namespace prompts
