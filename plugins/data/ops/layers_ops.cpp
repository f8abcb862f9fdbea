#include "ops/layers_ops.hpp"

#include <set>

#include <gantry/json_writer.hpp>

#include "ops/page.hpp"
#include "policy/class_layers.hpp"
#include "policy/model_notes.hpp"
#include "values/extended_json.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

void write_list(std::string_view key, const std::optional<std::vector<std::string>>& names,
                JsonWriter& json) {
  if (names) json.key(key).raw(quoted_list(*names));
}

// The fields that a filter names at any depth of its operators.
void add_fields(const Value& filter, std::set<std::string>& names) {
  if (filter.is_array()) {
    for (const Value& each : filter.elements()) add_fields(each, names);
  }
  if (!filter.is_object()) return;
  for (const auto& [name, value] : filter.members()) {
    if (!name.starts_with('$')) names.emplace(name);
    if (name.starts_with('$')) add_fields(value, names);
  }
}

void write_canonical(const std::string& filter, JsonWriter& json) {
  std::set<std::string> names;
  if (const auto read = read_extended(filter, {.parse_types = true})) add_fields(*read, names);
  json.key("canonical_filter").raw(quoted_list({names.begin(), names.end()}));
}

void write_hidden(const ClassRules& model, JsonWriter& json) {
  using Hidden = ClassRules::Hidden;
  if (model.visible) json.key("visible").boolean(*model.visible);
  if (!model.hidden) return;
  json.key("hidden");
  if (*model.hidden != Hidden::except_master)
    return void(json.boolean(*model.hidden != Hidden::no));
  json.begin_object().key("except").string("master").end_object();
}

// Groups may be users, which are secret: what they mean for the agent is told instead.
void write_permissions(const ClassLayers& layers, JsonWriter& json) {
  json.key("class_permissions").begin_object();
  for (std::size_t i = 0; i < kClassOps.size(); ++i) {
    const RowRules& rows = layers.rows[i];
    json.key(op_name(kClassOps[i]));
    if (rows.refusal == RowRules::Refusal::permission) {
      json.string("denied");
    } else if (rows.owner_fields.empty()) {
      json.string("allowed");
    } else {
      json.begin_object().key("own_rows_by").raw(quoted_list(rows.owner_fields)).end_object();
    }
  }
  json.end_object();
}

void write_tenant(const TenantScope& tenant, const RowRules& rows, const Rules& rules,
                  JsonWriter& json) {
  json.key("tenant_scope").begin_object().key("field").string(tenant.field);
  if (!tenant.bypass.empty()) json.key("bypass").string(tenant.bypass);
  const bool applies = !rows.tenant_field.empty();
  json.key("applies").boolean(applies);
  if (applies && !rules.agent().tenant_id) json.key("denied").string("the agent has no tenant");
  json.end_object();
}

void write_acl(const RowAcl& acl, const Rules& rules, JsonWriter& json) {
  json.key("acl").begin_object();
  if (!acl.read.empty()) json.key("read").string(acl.read);
  if (!acl.write.empty()) json.key("write").string(acl.write);
  json.key("null").string(acl.null_is_public ? "public" : "denied");
  json.key("applies").boolean(!rules.agent().is_master()).end_object();
}

void write_rules(const ClassLayers& layers, const Rules& rules, JsonWriter& json) {
  const ClassRules& model = *layers.model;
  const RowRules& find = layers.rows[0];
  write_hidden(model, json);
  if (model.class_permissions) write_permissions(layers, json);
  write_list("agent_fields", model.agent_fields, json);
  write_list("agent_join_fields", model.agent_join_fields, json);
  if (!model.protected_fields.empty())
    json.key("protected_fields").raw(quoted_list(layers.protected_fields));
  if (!model.canonical_filter.empty()) write_canonical(model.canonical_filter, json);
  if (model.tenant) write_tenant(*model.tenant, find, rules, json);
  if (model.acl) write_acl(*model.acl, rules, json);
}

void write_class(const Request& request, std::string_view name, JsonWriter& json) {
  const Scope& scope = request.scope;
  const std::string_view by = scope.hiding_layer(name);
  json.key("class").begin_object().key("class_name").string(name);
  json.key("shown").boolean(by.empty());
  if (!by.empty()) json.key("hidden_by").string(by);
  const ClassLayers layers = class_layers(*scope.catalog(), scope.rules(), name);
  if (layers.model) write_rules(layers, scope.rules(), json);
  json.end_object();
}

}  // namespace

Reply describe_layers(const Request& request) {
  Reply reply;
  JsonWriter json(reply.meta);
  json.begin_object().key("hidden").begin_array();
  for (const std::string& name : class_names(*request.scope.catalog())) {
    const std::string_view by = request.scope.hiding_layer(name);
    if (by.empty() || by == "class_filter") continue;
    json.begin_object().key("class").string(name).key("by").string(by).end_object();
  }
  json.end_array();
  const std::string_view name = optional_string(request, "class_name");
  if (!name.empty()) write_class(request, name, json);
  json.end_object();
  return reply;
}

Reply note_model(const Request& request) {
  return {{}, "{\"notes\":" + quoted_list(model_notes(*request.scope.catalog())) + "}"};
}

Reply name_hidden_views(const Request& request) {
  std::string views;
  for (const HiddenView& view : hidden_views(*request.scope.catalog())) {
    views += (views.empty() ? "" : "; ") + view.name + " over " + joined(view.over);
  }
  if (views.empty()) return {};
  return {{},
          "views without rules of their own are absent where the rules of their tables limit an "
          "agent: " +
              views + "; state rules for the view in the model to show it"};
}

}  // namespace gantry::data
