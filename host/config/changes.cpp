#include "host/config/changes.hpp"

#include <algorithm>
#include <array>

#include <rapidjson/document.h>

#include "host/config/read.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

std::string_view view_of(const Value& name) { return {name.GetString(), name.GetStringLength()}; }

const Value* member(const Value& object, const Value& name) {
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

// Keys of `after` that are new or differ, then those that only `before` has. Groups are one level
// deep: a plugin's section counts as one key.
void compare(const Value& before, const Value& after, const std::string& prefix,
             std::vector<std::string>& out) {
  for (const auto& entry : after.GetObject()) {
    const Value* const was = member(before, entry.name);
    if (was != nullptr && *was == entry.value) continue;
    const std::string key = prefix + std::string(view_of(entry.name));
    const bool group = prefix.empty() && was != nullptr && was->IsObject();
    if (group) {
      compare(*was, entry.value, key + ".", out);
    } else {
      out.push_back(key);
    }
  }
  for (const auto& entry : before.GetObject()) {
    if (member(after, entry.name) == nullptr) {
      out.push_back(prefix + std::string(view_of(entry.name)));
    }
  }
}

}  // namespace

std::vector<std::string> changed_keys(const Settings& before, const Settings& after) {
  rapidjson::Document was, is;
  was.Parse(print_settings(before).c_str());
  is.Parse(print_settings(after).c_str());
  std::vector<std::string> out;
  compare(was, is, "", out);
  return out;
}

bool is_live(std::string_view key) {
  constexpr std::array<std::string_view, 3> kLive = {"plugin_directories", "plugin_files",
                                                     "overrides"};
  return key.starts_with("plugins.") || key.starts_with("trust.") ||
         std::find(kLive.begin(), kLive.end(), key) != kLive.end();
}

}  // namespace gantry::host
