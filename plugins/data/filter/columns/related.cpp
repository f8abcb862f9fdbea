#include "filter/columns/binder.hpp"
#include "filter/columns/operand.hpp"
#include "filter/columns/refusal.hpp"
#include "sql/dialect.hpp"
#include "sql/scalar.hpp"
#include "sql/select.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

// The keys of the sub-query's rows, with the caller's order and limits. Rows with a null key are
// excluded, so that NOT IN keeps its meaning.
Fragment select_keys(const Field& key, const SubQuery& query, const Context& inner, int depth) {
  Clauses clauses;
  clauses.where.plain.add(stored_guard(key)).add(key.column + " IS NOT NULL");
  if (query.where != nullptr) {
    clauses.where.also(emit(Binder(inner).read(*query.where, depth), inner.options.dialect));
  }
  clauses.skip = query.skip;
  if (query.limit) clauses.limit = *query.limit;
  const bool is_bounded = query.limit || query.skip > 0;
  if (is_bounded) {
    RowOrder rows = compile_order(query.order.value_or(""), inner.cls, inner.scope);
    clauses.order = rows.exact.empty() ? std::move(rows.sql) : std::move(rows.exact);
  }
  return gantry::data::select_rows(inner.cls, key.column, clauses);
}

// The field with the kind of its storage, so that two fields can be compared in SQL.
Field stored(const Column& column) {
  Field field = column.field;
  field.kind = column.stored_kind();
  return field;
}

bool numeric(Kind kind) { return kind == Kind::integer || kind == Kind::number; }

bool comparable(const Field& a, const Field& b) {
  if (numeric(a.kind) && numeric(b.kind)) return true;
  if (a.kind != b.kind || a.kind == Kind::any) return false;
  // Texts of one instant may differ in shape and zone.
  return a.kind != Kind::date || (a.date_form == b.date_form && a.date_form != DateForm::iso_text &&
                                  a.date_form != DateForm::none);
}

// Requires that the name is a plain field of the inner class.
ColumnPtr key_column(std::string_view op, std::string_view name, const Context& inner) {
  ColumnPtr key = find_column(name, inner.cls);
  if (!key) refuse_field(name, inner.cls);
  if (key->is_redacted) refuse_redacted(name);
  if (key->is_json() || key->is_composite()) {
    refuse("The key of " + std::string(op) + " must be a field with one plain value; '" +
           clipped(name) + "' is not.");
  }
  return key;
}

// The column of the target class that equals the pointer's values.
ColumnPtr target_key(const Column& pointer, const Context& inner) {
  const FieldView* const target = inner.cls.find(pointer.field.target_field);
  if (target == nullptr) return id_column(inner.cls);
  return std::make_shared<Column>(*target);
}

ColumnPtr pointed_key(const Column& column, std::string_view op, const Context& inner) {
  check_pointer(column, op, inner.cls);
  ColumnPtr key = target_key(column, inner);
  if (!key || key->is_composite()) {
    refuse("Class '" + inner.cls.name + "' has no single key that a pointer could equal.");
  }
  return key;
}

}  // namespace

void check_pointer(const Column& column, std::string_view op, const ClassView& cls) {
  const bool own_ids = column.is_id && column.field.target_class == cls.name;
  if (column.field.kind != Kind::pointer || (column.is_id && !own_ids)) {
    refuse("Operator " + std::string(op) + " needs a Pointer, and field '" + column.field.name +
           "' is none. Compare fields with $select.");
  }
  if (column.field.target_class != cls.name) {
    refuse("Field '" + column.field.name + "' does not point to class '" + cls.name + "'.");
  }
}

const ClassView& related_class(const SubQuery& query, const Context& context) {
  const ClassView* const cls = context.scope.open(query.class_name);
  if (cls == nullptr) refuse_class(query.class_name, context.scope);
  refuse_unreadable(*cls);
  return *cls;
}

Fragment related_rows(const ColumnPtr& column, std::string_view op, const SubQuery& query,
                      const Context& context, int depth) {
  const Context inner{related_class(query, context), context.scope, context.options,
                      context.parser};
  const ColumnPtr key =
      query.key.empty() ? pointed_key(*column, op, inner) : key_column(op, query.key, inner);
  Field outer_field = stored(*column), key_field = stored(*key);
  if (!comparable(outer_field, key_field)) {
    if (!query.key.empty()) {
      refuse("Operator " + std::string(op) + " compares fields of one kind; '" +
             column->field.name + "' and the key '" + key->field.name + "' differ.");
    }
    // A pointer equals its key as the database compares foreign keys, whatever their types.
    outer_field.kind = key_field.kind = Kind::any;
  }
  // IN compares values of different types by affinity; the guards on both sides allow one type
  // only.
  Fragment sql{"(" + stored_guard(outer_field) + by_bytes(outer_field) + " IN (", {}};
  return std::move(sql.add(select_keys(key_field, query, inner, depth)).add("))"));
}

}  // namespace gantry::data::columns
