#include "write/class_table.hpp"

#include "catalog/catalog.hpp"
#include "catalog/column_type.hpp"
#include "catalog/own_column.hpp"
#include "catalog/sql_words.hpp"

namespace gantry::data::write {
namespace {

Form form_of_date(DateForm form) {
  switch (form) {
    case DateForm::epoch_millis:
      return Form::date_ms;
    case DateForm::epoch_seconds:
      return Form::date_s;
    case DateForm::julian:
      return Form::date_julian;
    default:
      return Form::date_text;
  }
}

Form form_of(const Field& field, Kind kind) {
  const bool is_any = field.declared == kStrictJson || field.declared == kStrictAnyJson;
  if (is_any && kind == Kind::any) return Form::any_json;
  if (field.json) return Form::json;
  switch (kind) {
    case Kind::string:
      return Form::text;
    case Kind::integer:
      return Form::integer;
    case Kind::number:
      return Form::number;
    case Kind::boolean:
      return Form::boolean;
    case Kind::date:
      return form_of_date(field.date_form);
    case Kind::object:
    case Kind::array:
      return Form::json;
    case Kind::bytes:
      return Form::bytes;
    default:
      return Form::any;
  }
}

// New classes have columns of these forms only.
Kind kind_of(Form form) {
  switch (form) {
    case Form::integer:
      return Kind::integer;
    case Form::number:
      return Kind::number;
    case Form::boolean:
      return Kind::boolean;
    case Form::date_ms:
      return Kind::date;
    case Form::json:
    case Form::any_json:
      return Kind::object;
    case Form::bytes:
      return Kind::bytes;
    default:
      return Kind::string;
  }
}

// Of a pointer whose key is no date. A column that leaves the type open holds what the key holds,
// which may be texts beside the integers that it is declared for.
Form pointer_form(const Field& field) {
  if (field.native != Kind::any) return key_form(field.native);
  return field.key_kind == Kind::integer ? Form::number : key_form(field.key_kind);
}

}  // namespace

Column column_of(const Field& field) {
  Column column{.name = field.name, .form = form_of(field, field.kind)};
  column.shape = field.iso_shape;
  const bool is_numeric = field.numeric_affinity && field.storage != Kind::string;
  if (is_numeric) column.numeric_type = field.declared;
  if (field.kind == Kind::pointer) {
    column.target = field.target_class;
    const bool is_date = field.key_kind == Kind::date;
    column.form = is_date ? form_of_date(field.date_form) : pointer_form(field);
  }
  return column;
}

namespace {

// Adds names that a file's fields may use for columns of another name.
void add_aliases(Table& table) {
  const auto has = [&](const char* name) { return table.by_field.count(lower(name)) != 0; };
  if (table.id) {
    const bool is_ours = table.columns[*table.id].name == "objectId";
    if (!has("objectId")) table.by_field.emplace("objectId", *table.id);
    if (!has("_id")) table.by_field.emplace("_id", *table.id);
    if (is_ours && !has("id")) table.by_field.emplace("id", *table.id);
  }
  const auto readers = table.by_field.find("_rperm"), writers = table.by_field.find("_wperm");
  if (has("ACL") || readers == table.by_field.end() || writers == table.by_field.end()) return;
  table.readers = readers->second;
  table.writers = writers->second;
}

// Only a column of exactly this name in milliseconds gets the time of the import; other columns may
// mean something else.
std::optional<std::size_t> own_time(const Table& table, const char* name) {
  const auto found = table.by_field.find(lower(name));
  if (found == table.by_field.end()) return std::nullopt;
  const Column& column = table.columns[found->second];
  return column.name == name && column.form == Form::date_ms ? std::optional(found->second)
                                                             : std::nullopt;
}

Table table_of_documents(const ClassInfo& info, Table table) {
  table.document = sql_words(info.document).front().text;
  table.by_field.emplace(lower(table.document), 0);
  table.columns.push_back({.name = table.document, .form = Form::json});
  return table;
}

}  // namespace

Table table_of(const ClassInfo& info) {
  Table table;
  table.name = info.name;
  if (!info.document.empty()) return table_of_documents(info, std::move(table));
  std::vector<std::size_t> places(info.fields.size());
  for (std::size_t i = 0; i < info.fields.size(); ++i) {
    if (info.fields[i].generated) continue;
    places[i] = table.columns.size();
    table.by_field.emplace(lower(info.fields[i].name), table.columns.size());
    table.columns.push_back(column_of(info.fields[i]));
  }
  if (info.id_form == IdForm::column && !info.fields[info.id_fields[0]].generated) {
    table.id = places[info.id_fields[0]];
    table.makes_ids = table.columns[*table.id].form == Form::text;
  }
  table.created = own_time(table, "createdAt");
  table.updated = own_time(table, "updatedAt");
  add_aliases(table);
  return table;
}

NewClass new_class(const Table& table) {
  NewClass made{table.name, {}, "", !table.document.empty()};
  for (const Column& column : table.columns) {
    made.fields.push_back({column.name, kind_of(column.form), column.target, column.key});
  }
  if (table.id) made.id_field = table.columns[*table.id].name;
  return made;
}

Form key_form(Kind key) {
  switch (key) {
    case Kind::integer:
      return Form::integer;
    case Kind::number:
      return Form::number;
    case Kind::bytes:
      return Form::bytes;
    case Kind::any:
      return Form::any;
    default:
      return Form::text;
  }
}

}  // namespace gantry::data::write
