// The columns of a typed class.
#include <algorithm>
#include <array>

#include <rapidjson/document.h>

#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "ops/change/field_ops.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/row_change.hpp"
#include "values/iso_date.hpp"
#include "write/class_table.hpp"
#include "write/dates.hpp"
#include "write/json_cell.hpp"

namespace gantry::data {
namespace {

using JsonValue = rapidjson::Value;

bool is_null(const Bind& value) { return std::holds_alternative<std::nullptr_t>(value); }

// Matchers are never written.
bool same_value(const Bind& a, const Bind& b) {
  if (const auto* number = std::get_if<std::int64_t>(&a)) {
    const auto* other = std::get_if<std::int64_t>(&b);
    return other != nullptr && *number == *other;
  }
  const auto* text = std::get_if<std::string>(&a);
  const auto* other = std::get_if<std::string>(&b);
  return text != nullptr && other != nullptr && *text == *other;
}

// The time in the form of the column: with as much of it as the form keeps.
Bind time_for(const Field& field, std::int64_t now_ms) {
  constexpr std::array<std::int64_t, 4> kGrains{1, 1000, 60'000, 86'400'000};
  const write::Column column = write::column_of(field);
  for (const std::int64_t grain : kGrains) {
    write::Cell cell;
    cell.type = write::Cell::Type::date;
    cell.integer = now_ms - now_ms % grain;
    write::Stored stored;
    if (write::convert(cell, column, stored)) return bind_of(stored.view());
  }
  std::string text;
  append_iso_date(now_ms, text);
  return text;
}

// Whether the text gives the instant of a stored text as a read shows it: with milliseconds.
bool is_same_instant(const write::Cell& cell, const Bind& stored) {
  const auto* const text = std::get_if<std::string>(&stored);
  const auto given = write::instant_of(cell);
  const bool is_fine =
      cell.is(write::Cell::Type::text) && write::is_finer_than_milliseconds(cell.text);
  return text != nullptr && given && !is_fine && parse_iso_date(*text) == given;
}

class ColumnChange {
 public:
  ColumnChange(Session& session, const WrittenClass& cls, const Place* place)
      : session_(session), cls_(cls), place_(place) {}

  RowChange run(const JsonValue& data) {
    for (const auto& [name, value] : data.GetObject()) {
      add({name.GetString(), name.GetStringLength()}, value);
    }
    check_targets();
    add_times();
    if (cls_.is_create()) add_own();
    return std::move(change_);
  }

 private:
  void add(std::string_view name, const JsonValue& json) {
    const FieldView& field = field_named(name);
    const std::string why = why_unwritable(field);
    if (!why.empty()) throw QueryError(unwritable_field(cls_.shown, std::string(name), why));
    if (has(field.column)) {
      throw QueryError(unfit_value(cls_.shown, std::string(name), "it is given twice"));
    }
    check_inner_names(json, cls_.shown);
    Bind value = value_of(field, json);
    if (is_null(value) && cls_.whole.is_key(field)) return check_null_key(field);
    if (field.kind == Kind::pointer && !is_null(value)) pointers_.push_back({&field, value});
    change_.values.push_back({field.column, std::move(value)});
    change_.given.push_back(field.name);
  }

  // Null leaves out a key that the server makes. SQLite would store several rows with a NULL key.
  void check_null_key(const FieldView& field) const {
    if (is_made(field)) return;
    throw QueryError(unfit_value(cls_.shown, field.name, "the object's id is not null"));
  }

  bool is_made(const FieldView& key) const {
    return cls_.whole.id_form == IdForm::column && key.kind == Kind::string && !key.has_default &&
           !key.generated;
  }

  const FieldView& field_named(std::string_view name) const {
    const ClassView& shown = cls_.shown;
    if (const FieldView* const field = shown.named(name)) return *field;
    if (name != kObjectId && name != "_id") columns::refuse_field(name, shown);
    if (shown.id_form == IdForm::column) return shown.key_fields.front();
    throw QueryError(unwritable_field(shown, std::string(name),
                                      shown.id_form == IdForm::rowid
                                          ? "the database assigns it."
                                          : "it is made of the fields of the key. Give those."));
  }

  // By column: whatever the name that the caller used.
  bool is_column(const Field& field, std::string_view name) const {
    const FieldView* const found = cls_.whole.named(name);
    return found != nullptr && found->column == field.column;
  }

  std::string why_unwritable(const FieldView& field) const {
    const ClassView& whole = cls_.whole;
    if (field.generated) return "the database computes it.";
    for (const std::string_view role : kDateRoles) {
      if (is_column(field, role)) return "the server sets it.";
    }
    if (whole.model && whole.model->tenant && is_column(field, whole.model->tenant->field)) {
      return "the server sets it to the agent's tenant.";
    }
    if (whole.model && whole.model->acl) {
      const RowAcl& acl = *whole.model->acl;
      if (is_column(field, acl.read) || is_column(field, acl.write)) {
        return "it is an access list.";
      }
    }
    if (whole.is_key(field) && !cls_.is_create())
      return "it is the object's id, which does not change.";
    if (field.numbers_rows) return "the database assigns it. Leave it out.";
    return {};
  }

  Bind value_of(const FieldView& field, const JsonValue& json) const {
    const auto op = field_op_of(json);
    if (!op) throw QueryError(unfit_value(cls_.shown, field.name, op.message()));
    if (*op) return value_of(field, **op);
    if (field.redacted && !json.IsNull()) throw QueryError(missing_target(cls_.shown, field.name));
    write::Cell cell = write::cell_of(json);
    if (cell.is(write::Cell::Type::relation)) {
      throw QueryError(unfit_value(cls_.shown, field.name, "a relation is not stored"));
    }
    if (field.kind == Kind::date && field.date_form == DateForm::iso_text) {
      Bind before = stored_value(field);
      if (is_same_instant(cell, before)) return before;
    }
    write::Stored stored;
    const Status converted = write::convert(cell, write::column_of(field), stored);
    if (!converted) throw QueryError(unfit_value(cls_.shown, field.name, converted.message()));
    return bind_of(stored.view());
  }

  Bind stored_value(const FieldView& field) const {
    if (place_ == nullptr) return nullptr;
    return session_.stored(cls_.whole, *place_, field.column);
  }

  Bind value_of(const FieldView& field, const FieldOp& op) const {
    if (op.type == FieldOp::Type::unset) return nullptr;
    const Bind stored = stored_value(field);
    return op.is_of_list() ? list_of(field, op, stored) : sum_of(field, op, stored);
  }

  Bind list_of(const FieldView& field, const FieldOp& op, const Bind& stored) const {
    if (!field.json) {
      throw QueryError(unfit_value(cls_.shown, field.name, "the field holds no arrays"));
    }
    const auto* const before = std::get_if<std::string>(&stored);
    if (!is_null(stored) && (before == nullptr || before->empty())) {
      throw QueryError(unfit_value(cls_.shown, field.name, "the field holds no array here"));
    }
    auto text =
        changed_json(op, stored_of(stored).bytes, false, session_.request().scope.shown().get());
    if (!text) throw QueryError(unfit_value(cls_.shown, field.name, text.message()));
    return *std::move(text);
  }

  Bind sum_of(const FieldView& field, const FieldOp& op, const Bind& stored) const {
    const bool is_number = field.kind == Kind::integer || field.kind == Kind::number ||
                           (field.kind == Kind::any && !field.json);
    auto sum = is_number ? incremented(op, stored_of(stored))
                         : Result<write::Stored>(Status::invalid("the field holds no numbers"));
    if (sum && field.kind == Kind::integer && sum->type == StoredValue::Type::real) {
      sum = Status::invalid("the field holds whole numbers");
    }
    if (!sum) throw QueryError(unfit_value(cls_.shown, field.name, sum.message()));
    return bind_of(sum->view());
  }

  // Also before the database looks: a hidden object and an absent one have one answer.
  void check_targets() const {
    for (const auto& [field, value] : pointers_) {
      const bool is_itself =
          cls_.is_create() && field->target_class == cls_.whole.name && is_own_key(value);
      if (is_itself || session_.sees_target(*field, value)) continue;
      throw QueryError(missing_target(cls_.shown, field->name));
    }
  }

  bool is_own_key(const Bind& value) const {
    if (cls_.whole.id_form != IdForm::column) return false;
    const std::string& key = cls_.whole.key_fields.front().column;
    return std::any_of(change_.values.begin(), change_.values.end(), [&](const ColumnValue& one) {
      return one.column == key && same_value(one.value, value);
    });
  }

  void add_times() {
    for (const std::string_view role : kDateRoles) {
      const bool is_set = cls_.is_create() || role == kDateRoles[1];
      const FieldView* const field = cls_.whole.role(role);
      if (!is_set || field == nullptr || field->generated || has(field->column)) continue;
      set(field->column, time_for(*field, session_.now_ms()));
    }
  }

  void add_own() {
    const ClassView& whole = cls_.whole;
    if (const std::string tenant = own_tenant(session_, cls_); !tenant.empty()) {
      set_text(whole.named(whole.model->tenant->field), tenant);
    }
    if (const std::string list = own_access_list(session_, whole); !list.empty()) {
      set_text(whole.named(whole.model->acl->read), list);
      if (whole.model->acl->write != whole.model->acl->read) {
        set_text(whole.named(whole.model->acl->write), list);
      }
    }
    if (whole.id_form != IdForm::column) return;
    const FieldView& key = whole.key_fields.front();
    if (is_made(key) && !has(key.column)) set(key.column, session_.next_id());
  }

  // Null: an internal column, which only the operator's programs write.
  void set_text(const FieldView* field, const std::string& text) {
    if (field == nullptr) return;
    write::Cell cell;
    cell.type = write::Cell::Type::text;
    cell.text = text;
    write::Stored stored;
    const Status converted = write::convert(cell, write::column_of(*field), stored);
    if (!converted) throw QueryError(outside_boundary(cls_.shown));
    set(field->column, bind_of(stored.view()));
  }

  bool has(const std::string& column) const {
    return std::any_of(change_.values.begin(), change_.values.end(),
                       [&](const ColumnValue& one) { return one.column == column; });
  }

  void set(const std::string& column, Bind value) {
    change_.values.push_back({column, std::move(value)});
  }

  Session& session_;
  const WrittenClass& cls_;
  const Place* const place_;
  RowChange change_;
  std::vector<std::pair<const FieldView*, Bind>> pointers_;
};

}  // namespace

RowChange column_change(Session& session, const WrittenClass& cls, const Write& write,
                        const Place* place) {
  return ColumnChange(session, cls, place).run(*write.data);
}

}  // namespace gantry::data
