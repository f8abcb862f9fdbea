#include "host/rpc/admin/plugin_methods.hpp"

#include <filesystem>
#include <system_error>

#include "host/rpc/admin/state_json.hpp"

namespace gantry::host::rpc {
namespace {

namespace fs = std::filesystem;
using Pace = AdminMethod::Pace;
using Change = std::function<Status(const AdminParams&)>;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

// The states of the plugins that the parameters name.
std::string states(const PluginAdmin& plugins, const AdminParams& params) {
  const std::string file = params.text("file"), name = params.text("name");
  auto states = plugins.list();
  std::erase_if(states, [&](const PluginState& state) {
    return file.empty() ? !name.empty() && state.name != name : !same_file(state.file, file);
  });
  return states_json(states);
}

AdminMethod changing(PluginAdmin& plugins, std::string_view name,
                     std::vector<std::string_view> parameters, Change change) {
  AdminMethod out{
      .name = name, .parameters = std::move(parameters), .pace = Pace::blocks, .reads = false};
  out.run = [&plugins, change = std::move(change)](const AdminParams& params,
                                                   const AdminCaller&) -> Result<std::string> {
    if (Status status = change(params); !status) return status;
    return states(plugins, params);
  };
  return out;
}

}  // namespace

AdminMethods plugin_methods(PluginAdmin& plugins) {
  AdminMethods out;
  out.push_back(
      {.name = "plugin.list",
       .run = [&plugins](const AdminParams& params, const AdminCaller&) -> Result<std::string> {
         return states(plugins, params);
       }});
  out.push_back(
      {.name = "plugin.info",
       .parameters = {"name"},
       .run = [&plugins](const AdminParams& params, const AdminCaller&) -> Result<std::string> {
         auto info = plugins.info(params.text("name"));
         if (!info) return info.status();
         return info_json(*info);
       }});
  const auto add = [&](std::string_view name, std::vector<std::string_view> parameters,
                       Change change) {
    out.push_back(changing(plugins, name, std::move(parameters), std::move(change)));
  };
  add("plugin.load", {"file:file"}, [&plugins](const AdminParams& params) {
    return plugins.load(fs::path(params.text("file")).lexically_normal());
  });
  add("plugin.unload", {"name"},
      [&plugins](const AdminParams& params) { return plugins.unload(params.text("name")); });
  add("plugin.reload", {"name?"},
      [&plugins](const AdminParams& params) { return plugins.reload(params.text("name")); });
  add("plugin.enable", {"name"},
      [&plugins](const AdminParams& params) { return plugins.enable(params.text("name")); });
  add("plugin.disable", {"name"},
      [&plugins](const AdminParams& params) { return plugins.disable(params.text("name")); });
  add("plugin.quarantine", {"name", "lift?:flag"}, [&plugins](const AdminParams& params) {
    return plugins.quarantine(params.text("name"), !params.flag("lift"));
  });
  return out;
}

}  // namespace gantry::host::rpc
