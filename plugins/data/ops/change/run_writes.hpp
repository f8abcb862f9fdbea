// ops/change/run_writes.hpp: runs writes of objects in one transaction, each after the others.
#pragma once

#include "ops/change/write.hpp"

namespace gantry::data {

// Throws QueryError and StaleCatalog; then nothing was written.
Reply run_writes(const Request& request, const Writes& writes);

}  // namespace gantry::data
