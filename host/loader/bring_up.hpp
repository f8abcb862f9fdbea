// host/loader/bring_up.hpp: from a checked candidate to a started instance.
//
// Control thread. What fails on the way is undone: a created instance is destroyed, a started one
// stopped first.
#pragma once

#include <memory>

#include <gantry/result.hpp>

#include "host/loader/batch.hpp"
#include "host/loader/generation.hpp"
#include "host/loader/loader.hpp"
#include "host/loader/private_copy.hpp"

namespace gantry::host {

// Plugins whose configuration does not satisfy their schema, or that ask for a worker process.
void refuse_unfit(Batch& batch);

Result<GenerationPtr> bring_up(Candidate candidate, const PrivateDirectory& directory,
                               const LoaderOptions& options);

}  // namespace gantry::host
