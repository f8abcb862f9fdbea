#include "policy/model_notes.hpp"

#include <algorithm>

#include "catalog/floor.hpp"
#include "policy/class_access.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kAnyExpression = "<expression>";

bool is_hidden(const ClassInfo& cls) {
  using Hidden = ClassRules::Hidden;
  if (cls.rules && cls.rules->hidden) return *cls.rules->hidden != Hidden::no;
  return is_hidden_class(cls.name);
}

// Some agent sees less of the class than its table holds, by the model.
bool is_limited(const ClassInfo& cls) {
  return is_hidden(cls) || (cls.rules && limits_reads(*cls.rules));
}

bool has_owners(const ClassRules& model) {
  if (!model.class_permissions) return false;
  const auto& operations = *model.class_permissions;
  return std::any_of(operations.begin(), operations.end(), [](const auto& operation) {
    return std::any_of(operation.second.begin(), operation.second.end(),
                       [](const std::string& group) { return group.starts_with(kOwnerPrefix); });
  });
}

// Of a document class an index of an expression may be the one.
bool begins_with(const Index& index, const ClassInfo& cls, const std::string& field) {
  if (index.partial || index.fields.empty()) return false;
  return index.fields[0] == field || (!cls.document.empty() && index.fields[0] == kAnyExpression);
}

bool serves(const ClassInfo& cls, const std::string& field) {
  const Field* const known = cls.find(field);
  if (known != nullptr && known->indexed) return true;
  return std::any_of(cls.indexes.begin(), cls.indexes.end(),
                     [&](const Index& index) { return begins_with(index, cls, field); });
}

// A tenant's rows are found by the first column of an index; in an access list, which is an array,
// every row of the tenant is looked at, so that a later column will do.
bool serves_list(const ClassInfo& cls, const std::string& field) {
  if (serves(cls, field)) return true;
  return std::any_of(cls.indexes.begin(), cls.indexes.end(), [&](const Index& index) {
    return !index.partial &&
           std::find(index.fields.begin(), index.fields.end(), field) != index.fields.end();
  });
}

std::string without_index(const std::string& what, const std::string& field,
                          const std::string& cls) {
  return "No index serves " + what + " '" + field + "' of " + cls +
         ": a read looks at rows of others, and its duration tells how many there are. Add an "
         "index";
}

void note_indexes(const ClassInfo& cls, std::vector<std::string>& notes) {
  const ClassRules& model = *cls.rules;
  if (model.tenant && !serves(cls, model.tenant->field)) {
    notes.push_back(without_index("the tenant column", model.tenant->field, cls.name) +
                    " that begins with it");
  }
  if (model.acl && !model.acl->read.empty() && !serves_list(cls, model.acl->read)) {
    notes.push_back(without_index("the access list", model.acl->read, cls.name) +
                    " that holds it, after the tenant's column where there is one");
  }
}

bool numbers_rows(const ClassInfo& cls) {
  if (cls.id_form == IdForm::rowid) return true;
  return cls.id_fields.size() == 1 && cls.fields[cls.id_fields[0]].numbers_rows;
}

void note_gaps(const ClassInfo& cls, std::vector<std::string>& notes) {
  const ClassRules& model = *cls.rules;
  if (!numbers_rows(cls) || !(model.tenant || model.acl || has_owners(model))) return;
  notes.push_back("The ids of " + cls.name +
                  " number all rows: their gaps tell an agent how many rows of others there are. "
                  "No rule can hide that; random keys do");
}

}  // namespace

std::vector<HiddenView> hidden_views(const Catalog& catalog) {
  const Rules master;
  std::vector<HiddenView> views;
  for (const ClassInfo& view : catalog.classes()) {
    if (view.reads.empty() || is_ruled_itself(view)) continue;
    if (!is_shown_by_itself(catalog, master, view.name)) continue;
    HiddenView found{view.name, {}};
    for (const ClassInfo& cls : catalog.classes()) {
      if (reads_table_of(view, cls) && is_limited(cls)) found.over.push_back(cls.name);
    }
    if (!found.over.empty()) views.push_back(std::move(found));
  }
  return views;
}

std::vector<std::string> model_notes(const Catalog& catalog) {
  std::vector<std::string> notes;
  for (const HiddenView& view : hidden_views(catalog)) {
    notes.push_back("The view " + view.name + " is absent for every agent that the rules of " +
                    joined(view.over) +
                    " limit: it would show their rows past these rules. State rules for the view");
  }
  for (const ClassInfo& cls : catalog.classes()) {
    if (!cls.rules || is_hidden(cls)) continue;
    note_indexes(cls, notes);
    note_gaps(cls, notes);
  }
  return notes;
}

}  // namespace gantry::data
