// ops/document_root.hpp: $$ROOT in conditions over documents that are read with their objectId.
#pragma once

#include "values/value.hpp"

namespace gantry::data {

// The operand of an $expr with $$ROOT and $$CURRENT as the document that is stored: a reader that
// shows objects puts objectId before it. Of a document without _id they keep objectId, which is
// most often its own.
Value with_stored_root(const Value& expression);

}  // namespace gantry::data
