// catalog/well_known.hpp: the purpose of a column, by its name. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/catalog.hpp"

namespace gantry::data {

// The rank of a name that makes a unique column the class's objectId, best first: 0 objectId, 1 id,
// … Empty when `name` is none of them. ASCII case is ignored.
std::optional<int> id_rank(std::string_view name);

// True for names like created_at, updatedAt, birth_date, lastSeenTime. Such a column is a date
// column if every sampled text is a date.
bool sounds_like_date(std::string_view name);

// True for the narrower set created_at, …At, timestamp. Their whole numbers may be instants too.
bool sounds_like_instant(std::string_view name);

// Sets created_at and updated_at of `cls` to the fields that the model states, if they hold dates,
// else to date fields with the usual names. If a field is called
// createdAt (updatedAt) and is not a date, the name stays with that field.
void find_timestamps(ClassInfo& cls);

}  // namespace gantry::data
