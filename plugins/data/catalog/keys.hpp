// catalog/keys.hpp: what the primary key and the indexes of a class say of its fields.
//
// Pure; any thread.
#pragma once

#include "catalog/identity.hpp"

namespace gantry::data {

// Adds the index of a key by which the rows themselves are stored, and sets Field::storage,
// numbers_rows and indexed. `cls` has its fields, primary key and indexes, as the schema lists
// them.
void settle_keys(RawClass& cls);

}  // namespace gantry::data
