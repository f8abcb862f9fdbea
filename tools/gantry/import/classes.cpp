#include "tools/gantry/import/classes.hpp"

#include "catalog/column_type.hpp"
#include "store/store.hpp"
#include "view/scope.hpp"
#include "write/class_table.hpp"

namespace gantry::cli::importing {
namespace {

// The class with its pointers as agents read them: those to keys that are dates are dates too.
data::ClassInfo with_key_dates(data::ClassInfo info, const data::CatalogPtr& catalog) {
  const data::Scope scope(catalog);
  const data::ClassView* const view = scope.open(info.name);
  for (data::Field& field : info.fields) {
    const data::FieldView* const read = view == nullptr ? nullptr : view->find(field.name);
    if (read == nullptr || read->key_kind != data::Kind::date) continue;
    field.key_kind = read->key_kind;
    field.date_form = read->date_form;
    field.iso_shape = read->iso_shape;
  }
  return info;
}

}  // namespace

Result<Classes> Classes::read(const std::string& database, const std::string& name) {
  auto store = data::open_store(database);
  if (!store) return store.status();
  auto catalog = (*store)->catalog({});
  if (!catalog) return catalog.status();
  std::map<std::string, data::ClassInfo> by_name;
  for (const data::ClassInfo& declared : (*catalog)->classes()) {
    const data::ClassInfo* sampled = declared.name == name ? (*catalog)->find(name) : nullptr;
    by_name.emplace(data::lower(declared.name),
                    sampled ? with_key_dates(*sampled, *catalog) : declared);
  }
  return Classes(std::move(by_name));
}

Result<std::optional<Table>> Classes::find(const std::string& name) const {
  const auto found = by_name_.find(data::lower(name));
  if (found == by_name_.end()) return std::optional<Table>();
  const data::ClassInfo& info = found->second;
  if (info.name != name) {
    return Status::invalid("the class is called " + info.name + "; say --class " + info.name);
  }
  if (info.type == data::ClassType::view) {
    return Status::invalid(name + " is a view; rows go into the tables that it reads");
  }
  return std::optional(data::write::table_of(info));
}

std::vector<std::string> Classes::resolve_pointers(Table& table) const {
  std::vector<std::string> missing;
  for (Column& column : table.columns) {
    if (column.target.empty() || column.target == table.name) continue;
    const auto found = by_name_.find(data::lower(column.target));
    if (found == by_name_.end()) {
      missing.push_back(column.target);
    } else if (found->second.id_form == data::IdForm::column) {
      const data::Field& key = found->second.fields[found->second.id_fields[0]];
      column.key = key.name;
      column.form = data::write::key_form(key.kind);
    }
  }
  return missing;
}

}  // namespace gantry::cli::importing
