// host/plugin/log_sink.hpp: where lines about plugins go.
#pragma once

#include <functional>
#include <string_view>

namespace gantry::host {

// `plugin` is the plugin's name (or its file, before the name is known), `level` a syslog number.
// Called on any thread, also many at once.
using LogSink = std::function<void(std::string_view plugin, int level, std::string_view text)>;

}  // namespace gantry::host
