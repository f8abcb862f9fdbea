#include "host/rpc/tool_list.hpp"

#include <rapidjson/document.h>

#include "host/base/json.hpp"
#include "host/rpc/era.hpp"

namespace gantry::host::rpc {
namespace {

void append_text(std::string& out, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  out += ",\"";
  out += name;
  out += "\":";
  append_json_string(out, text);
}

void append_raw(std::string& out, std::string_view name, std::string_view json) {
  if (json.empty()) return;
  out += ",\"";
  out += name;
  out += "\":";
  append_compact(out, json);
}

// The author's _meta with the category in front, unless it names one itself.
std::string meta_of(const ItemSpec& spec) {
  const std::string category = "\"category\":" + json_string(spec.category);
  rapidjson::Document meta;
  meta.Parse(spec.meta.data(), spec.meta.size());
  if (meta.HasParseError() || !meta.IsObject() || meta.ObjectEmpty()) return "{" + category + "}";
  if (meta.HasMember("category")) return spec.meta;
  return "{" + category + "," + spec.meta.substr(spec.meta.find('{') + 1);
}

std::string surface(const Agent& agent, std::string_view revision,
                    std::optional<std::string_view> category) {
  std::string key(revision);
  key += '|';
  key += tier_name(agent.tier);
  const auto add = [&key](char mark, const std::vector<std::string>& names) {
    for (const auto& name : names) {
      key += mark;
      key += std::to_string(name.size());
      key += ':';
      key += name;
    }
  };
  key += agent.tools.only ? "|only" : "|all";
  if (agent.tools.only) add('+', *agent.tools.only);
  add('-', agent.tools.except);
  if (category) key += '|' + lower(*category);
  return key;
}

}  // namespace

std::string tool_entry(const ItemSpec& spec, std::string_view revision) {
  const Features peer(revision);
  std::string out = "{\"name\":" + json_string(spec.name);
  if (peer.titles()) append_text(out, "title", spec.title);
  append_text(out, "description", spec.description);
  append_raw(out, "inputSchema", spec.input_schema);
  if (peer.structured()) append_raw(out, "outputSchema", spec.output_schema);
  if (peer.annotations()) append_raw(out, "annotations", spec.annotations);
  if (peer.icons()) append_raw(out, "icons", spec.icons);
  if (peer.titles()) append_raw(out, "_meta", meta_of(spec));
  out += '}';
  return out;
}

std::string_view ToolList::slice(std::size_t from, std::size_t to) const {
  if (from >= to) return {};
  const std::size_t begin = from == 0 ? 0 : ends[from - 1] + 1;
  return std::string_view(entries).substr(begin, ends[to - 1] - begin);
}

std::shared_ptr<const ToolList> ToolLists::get(const Snapshot& snapshot, const Agent& agent,
                                               std::string_view revision,
                                               std::optional<std::string_view> category) {
  std::string key = surface(agent, revision, category);
  {
    std::lock_guard lock(mutex_);
    if (version_ == snapshot.version) {
      if (const auto found = by_key_.find(key); found != by_key_.end()) {
        recent_.splice(recent_.begin(), recent_, found->second);
        return found->second->list;
      }
    }
  }
  auto list = std::make_shared<ToolList>();
  for (const ItemPtr& tool : snapshot.tools) {
    if (category && !same_ignoring_case(tool->spec.category, *category)) continue;
    if (calls_.denied(agent, *tool)) continue;
    if (!list->entries.empty()) list->entries += ',';
    list->entries += tool_entry(tool->spec, revision);
    list->names.push_back(tool->spec.name);
    list->ends.push_back(list->entries.size());
  }
  std::lock_guard lock(mutex_);
  if (version_ < snapshot.version) {
    by_key_.clear();
    recent_.clear();
    version_ = snapshot.version;
  }
  if (version_ != snapshot.version || by_key_.contains(key)) return list;
  recent_.push_front({std::move(key), list});
  by_key_.emplace(recent_.front().key, recent_.begin());
  if (recent_.size() > kMaxLists) {
    by_key_.erase(recent_.back().key);
    recent_.pop_back();
  }
  return list;
}

std::size_t ToolLists::size() const {
  std::lock_guard lock(mutex_);
  return recent_.size();
}

}  // namespace gantry::host::rpc
