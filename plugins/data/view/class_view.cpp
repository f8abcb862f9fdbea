#include "view/class_view.hpp"

#include <algorithm>
#include <utility>

#include "catalog/catalog.hpp"
#include "catalog/floor.hpp"
#include "policy/class_access.hpp"
#include "values/iso_date.hpp"

namespace gantry::data {
namespace {

Field with_json(Field field) {
  field.json = field.json || field.kind == Kind::object || field.kind == Kind::array;
  return field;
}

bool is_redacted_pointer(const Field& field, const Opening& opening) {
  return field.kind == Kind::pointer &&
         (!is_visible_class(field.target_class, opening.shown.get()) ||
          !opening.catalog.declares(field.target_class));
}

bool is_single_key(const ClassInfo& cls, std::size_t at) {
  return cls.id_form == IdForm::column && cls.id_fields.front() == at;
}

// The name under which the agent sees the field; nothing: not at all.
std::optional<std::string> shown_name(const ClassInfo& cls, std::size_t at,
                                      const FieldRules* permitted) {
  const Field& field = cls.fields[at];
  if (field.internal) return std::nullopt;
  if (permitted == nullptr || permitted->permits(field.name)) return field.name;
  const auto unless_taken = [&cls](std::string_view name) {
    return cls.find(name) == nullptr ? std::optional(std::string(name)) : std::nullopt;
  };
  if (is_single_key(cls, at)) {
    auto id = unless_taken(kObjectId);
    return id ? std::move(id) : unless_taken(kDocumentId);
  }
  if (cls.created_at == at) return unless_taken(kDateRoles[0]);
  if (cls.updated_at == at) return unless_taken(kDateRoles[1]);
  return std::nullopt;
}

// A pointer equals a field of its target: one that is shown under another name, or not at all.
bool follow_target(Field& field, const Opening& opening) {
  const ClassInfo* const target = opening.catalog.declared(field.target_class);
  if (target == nullptr || field.target_field.empty()) return true;
  const FieldRulesPtr permitted = field_rules(*target, opening.rules);
  if (!permitted || permitted->permits(field.target_field)) return true;
  for (std::size_t i = 0; i < target->fields.size(); ++i) {
    if (target->fields[i].name != field.target_field) continue;
    const auto shown = shown_name(*target, i, permitted.get());
    field.target_field = shown.value_or("");
    return shown.has_value();
  }
  return true;
}

// The field of its class that a pointer equals; null: no field of the catalog.
const Field* target_of(const Field& pointer, const ClassInfo* target) {
  if (target == nullptr) return nullptr;
  if (!pointer.target_field.empty()) return target->find(pointer.target_field);
  return target->id_form == IdForm::column ? &target->fields[target->id_fields.front()] : nullptr;
}

constexpr int kMostHops = 16;  // pointers may go in circles

// A key may itself be a pointer: one to it then holds the same ids.
bool equals_redacted_key(const Field& pointer, const Opening& opening) {
  const auto next = [&](const Field& field) {
    return target_of(field, opening.catalog.declared(field.target_class));
  };
  const Field* field = next(pointer);
  for (int hops = 0; hops < kMostHops && field != nullptr; ++hops) {
    if (is_redacted_pointer(*field, opening)) return true;
    field = field->kind == Kind::pointer ? next(*field) : nullptr;
  }
  return false;
}

// The key that a pointer equals, which may be a pointer itself, as declared.
const Field* declared_key(const Field& pointer, const Catalog& catalog) {
  const Field* key = &pointer;
  for (int hops = 0; hops < kMostHops && key != nullptr && key->kind == Kind::pointer; ++hops) {
    key = target_of(*key, catalog.declared(key->target_class));
  }
  return key;
}

// Whether two of its values are the same date only if they are equal: there is one form of texts,
// which says no more than milliseconds and UTC.
bool has_one_text_of_date(const Field& field) {
  constexpr std::size_t kMilliseconds = std::string_view("0000-00-00T00:00:00.000").size();
  const std::string_view zone = iso_zone(field.iso_shape);
  return !field.iso_shape.empty() && (zone.empty() || zone == "Z") &&
         field.iso_shape.size() - zone.size() <= kMilliseconds;
}

// Whether the sampled values of the pointer, read as dates in the key's form, are equal to the
// key's exactly if the database has them equal.
bool is_stored_as(const Field& pointer, const Field& key) {
  const bool is_text = key.date_form == DateForm::iso_text;
  const bool is_epoch =
      key.date_form == DateForm::epoch_seconds || key.date_form == DateForm::epoch_millis;
  if (!is_epoch && !(is_text && has_one_text_of_date(key))) return false;
  const bool has_no_values = pointer.date_form == DateForm::iso_text && pointer.iso_shape.empty();
  if (has_no_values) return true;
  const bool has_fractions = is_epoch && pointer.native == Kind::number;
  return pointer.date_form == key.date_form && pointer.iso_shape == key.iso_shape && !has_fractions;
}

// The key of dates that a pointer of the class equals and is stored as; null: another key. Only
// sampled rows tell the form of dates. Where rules decide about rows, none are sampled.
const Field* date_key(const ClassInfo& cls, const Field& pointer, const Opening& opening,
                      int hops = 0) {
  if (!cls.sampled || pointer.date_form == DateForm::none || hops == kMostHops) return nullptr;
  const ClassInfo* target = opening.catalog.declared(pointer.target_class);
  if (target == nullptr || row_rules(*target, opening.rules, opening.op).any()) return nullptr;
  target = opening.catalog.find(pointer.target_class);
  const Field* key = target->sampled ? target_of(pointer, target) : nullptr;
  if (key != nullptr && key->kind == Kind::pointer)
    key = date_key(*target, *key, opening, hops + 1);
  const bool is_date = key != nullptr && key->kind == Kind::date && is_stored_as(pointer, *key);
  return is_date ? key : nullptr;
}

// `stored`: the pointer as the class has it.
void take_kind_of_key(Field& pointer, const ClassInfo& cls, const Field& stored,
                      const Opening& opening) {
  const Field* const date = date_key(cls, stored, opening);
  pointer.date_form = date == nullptr ? DateForm::none : date->date_form;
  pointer.iso_shape = date == nullptr ? "" : date->iso_shape;
  pointer.iso_zone = date == nullptr ? "" : date->iso_zone;
  if (date != nullptr) return void(pointer.key_kind = Kind::date);
  const Field* const key = declared_key(stored, opening.catalog);
  if (key != nullptr && key->kind != Kind::date) pointer.key_kind = key->kind;
}

FieldView view_of(const ClassInfo& cls, std::size_t at, std::string name, const Opening& opening) {
  const Field& stored = cls.fields[at];
  Field field = stored;
  field.name = std::move(name);
  const bool is_redacted = field.kind == Kind::pointer &&
                           (is_redacted_pointer(field, opening) ||
                            equals_redacted_key(field, opening) || !follow_target(field, opening));
  if (field.kind == Kind::pointer && !is_redacted) take_kind_of_key(field, cls, stored, opening);
  return {field, is_redacted, opening.shown};
}

}  // namespace

FieldView::FieldView(const Field& field, bool is_redacted, ClassFilterPtr classes)
    : Field(with_json(field)),
      redacted(is_redacted),
      form(*this, is_redacted, std::move(classes)) {}

ClassView::ClassView(const ClassInfo& cls, const Opening& opening)
    : name(cls.name),
      type(cls.type),
      id_form(cls.id_form),
      rowid(cls.rowid),
      allow_collscan(cls.allow_collscan),
      all_sampled(cls.all_sampled),
      without_rowid(cls.without_rowid),
      resolves_conflicts(cls.resolves_conflicts),
      order_tells(cls.order_tells),
      model(cls.rules),
      stated(cls.stated),
      document(cls.document),
      classes(opening.shown),
      permitted(field_rules(cls, opening.rules)),
      refusal(opening.rows.refusal),
      has_row_rules(opening.rows.any()),
      tenant_field(opening.rows.tenant_field),
      tenant(opening.rows.tenant),
      table_(cls.table) {
  if (!has_row_rules) estimated_rows = cls.estimated_rows;
  add_fields(cls, opening);
  add_key(cls, opening);
  std::copy_if(cls.indexes.begin(), cls.indexes.end(), std::back_inserter(indexes),
               [this](const Index& index) {
                 // The condition of a partial index may name a denied field.
                 const bool may_name_others = permitted && index.partial;
                 return !index.internal && !may_name_others && shows(index.fields);
               });
  if (indexes.size() != cls.indexes.size()) mark_indexed();
  std::copy_if(cls.searches.begin(), cls.searches.end(), std::back_inserter(searches),
               [this](const SearchIndex& index) { return shows(index.fields); });
  if (!cls.rules || opening.rules.is_of_engine()) return;
  for (const auto& [column, pointer] : cls.rules->storage_names) {
    if (find(pointer) != nullptr) storage_names.emplace(column, pointer);
  }
}

void ClassView::add_fields(const ClassInfo& cls, const Opening& opening) {
  fields.reserve(cls.fields.size());
  for (std::size_t i = 0; i < cls.fields.size(); ++i) add_field(cls, i, opening);
  // An index over a denied column, or over the rows of others, may decide the natural order.
  order_tells = order_tells || permitted || has_row_rules;
}

void ClassView::add_field(const ClassInfo& cls, std::size_t at, const Opening& opening) {
  auto shown = shown_name(cls, at, permitted.get());
  if (!shown) return;
  if (cls.created_at == at) created_at_ = fields.size();
  if (cls.updated_at == at) updated_at_ = fields.size();
  fields.push_back(view_of(cls, at, std::move(*shown), opening));
}

// No key is an internal column (catalog/identity.hpp).
void ClassView::add_key(const ClassInfo& cls, const Opening& opening) {
  for (const std::size_t at : cls.id_fields) {
    auto shown = shown_name(cls, at, permitted.get());
    key_fields.push_back(
        view_of(cls, at, shown ? std::move(*shown) : std::string(kObjectId), opening));
  }
  const bool tells_hidden_ids = std::any_of(key_fields.begin(), key_fields.end(),
                                            [](const FieldView& part) { return part.redacted; });
  if (!tells_hidden_ids) return;
  id_form = IdForm::none;
  key_fields.clear();
}

// That a field has an index is told by the indexes that are shown.
void ClassView::mark_indexed() {
  for (FieldView& field : fields) {
    const bool is_first = std::any_of(indexes.begin(), indexes.end(), [&](const Index& index) {
      return !index.partial && !index.fields.empty() && index.fields.front() == field.name;
    });
    const bool is_first_of_key = !key_fields.empty() && key_fields.front().column == field.column;
    field.indexed = field.indexed && (is_first || is_first_of_key);
  }
}

bool ClassView::is_key(const FieldView& field) const {
  return std::any_of(key_fields.begin(), key_fields.end(),
                     [&field](const FieldView& part) { return part.column == field.column; });
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
  return id_form == IdForm::column ? std::string_view(key_fields.front().name) : id_alias();
}

std::string_view ClassView::id_alias() const {
  for (const std::string_view alias : {kObjectId, kDocumentId}) {
    if (is_id_alias(alias)) return alias;
  }
  return {};
}

bool ClassView::is_id_alias(std::string_view field) const {
  if (!has_ids() || (field != kObjectId && field != kDocumentId)) return false;
  const FieldView* const stored = find(field);
  return stored == nullptr || (id_form == IdForm::column && is_key(*stored));
}

std::optional<Field> ClassView::key() const {
  if (id_form == IdForm::column) return key_fields.front();
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
