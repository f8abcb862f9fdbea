// catalog/well_known.hpp: column names that say what a column is for. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/catalog.hpp"

namespace gantry::data {

// The names that make a unique column the class's objectId, best first: 0 objectId, 1 id, …
// Empty when `name` is none of them. ASCII case does not count.
std::optional<int> id_rank(std::string_view name);

// True for names like created_at, updatedAt, birth_date, lastSeenTime: text that is a date in every
// sampled row is then a date.
bool sounds_like_date(std::string_view name);

// The narrower set created_at, …At, timestamp: whole numbers may be instants too.
bool sounds_like_instant(std::string_view name);

// Sets created_at and updated_at of `cls` to date fields with the usual names. A class with a field
// that is called createdAt (updatedAt) and is no date keeps that name for it.
void find_timestamps(ClassInfo& cls);

}  // namespace gantry::data
