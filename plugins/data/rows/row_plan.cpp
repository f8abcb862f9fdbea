#include "rows/row_plan.hpp"

#include <algorithm>
#include <cmath>

#include "policy/internal.hpp"
#include "rows/object_id.hpp"
#include "rows/value_writer.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

std::string json_string(std::string_view text) {
  std::string json;
  if (!append_json_string(text, json)) json = "\"?\"";  // a schema name that is not UTF-8
  return json;
}

// Appends dates as ISO text, other texts and numbers unchanged. Returns false and appends nothing
// if the value must be written as JSON.
bool append_bare(const StoredValue& value, DateForm form, std::string& out) {
  if (const auto instant = instant_of(value, form)) return append_iso_date(*instant, out), true;
  if (value.type == StoredValue::Type::integer)
    return append_json_integer(value.integer, out), true;
  const bool is_number = value.type == StoredValue::Type::real && std::isfinite(value.real);
  if (is_number) return append_json_double(value.real, out), true;
  const bool is_text = value.is_text() && is_utf8(value.bytes);
  if (is_text) out += value.bytes;
  return is_text;
}

}  // namespace

void RowPlan::reserve(std::size_t entries) {
  constexpr std::size_t kColumn = 16;
  select_list_.reserve(entries * (qualifier_.size() + kColumn));
  columns_.reserve(entries);
  names_.reserve(entries);
  entries_.reserve(entries);
}

bool RowPlan::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::size_t RowPlan::select(const std::string& column) {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
  columns_.push_back(column);
  if (!select_list_.empty()) select_list_ += ',';
  select_list_.append(qualifier_).append(column);
  return columns_.size() - 1;
}

void RowPlan::add(std::string_view name, Entry entry, const std::string& column) {
  if (has(name)) return;
  entry.key.reserve(name.size() + sizeof(",\"\":"));
  if (!entries_.empty()) entry.key += ',';
  if (!append_json_string(name, entry.key)) entry.key += "\"?\"";  // a name that is not UTF-8
  entry.key += ':';
  entry.column = select(column);
  names_.emplace_back(name);
  entries_.push_back(std::move(entry));
}

void RowPlan::add_id(const ClassInfo& cls) {
  if (cls.id_form == IdForm::none) return;
  if (cls.id_form == IdForm::rowid) id_columns_.push_back(select(cls.rowid));
  for (const auto i : cls.id_fields) id_columns_.push_back(select(cls.fields[i].column));
  Entry entry;
  entry.writer = Writer::id;
  add("objectId", std::move(entry), columns_[id_columns_[0]]);
}

RowPlan::Entry RowPlan::entry_for(const Scope& scope, const Field& field) {
  Entry entry;
  entry.form = field.date_form;
  if (field.kind == Kind::pointer) {
    const bool hidden = scope.redacts(field);
    const std::string name = json_string(field.target_class);
    entry.writer = hidden ? Writer::redacted : Writer::pointer;
    entry.prefix = hidden ? redacted_json(name)
                          : "{\"__type\":\"Pointer\",\"className\":" + name + ",\"objectId\":";
  } else if (field.json) {
    entry.writer = Writer::json;
  } else if (field.kind == Kind::date) {
    entry.writer = Writer::date;
  } else if (field.kind == Kind::boolean) {
    entry.writer = Writer::boolean;
  }
  return entry;
}

RowPlan RowPlan::compile(const Scope& scope, const ClassInfo& cls,
                         const std::vector<const Field*>& fields, std::string_view qualifier) {
  RowPlan plan;
  plan.qualifier_ = qualifier;
  plan.classes_ = scope.classes();
  plan.reserve(fields.size() + cls.id_fields.size() + 4);
  plan.add_id(cls);
  const auto add_instant = [&](std::string_view name, std::optional<std::size_t> position) {
    if (!position) return;
    Entry entry;
    entry.writer = Writer::instant;
    entry.form = cls.fields[*position].date_form;
    plan.add(name, std::move(entry), cls.fields[*position].column);
  };
  add_instant("createdAt", cls.created_at);
  add_instant("updatedAt", cls.updated_at);
  for (const Field* field : fields) {
    plan.add(field->name, entry_for(scope, *field), field->column);
  }
  if (plan.columns_.empty()) plan.select("1"), plan.select_list_ = "1";
  return plan;
}

std::size_t RowPlan::append(Row row, std::string& out, const RowOptions& options) const {
  JsonAppender json(out);
  std::size_t counted = 0;
  json.put('{');
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::size_t before = json.size();
    json.put(entries_[i].key);
    const std::size_t unwritten = write(entries_[i], i, row, json, options);
    if (options.bytes) (*options.bytes)[i] += json.size() - before + unwritten;
    counted += unwritten;
  }
  json.put('}');
  json.flush();
  return counted;
}

std::size_t RowPlan::write(const Entry& entry, std::size_t position, Row row, JsonAppender& out,
                           const RowOptions& options) const {
  if (entry.writer == Writer::id) return write_own_id(row, out), 0;
  const StoredValue value = row[entry.column];
  if (value.bytes.size() > options.longest && entry.writer != Writer::redacted) {
    out.put("null");
    return json_bytes(value);
  }
  write_as(entry, position, value, out, options.pointers);
  return 0;
}

void RowPlan::write_as(const Entry& entry, std::size_t position, const StoredValue& value,
                       JsonAppender& out, PointerHook* hook) const {
  switch (entry.writer) {
    case Writer::instant:
      return write_instant(value, entry.form, out);
    case Writer::date:
      return write_date(value, entry.form, out);
    case Writer::boolean:
      return write_boolean(value, out);
    case Writer::json:
      return write_json(value, classes_.get(), out);
    case Writer::pointer:
      return write_pointer(entry, position, value, out, hook);
    case Writer::redacted:
      return out.put(value.is_null() ? std::string_view("null") : entry.prefix);
    default:
      return write_value(value, out);
  }
}

void RowPlan::write_pointer(const Entry& entry, std::size_t position, const StoredValue& value,
                            JsonAppender& out, PointerHook* hook) const {
  if (value.is_null()) return out.put("null");
  if (hook) {
    std::string id;
    gantry::data::append_id(value, id);
    if (hook->write(position, id, out.text())) return;
  }
  out.put(entry.prefix);
  write_id(value, out);
  out.put('}');
}

void RowPlan::append_entry(Row row, std::size_t entry, std::string& out) const {
  JsonAppender json(out);
  write(entries_[entry], entry, row, json, {});
  json.flush();
}

RowPlan::Shown RowPlan::append_shown(Row row, std::size_t position, std::string& out) const {
  const Entry& entry = entries_[position];
  if (entry.writer == Writer::id) return append_id(row, out), Shown::text;
  const StoredValue value = row[entry.column];
  if (value.is_null()) return Shown::nothing;
  if (entry.writer == Writer::pointer) return gantry::data::append_id(value, out), Shown::text;
  const bool has_instants = entry.writer == Writer::instant || entry.writer == Writer::date;
  if (has_instants || entry.writer == Writer::plain) {
    if (append_bare(value, has_instants ? entry.form : DateForm::none, out)) return Shown::text;
  }
  append_entry(row, position, out);
  return Shown::json;
}

void RowPlan::append_id(Row row, std::string& out) const {
  if (id_columns_.size() == 1) {
    return gantry::data::append_id(row[id_columns_[0]], out);
  }
  for (std::size_t i = 0; i < id_columns_.size(); ++i) {
    if (i != 0) out += ',';
    append_id_part(row[id_columns_[i]], out);
  }
}

void RowPlan::write_own_id(Row row, JsonAppender& out) const {
  if (id_columns_.size() == 1) return write_id(row[id_columns_[0]], out);
  std::string id;
  append_id(row, id);
  out.string(id);
}

}  // namespace gantry::data
