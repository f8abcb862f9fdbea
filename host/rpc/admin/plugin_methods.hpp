// host/rpc/admin/plugin_methods.hpp (private): the methods for plugins, and those for the host
// itself, failed calls, permissions and approvals.
//
// Pure functions; what they are given must outlive the methods.
#pragma once

#include "host/rpc/admin/commands.hpp"

namespace gantry::host::rpc {

// plugin.*
AdminMethods plugin_methods(PluginAdmin& plugins);
// host.info, audit.find, agent.permit, approval.*
AdminMethods basic_methods(const AdminFacts& facts);

}  // namespace gantry::host::rpc
