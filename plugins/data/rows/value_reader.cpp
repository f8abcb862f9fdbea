#include "rows/value_reader.hpp"

#include <algorithm>

namespace gantry::data {

// The root fields of the requested paths.
class ValueReader::Subset {
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

void ValueReader::add_id(const ClassView& cls, std::string_view name) {
  if (id_columns_.empty()) {
    if (cls.id_form == IdForm::rowid) id_columns_.push_back(select(cls.rowid));
    for (const auto i : cls.id_fields) id_columns_.push_back(select(cls.fields[i].column));
  }
  add(name, FieldForm::id(), columns_[id_columns_.front()]);
}

void ValueReader::add_common(const ClassView& cls, const Subset& wanted) {
  if (cls.id_form != IdForm::none && wanted.has("objectId")) add_id(cls, "objectId");
  for (const std::string_view name : kDateRoles) {
    const FieldView* const field = wanted.has(name) ? cls.role(name) : nullptr;
    if (field != nullptr) add(name, FieldForm::role(*field), field->column);
  }
}

// A statement needs a column.
void ValueReader::finish() {
  if (columns_.empty()) columns_.emplace_back(select_list_ = "1");
}

ValueReader ValueReader::compile(const ClassView& cls, const std::set<std::string>* paths) {
  const Subset wanted(paths);
  ValueReader reader;
  reader.has_alias_ =
      cls.id_form != IdForm::none && wanted.has("_id") && cls.find("_id") == nullptr;
  if (reader.has_alias_) reader.add_id(cls, "_id");
  reader.add_common(cls, wanted);
  for (const FieldView& field : cls.fields) {
    if (wanted.has(field.name)) reader.add(field.name, field.form, field.column);
  }
  reader.finish();
  return reader;
}

ValueReader ValueReader::compile(const ClassView& cls,
                                 const std::vector<const FieldView*>& fields) {
  ValueReader reader;
  const std::size_t most = fields.size() + cls.id_fields.size() + 4;
  constexpr std::size_t kColumn = 16;
  reader.select_list_.reserve(most * kColumn);
  reader.columns_.reserve(most);
  reader.names_.reserve(most);
  reader.entries_.reserve(most);
  reader.add_common(cls, Subset(nullptr));
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
