#include "ops/sql/sql_rows.hpp"

#include <algorithm>
#include <cmath>

#include "errors/query_error.hpp"
#include "rows/class_query.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {
namespace {

// A longer text is no place to go on from.
constexpr std::size_t kMostKeyBytes = std::size_t{4} << 10U;

using Form = FieldForm::Type;

// Booleans, JSON, texts that may be JSON and redacted pointers have a form of their own.
bool has_own_form(const FieldView& field) {
  return field.form.is(Form::plain) || field.form.is(Form::boolean) || field.form.is(Form::json) ||
         field.form.is(Form::redacted) || field.form.is(Form::date);
}

SqlColumn column_of(const StatementShape::Column& column, const SqlStatement& statement) {
  const auto& classes = statement.classes;
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const ClassView* cls) { return cls->name == column.cls; });
  if (found == classes.end()) return {};
  if ((*found)->is_open()) return {nullptr, column.field == kDocumentColumn ? *found : nullptr};
  const FieldView* const field = sql_field(**found, column.field);
  return {field != nullptr && has_own_form(*field) ? field : nullptr, nullptr};
}

std::string cell_json(const SqlColumn& column, const StoredValue& value) {
  std::string json;
  JsonAppender out(json);
  column.write(value, out);
  out.flush();
  return json;
}

// The value as JSON that is read back as the same value; empty: there is none.
std::string exact_json(const StoredValue& value) {
  using Type = StoredValue::Type;
  const bool is_finite = value.type != Type::real || std::isfinite(value.real);
  if (value.type == Type::blob || !is_finite || value.bytes.size() > kMostKeyBytes) return {};
  std::string json = cell_json({}, value);
  // Text that is no UTF-8 is shown as bytes.
  return json.starts_with('{') ? std::string() : json;
}

}  // namespace

void SqlColumn::write(const StoredValue& value, JsonAppender& out) const {
  if (document != nullptr) {
    return write_json(value, document->classes.get(), JsonDialect::plain, out);
  }
  if (field == nullptr) return write_value(value, JsonDialect::plain, out);
  if (!field->form.is(Form::date)) return field->form.write(value, JsonDialect::plain, out);
  std::string room;
  StoredValue as_stored = value;  // SQL compares dates as they are stored, and so they are shown
  as_stored.bytes = field->form.seen(value.bytes, room);
  write_value(as_stored, JsonDialect::plain, out);
}

SqlReader::SqlReader(const SqlStatement& statement, std::size_t room)
    : pages_(statement.known->pages), room_(room) {
  for (const auto& column : statement.known->shape.columns) {
    columns_.push_back(column_of(column, statement));
  }
}

SqlRows SqlReader::read(Cursor& cursor, std::size_t limit) const {
  SqlRows rows;
  Kept last;
  while (cursor.next()) {
    const Row row = cursor.row();
    rows.has_more = rows.count == limit;
    if (rows.has_more || !add(row, rows)) {
      rows.last_keys = keys_of(last);
      return rows;
    }
    keep(row, last);
  }
  check_end(cursor);
  return rows;
}

bool SqlReader::add(Row row, SqlRows& rows) const {
  if (row.size() != columns_.size()) throw QueryError("The statement changed while it ran.");
  const std::size_t before = rows.text.size();
  {
    JsonAppender out(rows.text);
    if (rows.count != 0) out.put(',');
    out.put('[');
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) out.put(',');
      columns_[i].write(row[i], out);
    }
    out.put(']');
    out.flush();
  }
  rows.is_large = rows.text.size() > room_;
  if (rows.is_large) return rows.text.resize(before), false;
  ++rows.count;
  return true;
}

// The bytes of a value are the cursor's.
void SqlReader::keep(Row row, Kept& last) const {
  last.resize(pages_.keys.size());
  for (std::size_t i = 0; i < last.size(); ++i) {
    auto& [value, bytes] = last[i];
    value = row[pages_.keys[i].column];
    bytes.assign(value.bytes.substr(0, kMostKeyBytes + 1));
    value.bytes = bytes;
  }
}

// What the answer does not show as it is may not be told by another part of it.
std::string SqlReader::keys_of(const Kept& last) const {
  std::string list;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const PageKey& key = pages_.keys[i];
    const StoredValue& value = last[i].first;
    const std::string json = exact_json(value);
    const std::string shown = cell_json(columns_[key.column], value);
    const bool is_shown = shown == json || (is_bit(value) && (shown == "true" || shown == "false"));
    const bool repeats = key.identifies && value.type == StoredValue::Type::null;
    if (json.empty() || !is_shown || repeats) return {};
    list += (list.empty() ? "[" : ",") + json;
  }
  return list.empty() ? list : list + "]";
}

}  // namespace gantry::data
