// host/plugin/describe.hpp: JSON texts about a plugin, for an operator. Never a value of its
// configuration, nor a secret. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "host/plugin/instance.hpp"
#include "host/plugin/manifest.hpp"

namespace gantry::host {

// The manifest without its schemas.
std::string manifest_json(const Manifest& manifest);

// {"tools": [names], …}; only kinds of which there is something.
std::string offer_json(const std::vector<ItemSpec>& items);

// {"configured": [names], "secrets": [names], "isolate": …, "walls": {…}, "limits": {…}};
// `landlock` is the kernel's version, 0: none. Walls and limits are those of its worker, if it has
// one.
std::string settings_json(const PluginSettings& settings, int landlock);

}  // namespace gantry::host
