// ops/doubts.hpp: looks into the comparisons of a request that may be mistakes, after its answer.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// Adds warnings for texts that no visible object holds, though another case, spelling or type does
// or the field holds few texts, and for comparisons that hold for NULL. Reads classes of at most
// 200,000 rows, or by an index; a read that fails adds nothing.
void look_into_doubts(const Request& request, const Reply& reply);

}  // namespace gantry::data
