#include "host/loader/plugin_table.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

void PluginEntry::accept(const Origin& origin) {
  if (quarantined != origin.sha256) quarantined.clear();
  file = origin.file;
  failed.reset();
  last_failure.clear();
}

PluginEntry* PluginTable::find(std::string_view name) {
  const auto known = entries_.find(name);
  return known == entries_.end() ? nullptr : &known->second;
}

std::vector<std::string> PluginTable::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

bool PluginTable::has_parked() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const auto& known) { return known.second.parked; });
}

void PluginTable::remove_from_order(const std::string& name) {
  order_.erase(std::remove(order_.begin(), order_.end(), name), order_.end());
}

std::vector<InstancePtr> PluginTable::shown() const {
  std::vector<InstancePtr> instances;
  for (const std::string& name : order_) {
    const auto known = entries_.find(name);
    if (known == entries_.end() || !known->second.is_loaded()) continue;
    instances.push_back(known->second.shown());
  }
  return instances;
}

void PluginTable::record_failure(PluginEntry& entry, const Origin& origin, std::string reason,
                                 bool may_pass) {
  entry.failed =
      FailedAttempt{origin.sha256, origin.settings, origin.builtin, std::move(reason), {}};
  entry.forced = false;
  if (may_pass) may_pass_.push_back(origin.manifest.name);
  ++failed_;
}

void PluginTable::end_change(bool changed) {
  if (changed) ++changes_;
  for (const std::string& name : may_pass_) {
    if (entries_[name].failed) entries_[name].failed->until_change = changes_;
  }
  may_pass_.clear();
}

void PluginTable::clear() {
  entries_.clear();
  order_.clear();
  refused_.clear();
}

}  // namespace gantry::host
