// ops/document_near.hpp: documents sorted by their distance from a place.
#pragma once

#include "filter/geo/near.hpp"
#include "ops/document_find.hpp"

namespace gantry::data {

// find_documents() for a `where` with $near or $nearSphere: nearest first, ties in the order of the
// rows. An order given by the caller comes before the distance. `projection` is made by
// add_projection(), or missing. Throws QueryError.
Documents find_near(const Request& request, const ClassView& cls, const Finding& finding,
                    const filter::Near& near, const Value& projection);

// Throws the errors that find_near() throws before it reads a row.
void check_near(const ClassView& cls, const Finding& finding);

}  // namespace gantry::data
