// sql/row_access.hpp: conditions of the operator's rules on one column: the tenant's rows, the rows
// of an owner, the rows whose ACL allows a reader.
//
// They compare bytes, whatever the column's collation and affinity, and use its index where it has
// one. They cannot fail on a row; NULL and unreadable values do not satisfy them. Pure functions;
// any thread.
#pragma once

#include <string>
#include <vector>

#include "catalog/field.hpp"
#include "values/fragment.hpp"
#include "values/value.hpp"

namespace gantry::data {

// True for rows whose value, as the text of an id, is exactly `text`. "0": no value can be.
Fragment equals_text(const Field& field, const std::string& text);

// Of a pointer, or of a column with an array of pointers: true if it names this object.
Fragment names_object(const Field& field, const std::string& id);

// Of a column with a JSON array of strings: true if one of `readers` is in it. `null_is_public`:
// NULL allows all.
Fragment allows_reader(const std::string& column, const std::vector<std::string>& readers,
                       bool null_is_public);

// The same of values, for documents.
bool is_text(const Value& value, const std::string& text);
bool names_object(const Value& value, const std::string& id);
bool allows_reader(const Value& acl, const std::vector<std::string>& readers, bool null_is_public);

}  // namespace gantry::data
