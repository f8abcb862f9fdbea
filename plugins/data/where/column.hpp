// where/column.hpp: what a root name of a where or an order stands for in the table.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"
#include "sql/matcher.hpp"
#include "where/values.hpp"

namespace gantry::data::where {

struct Column {
  Field field;               // a copy; field.column carries the qualifier
  bool is_id = false;        // objectId: values are the ids as strings
  std::vector<Field> parts;  // of a composite id, in the id's order; then field has only a name

  bool is_composite() const { return !parts.empty(); }

  const std::string& sql() const { return field.column; }
  bool is_json() const {
    return !is_id && (field.json || field.kind == Kind::object || field.kind == Kind::array);
  }
  // The kind values are compared as: a pointer's or an id's native one.
  Kind stored_kind() const;
};

using ColumnPtr = std::shared_ptr<const Column>;

// The column behind `name`, or null: a stored field, objectId (or its alias _id), createdAt,
// updatedAt. Refuses objectId of a class without ids.
ColumnPtr find_column(std::string_view name, const ClassInfo& cls, const Scope& scope,
                      const std::string& qualifier);

// The id of `cls`, or null when it has none.
ColumnPtr id_column(const ClassInfo& cls, const std::string& qualifier);

// How the bytes of one stored value are read as a value; JSON is parsed elsewhere.
struct Reading {
  Kind kind = Kind::any;
  DateForm date_form = DateForm::none;
  bool json = false;
};

Reading reading_of(const Column& column);

// The stored value, JSON text excepted. A value that does not fit the kind is what it is. NULL is
// null, in a JSON column it is missing.
View read_stored(const StoredValue& value, const Reading& reading);

}  // namespace gantry::data::where
