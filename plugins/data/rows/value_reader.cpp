#include "rows/value_reader.hpp"

#include <algorithm>

namespace gantry::data {

namespace {

// The root fields of the requested paths.
class Subset {
 public:
  explicit Subset(const std::set<std::string>* paths) : all_(paths == nullptr) {
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

}  // namespace

std::size_t ValueReader::select(const std::string& column) {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
  columns_.push_back(column);
  if (!select_list_.empty()) select_list_ += ',';
  select_list_ += column;
  return columns_.size() - 1;
}

void ValueReader::add(std::string_view name, FieldForm form, const std::string& column) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) return;
  names_.emplace_back(name);
  entries_.push_back({std::move(form), select(column)});
}

void ValueReader::select_id(const ClassView& cls) {
  if (!id_columns_.empty()) return;
  if (cls.id_form == IdForm::rowid) id_columns_.push_back(select(cls.rowid));
  for (const FieldView& part : cls.key_fields) id_columns_.push_back(select(part.column));
}

void ValueReader::add_id(const ClassView& cls, JsonDialect form) {
  if (cls.id_form == IdForm::none || cls.id_alias().empty()) return;
  select_id(cls);
  const std::string& first = columns_[id_columns_.front()];
  if (form == JsonDialect::parse || cls.id_form == IdForm::composite) {
    return add(cls.id_alias(), FieldForm::id(), first);
  }
  const bool is_rowid = cls.id_form == IdForm::rowid;
  add(cls.id_alias(), is_rowid ? FieldForm::plain() : cls.key_fields.front().form, first);
}

void ValueReader::add_common(const ClassView& cls, std::string_view name, JsonDialect form) {
  if (name == cls.id_alias()) return add_id(cls, form);
  const FieldView* const field = cls.role(name);
  if (field == nullptr) return;
  add(name, form == JsonDialect::parse ? field->form.as_role() : field->form, field->column);
}

// A statement needs a column.
void ValueReader::finish() {
  if (columns_.empty()) columns_.emplace_back(select_list_ = "1");
}

ValueReader ValueReader::compile(const ClassView& cls, const std::set<std::string>* paths) {
  const Subset wanted(paths);
  ValueReader reader;
  if (cls.id_name() == cls.id_alias() && wanted.has(cls.id_name())) {
    reader.add_id(cls, JsonDialect::plain);
  }
  for (const FieldView& field : cls.fields) {
    if (wanted.has(field.name)) reader.add(field.name, field.form, field.column);
  }
  reader.finish();
  return reader;
}

ValueReader ValueReader::compile(const ClassView& cls, const std::vector<std::string_view>& common,
                                 const std::vector<const FieldView*>& fields, JsonDialect form) {
  ValueReader reader;
  const std::size_t most = fields.size() + cls.key_fields.size() + 4;
  constexpr std::size_t kColumn = 16;
  reader.select_list_.reserve(most * kColumn);
  reader.columns_.reserve(most);
  reader.names_.reserve(most);
  reader.entries_.reserve(most);
  reader.select_id(cls);
  for (const std::string_view name : common) reader.add_common(cls, name, form);
  for (const FieldView* field : fields) reader.add(field->name, field->form, field->column);
  reader.finish();
  return reader;
}

Value ValueReader::read(Row row) const {
  Members members;
  members.reserve(entries_.size());
  Value own;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const FieldForm& form = entries_[i].form;
    const bool is_id = form.is(FieldForm::Type::id);
    if (is_id && own.is_missing()) own = Value::string(id(row));
    Value value = is_id ? own : form.value(row[entries_[i].column]);
    if (!value.is_missing()) members.push_back({names_[i], std::move(value)});
  }
  return ObjectBuilder(std::move(members)).build();
}

Value ValueReader::read(Row row, std::size_t entry) const {
  const auto& [form, column] = entries_[entry];
  return form.is(FieldForm::Type::id) ? Value::string(id(row)) : form.value(row[column]);
}

std::string ValueReader::id(Row row) const {
  std::string id;
  append_id(row, id);
  return id;
}

void ValueReader::write_id(Row row, JsonAppender& out) const {
  if (id_columns_.size() == 1) return gantry::data::write_id(row[id_columns_.front()], out);
  out.string(id(row));
}

}  // namespace gantry::data
