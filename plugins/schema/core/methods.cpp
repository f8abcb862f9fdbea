#include "core/methods.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

#include <string>

namespace schema_tools {
namespace {

using gantry::Json;
using gantry::JsonWriter;

void write_method(const Json& method, JsonWriter& out) {
  out.begin_object();
  for (const std::string_view name : {"name", "type", "permission", "description",
                                      "supports_dry_run", "parameters", "permitted_keys"}) {
    if (const auto value = method.find(name)) out.key(name).raw(value->text());
  }
  out.end_object();
}

// The methods of a class as a JSON array; empty: it has none.
std::string methods_of(std::string_view class_name, const Json& methods) {
  std::string text = "[";
  for (const Json method : methods.elements()) {
    const auto of = method.find("class");
    if (!of || of->as_string() != class_name) continue;
    if (text.size() > 1) text += ',';
    JsonWriter each(text);
    write_method(method, each);
  }
  return text.size() > 1 ? text + "]" : std::string();
}

void write_class(const Json& cls, const Json& methods, JsonWriter& out) {
  const auto name = cls.find("class_name");
  const std::string own = methods_of(name ? name->as_string().value_or("") : "", methods);
  out.begin_object();
  for (const auto& [member, value] : cls.members()) {
    if (member == "indexes" && !own.empty()) out.key("methods").raw(own);
    out.key(member).raw(value.text());
  }
  out.end_object();
}

}  // namespace

std::string with_methods(std::string_view meta, std::string_view methods) {
  const auto list = Json::parse(methods);
  if (!list || list->elements().begin() == list->elements().end()) return std::string(meta);
  const auto whole = Json::parse(meta);
  if (!whole) return std::string(meta);
  std::string text;
  JsonWriter out(text);
  const auto classes = whole->find("classes");
  if (!classes) {
    write_class(*whole, *list, out);
    return text;
  }
  out.begin_object().key("classes").begin_array();
  for (const Json cls : classes->elements()) write_class(cls, *list, out);
  out.end_array();
  for (const auto& [member, value] : whole->members()) {
    if (member != "classes") out.key(member).raw(value.text());
  }
  out.end_object();
  return text;
}

}  // namespace schema_tools
