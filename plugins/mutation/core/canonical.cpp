#include "core/canonical.hpp"

#include <gantry/json_writer.hpp>

#include <algorithm>
#include <utility>

namespace mutation {
namespace {

using gantry::Json;
using gantry::JsonWriter;

void write(const Json& value, JsonWriter& out) {
  if (value.is_object()) {
    std::vector<std::pair<std::string, Json>> members;
    for (const auto& [name, member] : value.members()) members.emplace_back(name, member);
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    out.begin_object();
    for (const auto& [name, member] : members) write(member, out.key(name));
    out.end_object();
  } else if (value.is_array()) {
    out.begin_array();
    for (const Json element : value.elements()) write(element, out);
    out.end_array();
  } else if (value.is_string()) {
    out.string(value.as_string().value_or(""));
  } else {
    out.raw(value.text());
  }
}

}  // namespace

std::string canonical(const Json& value) {
  std::string text;
  JsonWriter out(text);
  write(value, out);
  return text;
}

std::string without(const Json& object, const std::vector<std::string_view>& names) {
  std::string text;
  JsonWriter out(text);
  out.begin_object();
  for (const auto& [name, value] : object.members()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      out.key(name).raw(value.text());
    }
  }
  out.end_object();
  return text;
}

}  // namespace mutation
