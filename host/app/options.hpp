// host/app/options.hpp: converts the operator's settings into the options of each part.
//
// Pure functions but for the environment; any thread.
#pragma once

#include <vector>

#include "host/app/access.hpp"
#include "host/config/read.hpp"
#include "host/config/settings.hpp"
#include "host/http/endpoint/endpoint.hpp"
#include "host/http/server.hpp"
#include "host/loader/sources.hpp"
#include "host/observe/log.hpp"
#include "host/rpc/protocol_settings.hpp"

namespace gantry::host {

LogOptions log_options(const Settings& settings);
AccessOptions access_options(const Settings& settings, const Address& address,
                             std::filesystem::path state, std::vector<EnvironmentKey> environment);
rpc::ProtocolSettings protocol_settings_of(const Settings& settings, bool one_agent);
http::Options http_options(const Settings& settings, const Address& address);
http::EndpointOptions endpoint_options(const Settings& settings, const Address& address);
std::vector<PluginSource> plugin_sources(const Settings& settings);

}  // namespace gantry::host
