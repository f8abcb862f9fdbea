// where/column.hpp: resolves the root name of a where or an order to a column of the table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/matcher.hpp"
#include "values/value.hpp"

namespace gantry::data::where {

struct Column {
  Field field;             // a copy; field.column includes the qualifier
  bool is_id = false;      // objectId: values are ids as strings
  ClassFilterPtr classes;  // the agent's, for pointers inside JSON
  // Columns of a composite id, in the id's order; `field` then has only a name.
  std::vector<Field> parts;

  bool is_composite() const { return !parts.empty(); }

  const std::string& sql() const { return field.column; }
  bool is_json() const {
    return !is_id && (field.json || field.kind == Kind::object || field.kind == Kind::array);
  }
  // Only whether it is null may be asked.
  bool is_redacted(const Scope& scope) const { return !is_id && scope.redacts(field); }
  // The kind in which values are compared: of a pointer or an id, the kind of its stored value.
  Kind stored_kind() const;
};

using ColumnPtr = std::shared_ptr<const Column>;

// The column for `name`: a stored field, objectId (or its alias _id), createdAt, updatedAt; null if
// there is none. Refuses objectId of a class without ids.
ColumnPtr find_column(std::string_view name, const ClassInfo& cls, const Scope& scope,
                      const std::string& qualifier);

// The id column of `cls`, or null if it has none.
ColumnPtr id_column(const ClassInfo& cls, const std::string& qualifier);

// How a stored value is read.
struct Reading {
  Kind kind = Kind::any;
  DateForm date_form = DateForm::none;
  bool json = false;
  ClassFilterPtr classes = {};
  std::vector<std::string> path = {};  // of JSON: nothing else is needed; empty: everything is
};

Reading reading_of(const Column& column);
// Of a JSON column, for a reader that follows this path below it.
Reading reading_of(const Column& column, std::string_view path);

// The value of a column, of JSON at least what lies at the path. One that does not fit the kind keeps its own type; stored JSON is read
// without internal members at any depth. NULL is null; in a JSON column it is missing.
Value read_stored(const StoredValue& stored, const Reading& reading);

}  // namespace gantry::data::where
