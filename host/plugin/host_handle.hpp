// host/plugin/host_handle.hpp: what the contract's gantry_host is on this side.
#pragma once

#include "host/plugin/instance.hpp"

struct gantry_host {
  gantry::host::Instance* instance = nullptr;
  gantry::host::HostServices* services = nullptr;
};
