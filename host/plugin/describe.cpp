#include "host/plugin/describe.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string_view>

#include "sdk/contract/item_kinds.hpp"

namespace gantry::host {
namespace {

using Json = rapidjson::Writer<rapidjson::StringBuffer>;

void put(Json& json, std::string_view text) {
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put_key(Json& json, std::string_view key) {
  json.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
}

void put_list(Json& json, std::string_view key, const std::vector<std::string>& list) {
  put_key(json, key);
  json.StartArray();
  for (const std::string& text : list) put(json, text);
  json.EndArray();
}

void put_flag(Json& json, std::string_view key, bool flag) {
  put_key(json, key);
  json.Bool(flag);
}

std::string_view word(Isolate isolate) {
  for (const auto& [text, value] : contract::kIsolateWords) {
    if (value == isolate) return text;
  }
  return {};
}

std::vector<std::string> keys_of(const std::string& object) {
  std::vector<std::string> keys;
  rapidjson::Document json;
  json.Parse(object.data(), object.size());
  if (json.HasParseError() || !json.IsObject()) return keys;
  for (const auto& member : json.GetObject()) {
    keys.emplace_back(member.name.GetString(), member.name.GetStringLength());
  }
  return keys;
}

void put_limits(Json& json, const WorkerLimits& limits) {
  put_key(json, "limits");
  json.StartObject();
  put_key(json, "memory_bytes");
  json.Uint64(limits.memory_bytes);
  put_key(json, "cpu_seconds");
  json.Int64(limits.cpu.count());
  put_key(json, "descriptors");
  json.Int(limits.descriptors);
  put_key(json, "threads");
  json.Int(limits.threads);
  put_key(json, "disk_bytes");
  json.Uint64(limits.disk_bytes);
  put_key(json, "log_bytes_per_second");
  json.Uint64(limits.log_bytes);
  put_key(json, "calls");
  json.Int(limits.calls);
  put_key(json, "kill_after_ms");
  json.Int64(limits.kill_after.count());
  put_key(json, "failures");
  json.Int(limits.failures);
  put_key(json, "within_ms");
  json.Int64(limits.within.count());
  json.EndObject();
}

std::vector<std::string> texts_of(const std::vector<std::filesystem::path>& paths) {
  return {paths.begin(), paths.end()};
}

void put_walls(Json& json, const WorkerLimits& limits, int landlock) {
  put_key(json, "walls");
  json.StartObject();
  put_flag(json, "raised", limits.walls && landlock > 0);
  put_key(json, "landlock_version");
  json.Int(landlock);
  put_list(json, "reads", texts_of(limits.files.read));
  put_list(json, "writes", texts_of(limits.files.write));
  put_flag(json, "network", limits.network);
  put_flag(json, "processes", limits.processes);
  json.EndObject();
}

void put_items(Json& json, std::string_view kind, const std::vector<ItemSpec>& items) {
  std::vector<std::string> names;
  for (const ItemSpec& item : items) {
    if (item.kind == kind) names.push_back(item.key());
  }
  if (!names.empty()) put_list(json, std::string(kind) + "s", names);
}

}  // namespace

std::string manifest_json(const Manifest& manifest) {
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.StartObject();
  put_key(json, "name");
  put(json, manifest.name);
  put_key(json, "version");
  put(json, manifest.version);
  put_list(json, "needs", manifest.needs);
  put_list(json, "wants", manifest.wants);
  put_list(json, "offers", manifest.offers);
  put_flag(json, "reentrant", manifest.reentrant);
  put_flag(json, "exclusive", manifest.exclusive);
  put_flag(json, "unloadable", manifest.unloadable);
  put_flag(json, "self_check", manifest.has_self_check);
  put_flag(json, "takes_configuration", !manifest.config_schema.empty());
  put_key(json, "isolate");
  put(json, word(manifest.isolate));
  put_key(json, "state_version");
  json.Int64(manifest.state_version);
  json.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

std::string offer_json(const std::vector<ItemSpec>& items) {
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.StartObject();
  for (const contract::ItemKind& kind : contract::item_kinds()) put_items(json, kind.name, items);
  json.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

std::string settings_json(const PluginSettings& settings, int landlock) {
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.StartObject();
  put_list(json, "configured", keys_of(settings.config));
  std::vector<std::string> secrets;
  for (const auto& [name, where] : settings.secrets) secrets.push_back(name);
  put_list(json, "secrets", secrets);
  put_key(json, "isolate");
  put(json, word(settings.isolate));
  put_flag(json, "may_override", settings.may_override);
  put_walls(json, settings.worker, landlock);
  put_limits(json, settings.worker);
  json.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace gantry::host
