// host/rpc/listen/notify.hpp: progress and log notifications of a running request, as whole
// messages.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host::rpc {

// `token` is JSON text; `total` 0 = unknown; `meta` is the JSON text of _meta, empty: none.
std::string progress_message(std::string_view token, double done, double total,
                             std::string_view note, std::string_view revision,
                             std::string_view meta = {});

// `level` is a syslog number; an empty `logger` is left out.
std::string log_message(int level, std::string_view logger, std::string_view text);

}  // namespace gantry::host::rpc
