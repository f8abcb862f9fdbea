#include "policy/class_access.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "catalog/floor.hpp"

namespace gantry::data {
namespace {

int rank_of(std::string_view tier) {
  if (tier == "admin") return 2;
  return tier == "write" ? 1 : 0;
}

bool bypasses(const TenantScope& tenant, const Rules& rules) {
  return !tenant.bypass.empty() && rank_of(rules.agent().tier) >= rank_of(tenant.bypass);
}

std::string_view root_of(std::string_view path) { return path.substr(0, path.find('.')); }

// Several groups unite: one that is allowed without a condition decides.
void permit(const std::vector<std::string>* groups, const Rules& rules, RowRules& rows) {
  if (groups == nullptr) return void(rows.refusal = RowRules::Refusal::permission);
  for (const std::string& group : *groups) {
    if (!group.starts_with(kOwnerPrefix)) {
      if (!rules.is_in_group(group)) continue;
      return rows.owner_fields.clear();
    }
    if (rules.agent().user) rows.owner_fields.push_back(group.substr(kOwnerPrefix.size()));
  }
  if (rows.owner_fields.empty()) rows.refusal = RowRules::Refusal::permission;
}

void add_permissions(const ClassRules& model, const Rules& rules, ClassOp op, RowRules& rows) {
  if (!model.class_permissions || rules.agent().is_master()) return;
  const auto found = model.class_permissions->find(std::string(op_name(op)));
  permit(found == model.class_permissions->end() ? nullptr : &found->second, rules, rows);
}

void add_tenant(const ClassRules& model, const Rules& rules, RowRules& rows) {
  if (!model.tenant || bypasses(*model.tenant, rules)) return;
  rows.tenant_field = model.tenant->field;
  if (rules.agent().tenant_id) {
    rows.tenant = *rules.agent().tenant_id;
  } else if (rows.refusal == RowRules::Refusal::none) {
    rows.refusal = RowRules::Refusal::tenant;
  }
}

// A user of such a name would take the entries of others.
bool names_a_group(std::string_view user) { return user == "*" || user.starts_with("role:"); }

// It may be an internal column, which no view has.
std::string column_named(const ClassInfo& cls, const std::string& name) {
  const Field* const field = cls.find(name);
  return field == nullptr ? std::string() : field->column;
}

void add_acl(const ClassInfo& cls, const Rules& rules, ClassOp op, RowRules& rows) {
  const ClassRules& model = *cls.rules;
  if (!model.acl || rules.agent().is_master()) return;
  rows.acl_field = is_write(op) ? model.acl->write : model.acl->read;
  if (rows.acl_field.empty()) return;
  rows.acl_column = column_named(cls, rows.acl_field);
  rows.acl_null_is_public = model.acl->null_is_public;
  rows.readers.emplace_back("*");
  if (rules.agent().user && !names_a_group(*rules.agent().user)) {
    rows.readers.push_back(*rules.agent().user);
  }
  if (!rules.agent().roles) return;
  for (const std::string& role : *rules.agent().roles) rows.readers.push_back("role:" + role);
}

void add_filters(const std::string& name, const Rules& rules, RowRules& rows) {
  const auto is_condition = [](const Value& filter) {
    return filter.is_object() && !filter.members().empty();
  };
  for (const Value& layer : rules.agent().filters) {
    if (is_condition(layer.find(name))) rows.filters.push_back(layer.find(name));
    if (name == "default") continue;
    if (is_condition(layer.find("default"))) rows.defaults.push_back(layer.find("default"));
  }
}

// Without regard to the tables that a view reads.
bool is_shown(const ClassInfo& cls, bool some_are_marked, const Rules& rules) {
  using Hidden = ClassRules::Hidden;
  const ClassRules* const model = cls.rules.get();
  const bool is_stated = model != nullptr && model->hidden.has_value();
  const Hidden hidden = is_stated ? *model->hidden : Hidden::no;
  if (is_hidden_class(cls.name) && !(is_stated && hidden == Hidden::no)) return false;
  if (rules.is_of_engine()) return true;
  if (hidden == Hidden::yes) return false;
  if (hidden == Hidden::except_master && !rules.agent().is_master()) return false;
  const bool is_marked = model != nullptr && model->visible.value_or(false);
  if (!is_marked && (some_are_marked || (model != nullptr && model->visible))) return false;
  return rules.lists_class(cls.name);
}

bool some_are_marked(const Catalog& catalog) {
  const auto& classes = catalog.classes();
  return std::any_of(classes.begin(), classes.end(), [](const ClassInfo& cls) {
    return cls.rules && cls.rules->visible.value_or(false);
  });
}

// Whether some agent sees less of the class than its table holds.
bool shows_less(const ClassInfo& cls, const Rules& rules) {
  return field_rules(cls, rules) != nullptr || row_rules(cls, rules, ClassOp::find).any();
}

bool shows_others(const ClassInfo& view, const Catalog& catalog,
                  const std::set<std::string, std::less<>>& shown, const Rules& rules) {
  if (view.reads.empty() || is_ruled_itself(view)) return false;
  const auto& classes = catalog.classes();
  return std::any_of(classes.begin(), classes.end(), [&](const ClassInfo& cls) {
    return reads_table_of(view, cls) && (shown.count(cls.name) == 0 || shows_less(cls, rules));
  });
}

}  // namespace

bool limits_reads(const ClassRules& model) {
  return model.agent_fields || model.tenant || model.acl || model.class_permissions ||
         !model.protected_fields.empty();
}

bool is_ruled_itself(const ClassInfo& cls) {
  const ClassRules* const model = cls.rules.get();
  return model != nullptr && (model->visible || model->hidden || limits_reads(*model));
}

bool reads_table_of(const ClassInfo& view, const ClassInfo& cls) {
  return &cls != &view &&
         std::find(view.reads.begin(), view.reads.end(), cls.table) != view.reads.end();
}

std::set<std::string, std::less<>> shown_classes(const Catalog& catalog, const Rules& rules) {
  std::set<std::string, std::less<>> shown;
  const bool marked = some_are_marked(catalog);
  for (const ClassInfo& cls : catalog.classes()) {
    if (is_shown(cls, marked, rules)) shown.insert(cls.name);
  }
  if (rules.is_of_engine()) return shown;
  const auto all = shown;
  for (const ClassInfo& cls : catalog.classes()) {
    if (all.count(cls.name) > 0 && shows_others(cls, catalog, all, rules)) shown.erase(cls.name);
  }
  return shown;
}

bool is_shown_by_itself(const Catalog& catalog, const Rules& rules, std::string_view name) {
  const ClassInfo* const cls = catalog.declared(name);
  return cls != nullptr && is_shown(*cls, some_are_marked(catalog), rules);
}

FieldRules::FieldRules(const ClassRules& cls, const Rules& rules) {
  if (cls.agent_fields) only_.emplace(cls.agent_fields->begin(), cls.agent_fields->end());
  bool is_first = true;
  for (const auto& [group, fields] : cls.protected_fields) {
    if (!rules.is_in_group(group)) continue;
    std::set<std::string, std::less<>> names;
    for (const std::string& field : fields) names.emplace(root_of(field));
    if (std::exchange(is_first, false)) {
      protected_ = std::move(names);
    } else {
      std::erase_if(protected_, [&](const std::string& name) { return names.count(name) == 0; });
    }
  }
}

bool FieldRules::permits(std::string_view name) const {
  if (name == kObjectId || name == "_id" || is_date_role(name)) return true;
  return protected_.count(name) == 0 && (!only_ || only_->count(name) > 0);
}

FieldRulesPtr field_rules(const ClassInfo& cls, const Rules& rules) {
  if (!cls.rules || rules.is_of_engine()) return nullptr;
  FieldRules fields(*cls.rules, rules);
  return fields.any() ? std::make_shared<const FieldRules>(std::move(fields)) : nullptr;
}

RowRules row_rules(const ClassInfo& cls, const Rules& rules, ClassOp op) {
  RowRules rows;
  if (rules.is_of_engine()) return rows;
  rows.user = rules.agent().user.value_or("");
  add_filters(cls.name, rules, rows);
  if (!cls.rules) return rows;
  add_permissions(*cls.rules, rules, op, rows);
  add_tenant(*cls.rules, rules, rows);
  add_acl(cls, rules, op, rows);
  return rows;
}

}  // namespace gantry::data
