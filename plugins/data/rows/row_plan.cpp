#include "rows/row_plan.hpp"

#include "rows/object_id.hpp"
#include "rows/value_writer.hpp"
#include "values/json_text.hpp"

namespace gantry::data {

RowPlan RowPlan::compile(const Scope& scope, const ClassInfo& cls,
                         const std::vector<const Field*>& fields, std::string_view qualifier) {
  RowPlan plan(ValueReader::compile(scope, cls, fields, qualifier));
  for (const std::string& name : plan.names()) {
    plan.keys_.push_back((plan.keys_.empty() ? "" : ",") + quoted_json(name) + ":");
  }
  return plan;
}

std::size_t RowPlan::append(Row row, std::string& out, const RowOptions& options) const {
  JsonAppender json(out);
  std::size_t counted = 0;
  json.put('{');
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::size_t before = json.size();
    json.put(keys_[i]);
    const std::size_t unwritten = write(row, i, json, options);
    if (options.bytes) (*options.bytes)[i] += json.size() - before + unwritten;
    counted += unwritten;
  }
  json.put('}');
  json.flush();
  return counted;
}

std::size_t RowPlan::write(Row row, std::size_t entry, JsonAppender& out,
                           const RowOptions& options) const {
  const auto& [form, column] = reader_.entries()[entry];
  if (form.is(FieldForm::Type::id)) return reader_.write_id(row, out), 0;
  const StoredValue& value = row[column];
  if (value.bytes.size() > options.longest && !form.is(FieldForm::Type::redacted)) {
    out.put("null");
    return json_bytes(value);
  }
  const bool has_hook = options.pointers && form.is(FieldForm::Type::pointer) && !value.is_null();
  if (has_hook && options.pointers->write(entry, id_text(value), out.text())) return 0;
  form.write(value, out);
  return 0;
}

void RowPlan::append_entry(Row row, std::size_t entry, std::string& out) const {
  JsonAppender json(out);
  write(row, entry, json, {});
  json.flush();
}

FieldForm::Shown RowPlan::append_shown(Row row, std::size_t entry, std::string& out) const {
  const auto& [form, column] = reader_.entries()[entry];
  if (form.is(FieldForm::Type::id)) return append_id(row, out), FieldForm::Shown::text;
  return form.append_shown(row[column], out);
}

}  // namespace gantry::data
