#include "ops/change/row_change.hpp"

#include <rapidjson/document.h>

#include "catalog/floor.hpp"
#include "filter/columns/refusal.hpp"
#include "rows/class_reader.hpp"
#include "values/json_text.hpp"

namespace gantry::data {

RowChange row_change(Session& session, const WrittenClass& cls, const Write& write,
                     const Place* place) {
  return by_storage(
      cls.whole, [&] { return column_change(session, cls, write, place); },
      [&] { return document_change(session, cls, write, place); });
}

// The arguments nest at most as deep as the host allows.
void check_inner_names(const rapidjson::Value& json, const ClassView& shown) {
  if (json.IsArray()) {
    for (const auto& element : json.GetArray()) check_inner_names(element, shown);
  }
  if (!json.IsObject()) return;
  for (const auto& [name, value] : json.GetObject()) {
    const std::string_view text(name.GetString(), name.GetStringLength());
    if (is_internal_field(text)) columns::refuse_field(text, shown);
    check_inner_names(value, shown);
  }
}

std::string own_access_list(const Session& session, const ClassView& whole) {
  const AgentScope& agent = session.request().scope.rules().agent();
  if (!whole.model || !whole.model->acl || agent.is_master()) return {};
  std::vector<std::string> names;
  if (agent.user) {
    names.push_back(*agent.user);
  } else {
    for (const std::string& role : *agent.roles) names.push_back("role:" + role);
  }
  std::string list = "[";
  for (const std::string& name : names) list += (list.size() > 1 ? "," : "") + quoted_json(name);
  return list + "]";
}

std::string own_tenant(const Session& session, const WrittenClass& cls) {
  if (!cls.whole.model || !cls.whole.model->tenant) return {};
  return session.request().scope.rules().agent().tenant_id.value_or("");
}

}  // namespace gantry::data
