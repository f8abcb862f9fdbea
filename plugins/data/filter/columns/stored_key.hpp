// filter/columns/stored_key.hpp: whether a column sorts as the values that callers see.
//
// Stored values may have another order: date texts of two time zones, blobs of two lengths, texts
// among the numbers 0 and 1 of a boolean. Then sort_key.hpp makes keys for the right one, which no
// index serves. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "filter/columns/column.hpp"
#include "sql/predicate.hpp"

namespace gantry::data::columns {

struct StoredKey {
  std::string text;     // of an ORDER BY list
  Predicate exception;  // rows whose values it does not sort correctly; empty: there are none
  // It also sorts what callers see as equal: date texts by their parts of milliseconds.
  bool is_finer = false;
};

// By what the schema guarantees and the sampled rows have. Empty: the values must be read. Of JSON
// columns and composite ids there is none.
std::optional<StoredKey> stored_key(const Column& column);

}  // namespace gantry::data::columns
