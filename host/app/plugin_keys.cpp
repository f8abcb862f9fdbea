#include "host/app/plugin_keys.hpp"

#include <string>
#include <string_view>
#include <system_error>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/app/files.hpp"
#include "host/auth/state_key.hpp"
#include "host/config/paths.hpp"
#include "host/loader/grants.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;

void add_unless_there(rapidjson::Document& object, const std::string& name,
                      const std::string& text) {
  if (object.HasMember(name.c_str())) return;
  auto& pool = object.GetAllocator();
  object.AddMember(rapidjson::Value(name.c_str(), pool), rapidjson::Value(text.c_str(), pool),
                   pool);
}

// Grants the file and those beside it: their directory if that can be granted, else the files that
// exist.
void add_with_beside(const fs::path& file, const std::vector<std::string>& ends,
                     const std::vector<fs::path>& closed, std::vector<fs::path>& paths) {
  if (is_open(file.parent_path(), closed)) return paths.push_back(file.parent_path());
  paths.push_back(file);
  for (const std::string& end : ends) {
    std::error_code error;
    const fs::path part = file.string() + end;
    if (fs::exists(part, error)) paths.push_back(part);
  }
}

// The path that a value names, without its scheme, as a worker may be granted it.
void grant(const PluginKey& key, std::string_view value, const std::vector<fs::path>& closed,
           FileGrants& files) {
  value = without_scheme(key, value);
  const bool write = key.grant == "write";
  if (write) static_cast<void>(make_private_directory(value));
  std::error_code error;
  const fs::path path = fs::canonical(value, error);
  if (error) return;
  auto& paths = write ? files.write : files.read;
  key.beside.empty() ? paths.push_back(path) : add_with_beside(path, key.beside, closed, paths);
}

struct Place {
  fs::path state;
  std::vector<fs::path> closed;
  bool http;
  Log* log;
};

// Gives the plugin its secret. If the key file can be neither read nor made, the secret is left
// out, and the plugin reports that it is missing.
void add_state_secret(const std::string& name, const Place& place, PluginSettings& section) {
  if (section.secrets.contains(name)) return;
  const fs::path file = place.state / (name + "-key");
  const auto key = read_or_make_key(file);
  if (key) {
    section.secrets.emplace(name, SecretRef{{}, file});
    return;
  }
  std::error_code error;
  if (place.log != nullptr && fs::exists(file, error)) {
    place.log->write(Level::warn, key.status().message());
  }
}

void fill_in(PluginSettings& section, const PluginKeys& plugin, const Place& place) {
  rapidjson::Document config;
  config.Parse(section.config.data(), section.config.size());
  if (!config.IsObject()) return;
  if (!plugin.needs.empty() && !config.HasMember(plugin.needs.c_str())) return;
  for (const PluginKey& key : plugin.keys) {
    if (!key.in_state.empty())
      add_unless_there(config, key.key, (place.state / key.in_state).string());
    if (!key.state_secret.empty()) add_state_secret(key.state_secret, place, section);
    if (place.http && !key.over_http.empty()) add_unless_there(config, key.key, key.over_http);
    const auto found = config.FindMember(key.key.c_str());
    if (key.grant.empty() || found == config.MemberEnd() || !found->value.IsString()) continue;
    grant(key, {found->value.GetString(), found->value.GetStringLength()}, place.closed,
          section.worker.files);
  }
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  config.Accept(writer);
  section.config = buffer.GetString();
}

}  // namespace

Settings with_plugin_keys(Settings settings, const std::vector<PluginKeys>& plugins,
                          const fs::path& state, Log* log) {
  const Place place{state, closed_paths(settings, state), !settings.stdio, log};
  for (const PluginKeys& plugin : plugins) {
    const auto section = settings.plugins.find(plugin.plugin);
    if (section != settings.plugins.end()) fill_in(section->second, plugin, place);
  }
  return settings;
}

}  // namespace gantry::host
