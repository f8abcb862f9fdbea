// ops/document_rows.hpp: writes documents as the rows of an answer.
//
// Sizes are computed before anything is written, so text that does not fit is never built. Both
// functions count steps of the thread's query.
#pragma once

#include "ops/page.hpp"
#include "values/value.hpp"

namespace gantry::data {

// All documents. Throws QueryError with a list of the largest fields when they would be too large.
Rows rows_of(const Request& request, const Array& documents);

// As many as fit: first the heaviest field is dropped, then trailing documents; further fields only
// if not even one document fits.
Fitted fit_documents(const Request& request, const Array& documents);

}  // namespace gantry::data
