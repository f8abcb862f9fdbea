#include "host/app/options.hpp"

#include <algorithm>

#include <gantry/abi/version.h>

#include "host/app/security.hpp"
#include "host/http/endpoint/guard.hpp"
#include "host/plugin/builtin_directory.hpp"

namespace gantry::host {

LogOptions log_options(const Settings& settings) {
  return {.level = level_from(settings.log_level).value_or(Level::info),
          .json = settings.log_format == "json"};
}

// Standard input has one client and no credentials.
AccessOptions access_options(const Settings& settings, const Address& address,
                             std::filesystem::path state, std::vector<EnvironmentKey> environment) {
  AccessOptions out;
  out.agents = settings.agents;
  out.agent = settings.agent;
  out.stdio = settings.stdio;
  if (out.stdio) return out;
  out.state = std::move(state);
  out.loopback = http::is_loopback(address.host);
  out.reachable = is_reachable(address, settings);
  out.remote_admin = settings.remote_admin;
  out.environment = std::move(environment);
  return out;
}

rpc::ProtocolSettings protocol_settings_of(const Settings& settings, bool one_agent) {
  rpc::ProtocolSettings out;
  out.version = GANTRY_SDK_VERSION;
  out.instructions = settings.instructions;
  out.discovery = settings.discovery;
  out.limits = settings.limits.protocol;
  out.lists_are_public = one_agent;
  return out;
}

http::Options http_options(const Settings& settings, const Address& address) {
  http::Options out;
  out.address = address.host;
  out.port = address.port;
  out.io_threads = settings.http.io_threads;
  out.limits = settings.http.limits;
  out.unread = std::make_shared<ByteBudget>(out.limits.unread_bytes);
  return out;
}

http::EndpointOptions endpoint_options(const Settings& settings, const Address& address) {
  http::EndpointOptions out;
  out.guard = settings.http.guard;
  out.guard.loopback = http::is_loopback(address.host);
  out.streams = settings.limits.streams;
  out.public_url = settings.http.public_url;
  out.max_waiting = settings.limits.protocol.max_stream_notifications;
  return out;
}

std::vector<PluginSource> plugin_sources(const Settings& settings) {
  std::vector<PluginSource> out;
  if (settings.builtin_plugins.empty()) {
    out.push_back({builtin_plugins_directory(), true});
  } else if (settings.builtin_plugins != "none") {
    out.push_back({settings.builtin_plugins, true});
  }
  for (const auto& directory : settings.plugin_directories) out.push_back({directory, false});
  for (const auto& file : settings.plugin_files) out.push_back({file, false});
  return out;
}

}  // namespace gantry::host
