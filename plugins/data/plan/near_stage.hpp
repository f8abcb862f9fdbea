// plan/near_stage.hpp: the sort of a filter with $near or $nearSphere, as a stage behind its
// $match.
#pragma once

#include <memory>

#include "filter/geo/near.hpp"
#include "pipeline/stage.hpp"

namespace gantry::data {

// Nearest documents first, ties in the order of the input; a document without a place is dropped. A
// $sort behind it takes precedence over the distance.
std::unique_ptr<const pipeline::Stage> near_stage(std::unique_ptr<const filter::Near> near);

}  // namespace gantry::data
