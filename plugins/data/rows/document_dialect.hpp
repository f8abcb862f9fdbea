// rows/document_dialect.hpp: documents of classes with columns in the form of answers.
#pragma once

#include "values/value.hpp"

namespace gantry::data {

// Replaces the alias _id by objectId in documents of a class, at the root and in joined documents;
// `is_own`: a stage made _id at the root, which stays. createdAt and updatedAt become plain ISO
// strings. Counts steps of the thread's query; any thread.
void apply_dialect(Array& documents, bool is_own);

}  // namespace gantry::data
