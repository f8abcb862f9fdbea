// ops/document_near.hpp: documents in the order of their distance from a place.
#pragma once

#include "match/near.hpp"
#include "ops/document_find.hpp"

namespace gantry::data {

// As find_documents() for a `where` that holds $near or $nearSphere: the nearest first, those at
// one distance in the order of the rows. Takes no order of the caller's. `projection` as
// add_projection() makes it, or missing. Throws QueryError.
Documents find_near(const Request& request, const ClassInfo& cls, const Finding& finding,
                    const match::Near& near, const Value& projection);

// Refuses what find_near() refuses before it reads a row.
void check_near(const Request& request, const ClassInfo& cls, const Finding& finding);

}  // namespace gantry::data
