#include "rows/value_reader.hpp"

#include <algorithm>

#include "policy/internal.hpp"
#include "rows/object_id.hpp"
#include "rows/value_writer.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

// The root fields of the requested paths.
class FieldSubset {
 public:
  explicit FieldSubset(const std::set<std::string>* paths) : all_(paths == nullptr) {
    if (all_) return;
    for (const std::string& path : *paths) {
      if (path.empty()) all_ = true;
      roots_.insert(path.substr(0, path.find('.')));
    }
  }
  bool has(std::string_view name) const { return all_ || roots_.count(name) > 0; }

 private:
  bool all_;
  std::set<std::string, std::less<>> roots_;
};

Value text_value(std::string_view text) {
  return is_utf8(text) ? Value::string(std::string(text)) : Value::bytes(std::string(text));
}

Value plain_value(const StoredValue& value) {
  switch (value.type) {
    case StoredValue::Type::null:
      break;
    case StoredValue::Type::integer:
      return Value::integer(value.integer);
    case StoredValue::Type::real:
      return Value::real(value.real);
    case StoredValue::Type::text:
      return text_value(value.bytes);
    case StoredValue::Type::blob:
      return Value::bytes(std::string(value.bytes));
  }
  return {};
}

Value date_value(const StoredValue& value, DateForm form) {
  const auto instant = instant_of(value, form);
  return instant ? Value::date(*instant) : plain_value(value);
}

Value boolean_value(const StoredValue& value) {
  const bool bit = value.type == StoredValue::Type::integer && (value.integer & ~1) == 0;
  return bit ? Value::boolean(value.integer != 0) : plain_value(value);
}

Value json_value(const StoredValue& value, const ClassFilter* classes) {
  const auto plain = [&value] {
    return may_name_internal(value.bytes) ? Value() : plain_value(value);
  };
  if (!value.is_text()) return plain();
  auto read = read_extended(value.bytes, {.parse_types = true, .keep_first_duplicate = true});
  if (!read) return plain();
  drop_internal(*read, classes);
  return std::move(*read);
}

Value pointer_value(const StoredValue& value, const std::string& target) {
  std::string id;
  append_id(value, id);
  return ObjectBuilder()
      .add("__type", Value::string("Pointer"))
      .add("className", Value::string(target))
      .add("objectId", Value::string(std::move(id)))
      .build();
}

}  // namespace

std::size_t ValueReader::select(const std::string& column) {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
  columns_.push_back(column);
  if (!select_list_.empty()) select_list_ += ',';
  select_list_ += column;
  return columns_.size() - 1;
}

void ValueReader::add(std::string_view name, Form form, const Field& field) {
  const auto same = [&](const Entry& entry) { return entry.name == name; };
  if (std::any_of(entries_.begin(), entries_.end(), same)) return;
  entries_.push_back(
      {std::string(name), form, field.date_form, select(field.column), field.target_class});
}

void ValueReader::add_id(const ClassInfo& cls, std::string_view name) {
  if (id_columns_.empty()) {
    if (cls.id_form == IdForm::rowid) id_columns_.push_back(select(cls.rowid));
    for (const auto i : cls.id_fields) id_columns_.push_back(select(cls.fields[i].column));
  }
  entries_.push_back({std::string(name), Form::id, DateForm::none, 0, {}});
}

ValueReader ValueReader::compile(const Scope& scope, const ClassInfo& cls,
                                 const std::set<std::string>* paths) {
  const FieldSubset wanted(paths);
  ValueReader reader;
  reader.classes_ = scope.classes();
  if (cls.id_form != IdForm::none) {
    if (wanted.has("_id") && scope.find_field(cls, "_id") == nullptr) reader.add_id(cls, "_id");
    if (wanted.has("objectId")) reader.add_id(cls, "objectId");
  }
  const auto add_instant = [&](std::string_view name, std::optional<std::size_t> at) {
    if (at && wanted.has(name)) reader.add(name, Form::date, cls.fields[*at]);
  };
  add_instant("createdAt", cls.created_at);
  add_instant("updatedAt", cls.updated_at);
  for (const Field* field : scope.visible_fields(cls)) {
    if (!wanted.has(field->name)) continue;
    Form form = Form::plain;
    if (field->kind == Kind::pointer) {
      form = scope.redacts(*field) ? Form::redacted : Form::pointer;
    } else if (field->json) {
      form = Form::json;
    } else if (field->kind == Kind::date) {
      form = Form::date;
    } else if (field->kind == Kind::boolean) {
      form = Form::boolean;
    }
    reader.add(field->name, form, *field);
  }
  if (reader.columns_.empty()) reader.select("1");
  return reader;
}

std::string ValueReader::id(Row row) const {
  std::string id;
  if (id_columns_.size() == 1) {
    append_id(row[id_columns_.front()], id);
  } else {
    for (const std::size_t column : id_columns_) {
      if (column != id_columns_.front()) id += ',';
      append_id_part(row[column], id);
    }
  }
  return id;
}

Value ValueReader::value_of(const Entry& entry, const StoredValue& value) const {
  if (value.is_null()) return {};
  switch (entry.form) {
    case Form::date:
      return date_value(value, entry.date_form);
    case Form::boolean:
      return boolean_value(value);
    case Form::json:
      return json_value(value, classes_.get());
    case Form::pointer:
      return pointer_value(value, entry.target);
    case Form::redacted:
      return redacted_pointer(entry.target);
    default:
      return plain_value(value);
  }
}

Value ValueReader::read(Row row) const {
  Members members;
  members.reserve(entries_.size());
  Value own;
  for (const Entry& entry : entries_) {
    if (entry.form == Form::id && own.is_missing()) own = Value::string(id(row));
    Value value = entry.form == Form::id ? own : value_of(entry, row[entry.column]);
    if (!value.is_missing()) members.push_back({entry.name, std::move(value)});
  }
  return ObjectBuilder(std::move(members)).build();
}

Value ValueReader::read(Row row, const Entry& entry) const {
  if (entry.form == Form::id) return Value::string(id(row));
  return value_of(entry, row[entry.column]);
}

void ValueReader::write_id(Row row, JsonAppender& out) const {
  if (id_columns_.size() == 1) return gantry::data::write_id(row[id_columns_.front()], out);
  out.string(id(row));
}

}  // namespace gantry::data
