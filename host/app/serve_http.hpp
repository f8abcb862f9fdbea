// host/app/serve_http.hpp: serves over HTTP from the ready line until a signal, and stops in order.
//
// Main thread.
#pragma once

#include <filesystem>

#include "host/app/running.hpp"
#include "host/config/read.hpp"

namespace gantry::host {

// The exit code. `state`: the state directory.
int serve_http(const Running& running, const Address& address, const std::filesystem::path& state);

}  // namespace gantry::host
