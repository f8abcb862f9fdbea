#include "host/auth/name_filter.hpp"

#include <algorithm>
#include <utility>

#include <rapidjson/document.h>

#include "host/base/json.hpp"

namespace gantry::host {
namespace {

using NameList = std::vector<std::string>;

bool has_name(const NameList& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The entry itself, or for "Class.name" also "name", which means the method of every class.
bool covers(const NameList& names, std::string_view entry, Entries entries) {
  if (has_name(names, entry)) return true;
  const auto dot = entry.rfind('.');
  return entries == Entries::qualified && dot != entry.npos &&
         has_name(names, entry.substr(dot + 1));
}

Result<NameList> read_names(const rapidjson::Value& value, const std::string& where) {
  if (!value.IsArray()) return Status::invalid(where + " must be an array of names");
  NameList names;
  for (const auto& name : value.GetArray()) {
    if (!name.IsString()) return Status::invalid(where + " must hold strings only");
    names.emplace_back(name.GetString(), name.GetStringLength());
  }
  return names;
}

// Sorted and each once, so that equal sets are equal lists whatever the order of narrowings.
void normalize(NameList& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

NameList meet_of(const NameList& a, const NameList& b, Entries entries) {
  NameList out;
  for (const auto& name : a) {
    if (covers(b, name, entries)) out.push_back(name);
  }
  for (const auto& name : b) {
    if (covers(a, name, entries)) out.push_back(name);
  }
  return out;
}

}  // namespace

Result<NameFilter> read_filter(const rapidjson::Value& value, const std::string& where) {
  NameFilter filter;
  if (value.IsArray()) {
    auto only = read_names(value, where);
    if (!only) return only.status();
    filter.only = std::move(*only);
    return filter;
  }
  if (!value.IsObject())
    return Status::invalid(where + " must be an array or an object of only and except");
  for (const auto& entry : value.GetObject()) {
    const std::string name = entry.name.GetString();
    if (name != "only" && name != "except") {
      return Status::invalid(where + " has the unknown member '" + name +
                             "'; allowed: only, except");
    }
    auto names = read_names(entry.value, where + "." + name);
    if (!names) return names.status();
    if (name == "only") {
      filter.only = std::move(*names);
    } else {
      filter.except = std::move(*names);
    }
  }
  return filter;
}

void append_names(std::string& out, const std::vector<std::string>& names) {
  out += '[';
  for (const auto& name : names) {
    if (out.back() != '[') out += ',';
    append_json_string(out, name);
  }
  out += ']';
}

void append_filter(std::string& out, const NameFilter& filter) {
  out += '{';
  if (filter.only) {
    out += "\"only\":";
    append_names(out, *filter.only);
  }
  if (!filter.except.empty()) {
    if (filter.only) out += ',';
    out += "\"except\":";
    append_names(out, filter.except);
  }
  out += '}';
}

Result<NameFilter> intersected(const NameFilter& parent, const NameFilter& wanted, Entries entries,
                               std::string_view what) {
  NameFilter out;
  out.except = parent.except;
  out.except.insert(out.except.end(), wanted.except.begin(), wanted.except.end());
  normalize(out.except);
  if (wanted.only && parent.only) {
    out.only = meet_of(*parent.only, *wanted.only, entries);
  } else {
    out.only = wanted.only ? wanted.only : parent.only;
  }
  if (!out.only) return out;
  std::erase_if(*out.only, [&](const auto& name) { return covers(out.except, name, entries); });
  normalize(*out.only);
  if (out.only->empty()) return Status::invalid("the narrowing leaves no " + std::string(what));
  return out;
}

bool has_method(const std::vector<std::string>& names, std::string_view class_name,
                std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view entry) {
    if (entry == name) return true;
    return entry.size() == class_name.size() + 1 + name.size() && entry.starts_with(class_name) &&
           entry[class_name.size()] == '.' && entry.ends_with(name);
  });
}

}  // namespace gantry::host
