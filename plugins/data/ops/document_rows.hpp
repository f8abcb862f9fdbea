// ops/document_rows.hpp: documents as the rows of an answer.
#pragma once

#include "ops/page.hpp"
#include "values/value.hpp"

namespace gantry::data {

// All of them, with the weight of each field.
Rows rows_of(const Array& documents);

// As many as fit: first the heaviest field goes, then trailing documents; further fields only while
// not one document fits.
Fitted fit_documents(const Request& request, Array documents);

}  // namespace gantry::data
