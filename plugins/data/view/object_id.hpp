// view/object_id.hpp: converts key columns to an objectId and back.
//
// One column: text unchanged, numbers as in JSON, blobs (and text that is not UTF-8) as 0x and
// lower-case hex; NULL is the empty string, which matches no row. Several columns: the same texts,
// with % and , escaped as %25 and %2C, joined by commas; NULL is %null. An id of a column of bytes
// is also understood in Base64, which is how rows show it. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/field.hpp"
#include "values/fragment.hpp"
#include "values/stored_value.hpp"

namespace gantry::data {

class ClassView;

// Appends the id of a one-column key, or the id in a pointer's column.
void append_id(const StoredValue& value, std::string& out);
std::string id_text(const StoredValue& value);
// Appends the id of a row whose key is in these columns; nothing if there are none.
void append_row_id(Row row, const std::vector<std::size_t>& key, std::string& out);

// One key column of a requested id.
struct IdPart {
  std::string column;  // SQL, from the catalog
  // The stored values that have this text; nullptr is NULL; empty: there are none.
  std::vector<Bind> any_of;
  bool binary_collation = true;  // false: the column's collation treats different texts as equal
};

// GANTRY_INVALID_ARGUMENT, with a sentence for the caller: the class has no ids; a composite id has
// a wrong number of parts or an invalid escape.
Result<std::vector<IdPart>> parse_object_id(const ClassView& cls, std::string_view id);

// The ids that name the same object as one that a caller gives: "2026-01-01" for
// "2026-01-01T00:00:00Z" of a key of dates. Of a wrong form: none.
class SameIds {
 public:
  SameIds(const ClassView& cls, std::string_view id);
  // Whether the id, as an object is shown with it, is one of them.
  bool include(std::string_view shown) const;

 private:
  bool is_composite_;
  std::vector<std::vector<std::string>> parts_;  // of each part, its texts
};

// The values of a column (a pointer's, for example) that have this id text.
std::vector<Bind> id_values(const Field& field, std::string_view text);

// "(`a` = ? AND `b` IN (?,?))", in a form that can use an index.
Fragment id_condition(const std::vector<IdPart>& parts);

}  // namespace gantry::data
