// host/worker/confinement.hpp: the limits of a worker as a word of its assignment, written and
// read.
//
// Internal to the folder; sandbox.hpp has the two ends.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include <gantry/result.hpp>

#include "host/plugin/instance.hpp"

namespace gantry::host {

struct Confinement {
  // memory_bytes, descriptors, disk_bytes, network, processes, files and walls count
  WorkerLimits limits;
  std::filesystem::path temporary;  // its private directory; empty: none
  pid_t parent = 0;                 // of the worker, when it was started
};

Result<Confinement> read_confinement(std::string_view text);

}  // namespace gantry::host
