#include "ops/row_printer.hpp"

#include <algorithm>

#include "ops/documents_reply.hpp"
#include "rows/object_id.hpp"
#include "rows/value_writer.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

using Form = ValueReader::Form;

constexpr std::size_t kMostColumns = 2000;  // of one SQLite statement

// As values with these texts are written.
std::string json_text(std::string_view text) {
  std::string json;
  append_value_json(Value::string(std::string(text)), Dress::parse, json);
  return json;
}

std::string pointer_json(const ValueReader::Entry& entry) {
  const std::string name = json_text(entry.target);
  if (entry.form == Form::redacted) return "{\"className\":" + name + ",\"__redacted\":true}";
  return R"({"__type":"Pointer","className":)" + name + R"(,"objectId":)";
}

void append_text(std::string_view text, std::string& out) {
  if (!append_json_string(text, out)) out += json_text(text);
}

}  // namespace

std::string json_key(std::string_view name) {
  std::string json;
  if (!append_json_string(name, json)) json = "\"\"";
  return json + ":";
}

std::optional<RowPrinter> RowPrinter::make(const Scope& scope, const ClassInfo& cls,
                                           Pointers pointers) {
  if (!cls.document.empty()) return std::nullopt;
  // An alias no more; what would look like a pointer.
  for (const std::string_view name : {"_id", "__type"}) {
    if (scope.find_field(cls, name) != nullptr) return std::nullopt;
  }
  ValueReader reader = ValueReader::compile(scope, cls, nullptr);
  if (reader.column_count() > kMostColumns) return std::nullopt;
  return RowPrinter(std::move(reader), pointers);
}

RowPrinter::RowPrinter(ValueReader reader, Pointers pointers)
    : reader_(std::move(reader)), pointers_(pointers) {
  for (std::size_t i = 0; i < reader_.entries().size(); ++i) {
    const ValueReader::Entry& entry = reader_.entries()[i];
    if (entry.form == Form::id && entry.name == "_id") continue;  // an alias, which is left out
    const bool is_instant = entry.name == "createdAt" || entry.name == "updatedAt";
    fields_.push_back({json_key(entry.name), i, is_instant});
    const bool leads = entry.form == Form::pointer || entry.form == Form::redacted;
    if (leads) fields_.back().pointer = pointer_json(entry);
  }
}

bool RowPrinter::has_field(std::string_view name) const {
  const auto& entries = reader_.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const ValueReader::Entry& entry) { return entry.name == name; });
}

bool RowPrinter::append(sqlite3_stmt* statement, std::string& out) {
  out += '{';
  for (Printed& field : fields_) {
    const std::size_t before = out.size();
    if (out.back() != '{') out += ',';
    out += field.key;
    const std::size_t empty = out.size();
    if (!append_field(statement, field, out)) return false;
    if (out.size() == empty) out.resize(before);
  }
  out += '}';
  return true;
}

// Of NULL, and of JSON that may not be shown, nothing is appended.
bool RowPrinter::append_field(sqlite3_stmt* statement, Printed& field, std::string& out) {
  const ValueReader::Entry& entry = reader_.entries()[field.entry];
  if (entry.form == Form::id) return append_text(reader_.id(statement), out), true;
  const StoredValue value = view_column(statement, entry.column);
  if (value.is_null()) return true;
  switch (entry.form) {
    case Form::date:
      field.is_instant ? append_instant(value, entry.date_form, out)
                       : append_date(value, entry.date_form, out);
      return true;
    case Form::boolean:
      return append_boolean(value, out), true;
    case Form::json:
      return append_json(entry, reader_.read(statement, entry), out);
    case Form::pointer:
      return append_pointer(value, field, out), true;
    case Form::redacted:
      return out += field.pointer, true;
    default:
      return append_value(value, out), true;
  }
}

bool RowPrinter::append_json(const ValueReader::Entry& entry, Value value, std::string& out) const {
  if (value.is_missing()) return true;
  Array document{ObjectBuilder().add(entry.name, std::move(value)).build()};
  dress_documents(document, true);
  const Value& dressed = document.front().members().front().value;
  if (pointers_ == Pointers::ids && !pointer_id(dressed).is_missing()) return false;
  append_value_json(dressed, Dress::parse, out);
  return true;
}

void RowPrinter::append_pointer(const StoredValue& value, Printed& field, std::string& out) {
  field.was_pointer = true;
  if (pointers_ == Pointers::objects) out += field.pointer;
  std::string id;
  append_id(value, id);
  append_text(id, out);
  if (pointers_ == Pointers::objects) out += '}';
}

std::map<std::string, std::string> RowPrinter::classes() const {
  std::map<std::string, std::string> classes;
  if (pointers_ == Pointers::objects) return classes;
  for (const Printed& field : fields_) {
    const ValueReader::Entry& entry = reader_.entries()[field.entry];
    if (field.was_pointer) classes.emplace(entry.name, entry.target);
  }
  return classes;
}

}  // namespace gantry::data
