// host/loader/worker/confinement.hpp: what is said to a worker about its limits, as read back.
//
// Internal to the folder; sandbox.hpp has the two ends.
#pragma once

#include <sys/types.h>

#include <string_view>

#include <gantry/result.hpp>

#include "host/loader/instance.hpp"

namespace gantry::host {

struct Confinement {
  WorkerLimits limits;  // memory_bytes, descriptors, network and processes count
  pid_t parent = 0;     // of the worker, when it was started
  bool open = false;    // nothing is limited
};

Result<Confinement> read_confinement(std::string_view text);

}  // namespace gantry::host
