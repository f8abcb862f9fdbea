#include "rows/row_printer.hpp"

#include <utility>

#include "values/extended_json.hpp"
#include "values/json_text.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {
namespace {

// Writes the value of a column, or lets the hook write a pointer.
void write_by(const FieldForm& form, std::size_t entry, const StoredValue& value,
              JsonDialect dialect, JsonAppender& out, PointerHook* hook) {
  const bool has_hook = hook != nullptr && form.is(FieldForm::Type::pointer) && !value.is_null();
  if (!has_hook || !hook->write(entry, value, out)) form.write(value, dialect, out);
}

}  // namespace

RowPrinter::RowPrinter(ValueReader reader, JsonDialect form)
    : reader_(std::move(reader)), form_(form) {
  keys_.reserve(names().size());
  for (const std::string& name : names()) keys_.push_back("," + quoted_json(name) + ":");
}

std::size_t RowPrinter::append(Row row, std::string& out, const RowOptions& options) const {
  JsonAppender json(out);
  std::size_t counted = 0;
  json.put('{');
  std::size_t comma = 1;  // the first key is written without it
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const auto& [form, column] = reader_.entries()[i];
    const bool is_left_out =
        !options.with_nulls && row[column].is_null() && !form.is(FieldForm::Type::id);
    if (is_left_out) continue;
    const std::size_t before = json.size();
    json.put(std::string_view(keys_[i]).substr(std::exchange(comma, 0)));
    const std::size_t unwritten = write(row, i, json, options);
    if (options.bytes) (*options.bytes)[i] += json.size() - before + unwritten;
    counted += unwritten;
  }
  json.put('}');
  json.flush();
  return counted;
}

void RowPrinter::append_document(Row row, std::string& out) const {
  out += '{';
  JsonAppender json(out);
  std::size_t comma = 1;  // the first key is written without it
  const auto put_key = [&](std::size_t entry) {
    json.put(std::string_view(keys_[entry]).substr(std::exchange(comma, 0)));
  };
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const auto& [form, column] = reader_.entries()[i];
    if (form.is(FieldForm::Type::id)) {
      put_key(i);
      reader_.write_id(row, json);
      continue;
    }
    const StoredValue& value = row[column];
    if (value.is_null()) continue;
    if (!form.is(FieldForm::Type::json)) {
      put_key(i);
      form.write(value, form_, json);
      continue;
    }
    const Value made = reader_.read(row, i);
    if (made.is_missing()) continue;
    put_key(i);
    append_value_json(made, form_, json.text());
  }
  json.put('}');
  json.flush();
}

std::size_t RowPrinter::write(Row row, std::size_t entry, JsonAppender& out,
                              const RowOptions& options) const {
  const auto& [form, column] = reader_.entries()[entry];
  if (form.is(FieldForm::Type::id)) return reader_.write_id(row, out), 0;
  const StoredValue& value = row[column];
  if (value.bytes.size() > options.longest && !form.is(FieldForm::Type::redacted)) {
    out.put("null");
    return json_bytes(value);
  }
  write_by(form, entry, value, form_, out, options.pointers);
  return 0;
}

}  // namespace gantry::data
