// ops/document_rows.hpp: documents as the rows of an answer.
//
// Documents are weighed before any of them is written, so what does not fit is never made. Both
// take steps of the query of the thread.
#pragma once

#include "ops/page.hpp"
#include "values/value.hpp"

namespace gantry::data {

// All of them. Throws QueryError with a ranking of the fields when they would be too large.
Rows rows_of(const Request& request, const Array& documents);

// As many as fit: first the heaviest field goes, then trailing documents; further fields only while
// not one document fits.
Fitted fit_documents(const Request& request, const Array& documents);

}  // namespace gantry::data
