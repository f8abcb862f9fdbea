// host/loader/host_api.hpp: the table every plugin gets in create().
#pragma once

#include <gantry/abi/host.h>

namespace gantry::host {

// Valid for the whole run; its functions take the handles of Generations. Any thread.
const gantry_host_api& host_api();

}  // namespace gantry::host
