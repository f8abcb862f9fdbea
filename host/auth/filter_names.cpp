#include "host/auth/filter_names.hpp"

#include <set>

#include <rapidjson/document.h>

namespace gantry::host {
namespace {

using FilterValue = rapidjson::Value;

std::string name_of(const FilterValue& name) { return {name.GetString(), name.GetStringLength()}; }

// The file's reader bounds the nesting.
void add_fields(const FilterValue& filter, const std::string& prefix, std::set<std::string>& out) {
  if (filter.IsArray()) {
    for (const auto& branch : filter.GetArray()) add_fields(branch, prefix, out);
    return;
  }
  if (!filter.IsObject()) return;
  for (const auto& entry : filter.GetObject()) {
    const std::string name = name_of(entry.name);
    if (!name.starts_with('$')) {
      out.insert(prefix + name);
    } else if (name == "$and" || name == "$or" || name == "$nor") {
      add_fields(entry.value, prefix, out);
    }
  }
}

}  // namespace

std::vector<std::string> filter_names(const rapidjson::Value& filters) {
  std::set<std::string> out;
  for (const auto& entry : filters.GetObject()) {
    add_fields(entry.value, name_of(entry.name) + ".", out);
  }
  return {out.begin(), out.end()};
}

}  // namespace gantry::host
