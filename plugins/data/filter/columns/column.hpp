// filter/columns/column.hpp: the column that a condition or an order reads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/class_view.hpp"

namespace gantry::data::columns {

// Refers to fields and forms of the class's view, which must outlive it.
struct Column {
  // Its values are those that SQL compares, unless other forms are given.
  explicit Column(const Field& of_view, const FieldForm* compared = &FieldForm::plain(),
                  const FieldForm& read = FieldForm::plain())
      : field(of_view), form(compared), whole(read) {}
  Column(Field&&, const FieldForm* = nullptr, const FieldForm& = FieldForm::plain()) = delete;
  // A field that is not the view's.
  explicit Column(std::shared_ptr<const Field> own)
      : made(std::move(own)), field(*made), form(&FieldForm::plain()), whole(*form) {}

  std::shared_ptr<const Field> made = {};  // null: `field` is the view's
  const Field& field;
  bool is_id = false;   // objectId: values are ids as strings
  bool is_key = false;  // the key under its own name
  // What SQL compares: of ids and pointers in a where the stored key. Null: matchers only.
  const FieldForm* form;
  // What matchers read: the value that `whole` makes of the column, and this path below it. NULL is
  // `null`, unless the column holds JSON.
  const FieldForm& whole;
  std::optional<std::string> path = {};
  Value null = Value::null();
  // Columns of a composite id, in the id's order; `field` then has only a name.
  std::vector<Field> parts;

  bool is(FieldForm::Type type) const { return form && form->is(type); }
  bool is_composite() const { return !parts.empty(); }

  const std::string& sql() const { return field.column; }
  bool is_json() const { return !is_id && field.json; }
  bool is_redacted = false;  // only whether it is null may be asked
  // The kind in which values are compared: of a pointer or an id, the kind of its stored value.
  Kind stored_kind() const;
};

using ColumnPtr = std::shared_ptr<const Column>;

// The column of a where or an order for `name`: a stored field, objectId (or its alias _id),
// createdAt, updatedAt; null if there is none. Refuses objectId of a class without ids.
ColumnPtr find_column(std::string_view name, const ClassView& cls);

// The id column of `cls`, or null if it has none.
ColumnPtr id_column(const ClassView& cls);

}  // namespace gantry::data::columns
