// sdk/contract/undeclared.hpp: the sentence for a service that a plugin uses undeclared.
//
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace gantry::contract {

// For the log of a plugin that asks for the service `id`, which neither "needs" nor "wants" of its
// manifest names. The log names the plugin.
inline std::string undeclared_service(std::string_view id) {
  const std::string name(id);
  return "it asked for " + name + ", which its manifest does not name, and got nothing: add \"" +
         name + "\" to \"needs\" in its manifest (or to \"wants\", if it also runs without)";
}

}  // namespace gantry::contract
