#include "rows/class_query.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "catalog/column_type.hpp"
#include "policy/internal.hpp"
#include "rows/document_id.hpp"
#include "rows/document_reader.hpp"
#include "rows/value_reader.hpp"
#include "sql/row_order.hpp"
#include "sql/seen_text.hpp"
#include "sql/select.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"
#include "values/matcher.hpp"

namespace gantry::data {
namespace {

using Form = FieldForm::Type;

StoredValue text_value(std::string_view text) { return {StoredValue::Type::text, 0, 0, text}; }

// A field's value as rows show it.
class ShownField final : public Matcher {
 public:
  explicit ShownField(FieldForm form) : form_(std::move(form)) {}
  bool match(const StoredValue&) const override { return false; }
  StoredValue shown(std::span<const StoredValue> row, std::string& room) const override {
    const auto how = form_.append_shown(row[0], JsonDialect::plain, room);
    const bool is_nothing = how == FieldForm::Shown::nothing || room == "null";
    return is_nothing ? StoredValue() : text_value(room);
  }

 private:
  FieldForm form_;
};

// One of the columns of a document class.
class ShownDocument final : public Matcher {
 public:
  ShownDocument(const ClassView& cls, std::string column)
      : reader_(cls, DocumentReader::Ids::shown), column_(std::move(column)) {}
  bool match(const StoredValue&) const override { return false; }
  StoredValue shown(std::span<const StoredValue> row, std::string& room) const override {
    Value document;
    try {
      document = reader_.read(row);
    } catch (const NoDocument&) {
      return {};
    }
    if (column_ == kDocumentColumn) {
      append_value_json(document, JsonDialect::plain, room);
      return text_value(room);
    }
    return of_member(document.find(column_), room);
  }

 private:
  static StoredValue of_member(const Value& value, std::string& room) {
    if (value.is_nullish()) return {};
    if (value.is_integral()) return {StoredValue::Type::integer, value.integer(), 0, {}};
    room = document_id_text(value);
    return text_value(room);
  }

  DocumentReader reader_;
  std::string column_;
};

// The objectId of a key of several columns.
class ShownKey final : public Matcher {
 public:
  explicit ShownKey(ValueReader reader) : reader_(std::move(reader)) {}
  bool match(const StoredValue&) const override { return false; }
  StoredValue shown(std::span<const StoredValue> row, std::string& room) const override {
    reader_.append_id(row, room);
    return text_value(room);
  }

 private:
  ValueReader reader_;
};

Fragment made_by(std::shared_ptr<const Matcher> matcher, const std::string& columns) {
  Fragment sql{"gantry_shown(", {}};
  return std::move(sql.bind(std::move(matcher)).add(", " + columns + ")"));
}

bool is_made(const FieldView& field) { return field.form.is(Form::json) || is_made_date(field); }

bool is_seen_text(const FieldView& field, const ClassView& cls) {
  return may_hold_json(field, field.form, cls) && !is_assumed_bare(field, cls);
}

Fragment field_sql(const FieldView& field, const ClassView& cls) {
  if (field.redacted) {
    Fragment sql{"CASE WHEN " + field.column + " IS NOT NULL THEN ", {}};
    return std::move(sql.bind(redacted_json(quoted_json(field.target_class))).add(" END"));
  }
  if (is_made(field)) return made_by(std::make_shared<ShownField>(field.form), field.column);
  return is_seen_text(field, cls) ? seen_column(field, field.form) : Fragment{field.column, {}};
}

bool shows_rowid(const ClassView& cls) {
  return cls.id_form == IdForm::rowid && !cls.rowid.empty() && !cls.id_alias().empty();
}

bool is_joined_key(const ClassView& cls, std::string_view column) {
  return cls.id_form == IdForm::composite && !column.empty() && column == cls.id_alias();
}

Fragment joined_key_sql(const ClassView& cls) {
  const auto key = ValueReader::compile(cls, {}, {}, JsonDialect::plain);
  return made_by(std::make_shared<ShownKey>(key), key.select_list());
}

// "AS objectId" gives another column the name.
bool names_column(const std::vector<SqlWord>& words, std::string_view column) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_given = i > 0 && words[i - 1].is_bare("as");
    if (words[i].is_name() && !is_given && same_name(words[i].text, column)) return true;
  }
  return false;
}

Fragment column_sql(const ClassView& cls, const std::string& name) {
  if (cls.is_document()) {
    auto shown = std::make_shared<ShownDocument>(cls, name);
    return made_by(std::move(shown), DocumentReader(cls, DocumentReader::Ids::none).select_list());
  }
  if (is_joined_key(cls, name)) return joined_key_sql(cls);
  const FieldView* const field = sql_field(cls, name);
  return field == nullptr ? Fragment{cls.rowid, {}} : field_sql(*field, cls);
}

}  // namespace

bool is_made_date(const FieldView& field) {
  const FieldForm& form = field.form;
  const bool is_date = form.is(Form::date) || form.is(Form::instant) || form.points_to_date();
  return is_date && field.date_form != DateForm::iso_text && field.date_form != DateForm::none;
}

const FieldView* sql_field(const ClassView& cls, std::string_view column) {
  if (const FieldView* const field = cls.find(column)) return field;
  const bool is_key = column == cls.id_alias() && cls.id_form == IdForm::column;
  return is_key ? cls.find(cls.id_name()) : cls.role(column);
}

std::string_view column_name(const ClassView& cls, std::string_view column) {
  const FieldView* const field = sql_field(cls, column);
  return field == nullptr ? column : std::string_view(field->name);
}

std::vector<std::string> sql_columns(const ClassView& cls, const std::vector<SqlWord>& words) {
  if (cls.is_document()) return {"_id", std::string(kObjectId), std::string(kDocumentColumn)};
  std::vector<std::string> names;
  // No name in quotes without a letter means a column.
  for (const FieldView& field : cls.fields) {
    if (!field.name.empty()) names.push_back(field.name);
  }
  for (const std::string_view other : {cls.id_alias(), kDateRoles[0], kDateRoles[1]}) {
    if (other.empty()) continue;
    const bool is_there = std::any_of(names.begin(), names.end(),
                                      [other](const auto& name) { return same_name(name, other); });
    const bool is_made_id =
        other == cls.id_alias() && (shows_rowid(cls) || is_joined_key(cls, other));
    const bool has_meaning = is_made_id || sql_field(cls, other) != nullptr;
    if (!is_there && has_meaning && names_column(words, other)) names.emplace_back(other);
  }
  return names;
}

Fragment class_query(const ClassView& cls, const std::vector<std::string>& columns,
                     bool is_ordered) {
  Fragment list;
  for (const std::string& name : columns) {
    list.add(list.empty() ? "" : ", ").add(column_sql(cls, name));
  }
  if (list.empty()) list.text = "1";
  if (!is_ordered) return select_rows(cls, list, {});
  Clauses clauses = in_own_order(cls, {});
  for (std::size_t i = 1; i <= columns.size() && own_order(cls).empty(); ++i) {
    clauses.order.add((i == 1 ? "" : ", ") + std::to_string(i) + " COLLATE BINARY");
  }
  return select_rows(cls, list, clauses);
}

bool may_tie_unseen(const ClassView& cls, std::string_view column) {
  const FieldView* const field = sql_field(cls, column);
  if (field == nullptr) return cls.rowid.empty();
  return !field->redacted && affinity_of(field->declared) == Affinity::none;
}

bool is_shown_as_stored(const ClassView& cls, std::string_view column) {
  const FieldView* const field = sql_field(cls, column);
  if (field == nullptr) return column == cls.id_alias() && shows_rowid(cls);
  return !cls.is_document() && !field->redacted && !is_made(*field) &&
         !(is_seen_text(*field, cls) && (field->may_be_json || cls.is_ruled())) &&
         (field->binary_collation || field->numeric_affinity);
}

bool has_made_column(const ClassView& cls, const std::vector<std::string>& columns) {
  return cls.is_document() ||
         std::any_of(columns.begin(), columns.end(), [&cls](const std::string& name) {
           const FieldView* const field = sql_field(cls, name);
           return field != nullptr ? is_made(*field) : is_joined_key(cls, name);
         });
}

}  // namespace gantry::data
