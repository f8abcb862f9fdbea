// rows/object_id.hpp: objectId, from key columns to one string and back.
//
// One column: text as it is, numbers as JSON writes them, blobs (and text that is not UTF-8) as
// 0x and lower-case hex; NULL is the empty string and leads back to no row. Several columns: the
// same, with % and , escaped as %25 and %2C, joined with commas; NULL is %null.
// Pure functions; any thread.
#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/catalog.hpp"
#include "sql/fragment.hpp"
#include "sql/matcher.hpp"

namespace gantry::data {

// The id of a one-column key, and of a pointer's value.
void append_id(const StoredValue& value, std::string& out);
// One more part of a composite id; the caller writes the commas.
void append_id_part(const StoredValue& value, std::string& out);

// One key column of an id that somebody asks for.
struct IdPart {
  std::string column;  // SQL, from the catalog
  // The stored values with this text; nullptr is NULL; empty: none can be.
  std::vector<Bind> any_of;
  bool binary_collation = true;  // false: the column itself takes other texts for equal ones
};

// GANTRY_INVALID_ARGUMENT, a sentence for the caller: the class has no ids; a composite id with
// another number of parts or a broken escape.
Result<std::vector<IdPart>> parse_object_id(const ClassInfo& cls, std::string_view id);

// The values that a column may hold for an id of this text (a pointer's column, say).
std::vector<Bind> id_values(const Field& field, std::string_view text);

// "(`a` = ? AND `b` IN (?,?))"; indexes stay usable.
Fragment id_condition(const std::vector<IdPart>& parts);

}  // namespace gantry::data
