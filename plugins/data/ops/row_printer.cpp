#include "ops/row_printer.hpp"

#include <algorithm>

#include "ops/documents_reply.hpp"
#include "ops/request.hpp"
#include "policy/internal.hpp"
#include "rows/value_writer.hpp"
#include "store/store.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

using Form = ValueReader::Form;

// The text in the form used for values.
std::string json_text(std::string_view text) {
  std::string json;
  append_value_json(Value::string(std::string(text)), JsonDialect::parse, json);
  return json;
}

std::string pointer_json(const ValueReader::Entry& entry) {
  const std::string name = json_text(entry.target);
  if (entry.form == Form::redacted) return redacted_json(name);
  return R"({"__type":"Pointer","className":)" + name + R"(,"objectId":)";
}

}  // namespace

std::string json_key(std::string_view name) {
  std::string json;
  if (!append_json_string(name, json)) json = "\"\"";
  return json + ":";
}

std::shared_ptr<const RowLayout> RowLayout::make(const Scope& scope, const ClassInfo& cls) {
  if (!cls.document.empty()) return nullptr;
  // _id would be the alias, and an object with __type could look like a pointer.
  for (const std::string_view name : {"_id", "__type"}) {
    if (scope.find_field(cls, name) != nullptr) return nullptr;
  }
  RowLayout form{ValueReader::compile(scope, cls, nullptr), {}};
  if (form.reader.column_count() > kMostColumns) return nullptr;
  for (std::size_t i = 0; i < form.reader.entries().size(); ++i) {
    const ValueReader::Entry& entry = form.reader.entries()[i];
    if (entry.form == Form::id && entry.name == "_id") continue;  // the alias, which is left out
    const bool is_instant = entry.name == "createdAt" || entry.name == "updatedAt";
    const bool leads = entry.form == Form::pointer || entry.form == Form::redacted;
    form.fields.push_back({"," + json_key(entry.name), entry.form, entry.date_form, entry.column,
                           is_instant, i, leads ? pointer_json(entry) : std::string()});
  }
  return std::make_shared<const RowLayout>(std::move(form));
}

std::shared_ptr<const RowLayout> RowLayouts::of(const Scope& scope, const ClassInfo& cls) {
  const std::lock_guard held(mutex_);
  if (catalog_ != scope.catalog_ptr()) {
    forms_.clear();
    catalog_ = scope.catalog_ptr();
  }
  const auto [known, is_new] = forms_.try_emplace(&cls);
  if (is_new) known->second = RowLayout::make(scope, cls);
  return known->second;
}

std::shared_ptr<const RowLayout> layout_of(const Request& request, const ClassInfo& cls) {
  const bool may_keep = request.forms != nullptr && request.scope.classes() == nullptr;
  if (may_keep) return request.forms->of(request.scope, cls);
  return RowLayout::make(request.scope, cls);
}

bool RowPrinter::has_field(std::string_view name) const {
  const auto& entries = reader().entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](const ValueReader::Entry& entry) { return entry.name == name; });
}

// NULL, and JSON that must not be shown, writes nothing.
bool RowPrinter::append(Row row, std::string& out) {
  JsonAppender json(out);
  json.put('{');
  bool is_first = true;
  const auto put_key = [&](const std::string& key) {
    json.put(std::string_view(key).substr(is_first ? 1 : 0));
    is_first = false;
  };
  for (std::size_t i = 0; i < form_->fields.size(); ++i) {
    const RowLayout::Field& field = form_->fields[i];
    if (field.form == Form::id) {
      put_key(field.key);
      reader().write_id(row, json);
      continue;
    }
    const StoredValue value = row[field.column];
    if (value.is_null()) continue;
    if (field.form == Form::json) {
      const Value made = json_of(row, reader().entries()[field.entry]);
      if (made.is_missing()) continue;
      if (pointers_ == Pointers::ids && !pointer_id(made).is_missing()) return false;
      put_key(field.key);
      append_value_json(made, JsonDialect::parse, json.text());
      continue;
    }
    put_key(field.key);
    write(value, i, json);
  }
  json.put('}');
  json.flush();
  return true;
}

void RowPrinter::write(const StoredValue& value, std::size_t at, JsonAppender& out) {
  const RowLayout::Field& field = form_->fields[at];
  switch (field.form) {
    case Form::date:
      return field.is_instant ? write_instant(value, field.date_form, out)
                              : write_date(value, field.date_form, out);
    case Form::boolean:
      return write_boolean(value, out);
    case Form::pointer:
      was_pointer_[at] = true;
      if (pointers_ == Pointers::ids) return write_id(value, out);
      out.put(field.pointer);
      write_id(value, out);
      return out.put('}');
    case Form::redacted:
      return out.put(field.pointer);
    default:
      return write_value(value, out);
  }
}

// The value in the form of an answer's documents.
Value RowPrinter::json_of(Row row, const ValueReader::Entry& entry) const {
  Value value = reader().read(row, entry);
  if (value.is_missing()) return value;
  Array document{ObjectBuilder().add(entry.name, std::move(value)).build()};
  apply_dialect(document, true);
  return document.front().members().front().value;
}

std::map<std::string, std::string> RowPrinter::classes() const {
  std::map<std::string, std::string> classes;
  if (pointers_ == Pointers::objects) return classes;
  for (std::size_t i = 0; i < form_->fields.size(); ++i) {
    const ValueReader::Entry& entry = reader().entries()[form_->fields[i].entry];
    if (was_pointer_[i]) classes.emplace(entry.name, entry.target);
  }
  return classes;
}

}  // namespace gantry::data
