#include "ops/row_printer.hpp"

#include <algorithm>

#include "ops/documents_reply.hpp"
#include "ops/request.hpp"
#include "rows/value_writer.hpp"
#include "store/store.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
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
    const std::string& name = form.reader.names()[i];
    if (name != "_id") form.fields.push_back({"," + json_key(name), i});  // the alias
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
  const auto& names = reader().names();
  return std::find(names.begin(), names.end(), name) != names.end();
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
    const auto& [key, at] = form_->fields[i];
    const auto& [form, column] = reader().entries()[at];
    if (form.is(FieldForm::Type::id)) {
      put_key(key);
      reader().write_id(row, json);
      continue;
    }
    const StoredValue& value = row[column];
    if (value.is_null()) continue;
    if (form.is(FieldForm::Type::json)) {
      const Value made = json_of(row, at);
      if (made.is_missing()) continue;
      if (pointers_ == Pointers::ids && !pointer_id(made).is_missing()) return false;
      put_key(key);
      append_value_json(made, JsonDialect::parse, json.text());
      continue;
    }
    put_key(key);
    if (pointers_ == Pointers::ids && form.is(FieldForm::Type::pointer)) {
      was_pointer_[i] = true;
      write_id(value, json);
    } else {
      form.write(value, json);
    }
  }
  json.put('}');
  json.flush();
  return true;
}

// The value in the form of an answer's documents.
Value RowPrinter::json_of(Row row, std::size_t entry) const {
  Value value = reader().read(row, entry);
  if (value.is_missing()) return value;
  Array document{ObjectBuilder().add(reader().names()[entry], std::move(value)).build()};
  apply_dialect(document, true);
  return document.front().members().front().value;
}

std::map<std::string, std::string> RowPrinter::classes() const {
  std::map<std::string, std::string> classes;
  if (pointers_ == Pointers::objects) return classes;
  for (std::size_t i = 0; i < form_->fields.size(); ++i) {
    const std::size_t entry = form_->fields[i].entry;
    if (!was_pointer_[i]) continue;
    classes.emplace(reader().names()[entry], reader().entries()[entry].form.target());
  }
  return classes;
}

}  // namespace gantry::data
