// plan/document_root.hpp: $$ROOT in conditions over documents with an added objectId.
#pragma once

#include "values/value.hpp"

namespace gantry::data {

// Rewrites the operand of an $expr so that $$ROOT and $$CURRENT mean the stored document, without
// the objectId that operations on objects put in front. A document without _id keeps its objectId,
// because that is usually a stored field.
Value with_stored_root(const Value& expression);

}  // namespace gantry::data
