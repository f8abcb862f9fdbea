#include "view/class_view.hpp"

#include <algorithm>
#include <utility>

#include "catalog/catalog.hpp"
#include "catalog/floor.hpp"
#include "policy/rules.hpp"

namespace gantry::data {
namespace {

Field with_json(Field field) {
  field.json = field.json || field.kind == Kind::object || field.kind == Kind::array;
  return field;
}

bool is_redacted(const Field& field, const Catalog& catalog, const Rules& rules) {
  return field.kind == Kind::pointer &&
         (!rules.shows_class(field.target_class) || !catalog.declares(field.target_class));
}

}  // namespace

FieldView::FieldView(const Field& field, bool is_redacted, ClassFilterPtr classes)
    : Field(with_json(field)),
      redacted(is_redacted),
      form(*this, is_redacted, std::move(classes)) {}

ClassView::ClassView(const ClassInfo& cls, const Catalog& catalog, const Rules& rules)
    : name(cls.name),
      type(cls.type),
      id_form(cls.id_form),
      rowid(cls.rowid),
      estimated_rows(cls.estimated_rows),
      allow_collscan(cls.allow_collscan),
      without_rowid(cls.without_rowid),
      order_tells(cls.order_tells),
      model(cls.rules),
      stated(cls.stated),
      document(cls.document),
      classes(rules.classes()),
      table_(cls.table) {
  std::vector<std::optional<std::size_t>> places(cls.fields.size());
  fields.reserve(cls.fields.size());
  for (std::size_t i = 0; i < cls.fields.size(); ++i) {
    const Field& field = cls.fields[i];
    if (field.internal || is_internal_field(field.name)) continue;
    places[i] = fields.size();
    fields.emplace_back(field, is_redacted(field, catalog, rules), rules.classes());
  }
  // No key and no role is an internal column (catalog/identity.hpp).
  for (const std::size_t at : cls.id_fields) id_fields.push_back(places[at].value());
  if (cls.created_at) created_at_ = places[*cls.created_at];
  if (cls.updated_at) updated_at_ = places[*cls.updated_at];
  std::copy_if(cls.indexes.begin(), cls.indexes.end(), std::back_inserter(indexes),
               [this](const Index& index) { return !index.internal && shows(index.fields); });
  std::copy_if(cls.searches.begin(), cls.searches.end(), std::back_inserter(searches),
               [this](const SearchIndex& index) { return shows(index.fields); });
}

const FieldView* ClassView::find(std::string_view field) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [field](const FieldView& one) { return one.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

const FieldView* ClassView::role(std::string_view role_name) const {
  std::optional<std::size_t> at;
  if (role_name == kDateRoles[0]) at = created_at_;
  if (role_name == kDateRoles[1]) at = updated_at_;
  return at ? &fields[*at] : nullptr;
}

const FieldView* ClassView::named(std::string_view field) const {
  const FieldView* const by_role = role(field);
  return by_role != nullptr ? by_role : find(field);
}

std::string_view ClassView::id_name() const {
  if (id_form == IdForm::none) return {};
  return id_form == IdForm::column ? std::string_view(fields[id_fields.front()].name) : kObjectId;
}

std::optional<Field> ClassView::key() const {
  if (id_form == IdForm::column) return fields[id_fields.front()];
  if (id_form != IdForm::rowid) return std::nullopt;
  Field field;
  field.column = rowid;
  field.kind = field.native = field.storage = Kind::integer;
  field.proven = field.required = field.indexed = field.numeric_affinity = true;
  return field;
}

bool ClassView::shows(const std::vector<std::string>& field_names) const {
  return std::all_of(field_names.begin(), field_names.end(),
                     [this](const std::string& field) { return find(field) != nullptr; });
}

}  // namespace gantry::data
