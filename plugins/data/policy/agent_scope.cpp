#include "policy/agent_scope.hpp"

#include <utility>

#include "values/extended_json.hpp"
#include "values/json_document.hpp"

namespace gantry::data {
namespace {

using Json = rapidjson::Value;
using Names = std::vector<std::string>;

// Ends the parse; `parse_agent_scope` makes it a Status.
struct Unreadable {
  std::string member;
};

std::string_view scope_text(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

std::string text_of_member(const char* name, const Json& json) {
  if (!json.IsString()) throw Unreadable{name};
  return std::string(scope_text(json));
}

Names names_of_member(const char* name, const Json& json) {
  if (!json.IsArray()) throw Unreadable{name};
  Names names;
  for (const Json& one : json.GetArray()) names.push_back(text_of_member(name, one));
  return names;
}

ClassFilterPtr class_filter_of(const Json& json) {
  if (!json.IsObject()) throw Unreadable{"classes"};
  std::optional<Names> only;
  Names except;
  for (const auto& [name, value] : json.GetObject()) {
    if (scope_text(name) == "only") {
      only = names_of_member("classes.only", value);
    } else if (scope_text(name) == "except") {
      except = names_of_member("classes.except", value);
    } else {
      throw Unreadable{"classes"};
    }
  }
  return std::make_shared<const ClassFilter>(std::move(only), std::move(except));
}

std::vector<Value> layers_of(const Json& json) {
  if (!json.IsArray()) throw Unreadable{"filters"};
  std::vector<Value> layers;
  for (const Json& layer : json.GetArray()) {
    if (!layer.IsObject()) throw Unreadable{"filters"};
    for (const auto& [cls, filter] : layer.GetObject()) {
      if (!filter.IsObject()) throw Unreadable{"filters"};
    }
    layers.push_back(read_extended(layer, {.parse_types = true}));
  }
  return layers;
}

std::optional<std::uint64_t> cap_of_rows(const Json& json) {
  if (!json.IsObject()) throw Unreadable{"caps"};
  const auto rows = json.FindMember("rows");
  if (rows == json.MemberEnd()) return std::nullopt;
  if (!rows->value.IsUint64() || rows->value.GetUint64() == 0) throw Unreadable{"caps.rows"};
  return rows->value.GetUint64();
}

bool decides_nothing(std::string_view name) {
  return name == "agent" || name == "principal" || name == "depth" || name == "agent_debug";
}

void read_member(std::string_view name, const Json& value, AgentScope& scope) {
  if (name == "permissions") {
    scope.tier = text_of_member("permissions", value);
  } else if (name == "user") {
    scope.user = text_of_member("user", value);
  } else if (name == "roles") {
    scope.roles = names_of_member("roles", value);
  } else if (name == "tenant_id") {
    scope.tenant_id = text_of_member("tenant_id", value);
    if (scope.tenant_id->empty()) throw Unreadable{"tenant_id"};
  } else if (name == "classes") {
    scope.classes = class_filter_of(value);
  } else if (name == "filters") {
    scope.filters = layers_of(value);
  } else if (name == "caps") {
    scope.cap_rows = cap_of_rows(value);
  } else if (name == "sql") {
    if (!value.IsBool()) throw Unreadable{"sql"};
    scope.sql = value.GetBool();
  } else if (name == "fingerprint") {
    scope.fingerprint = text_of_member("fingerprint", value);
  } else if (!decides_nothing(name)) {
    throw Unreadable{std::string(name)};
  }
}

}  // namespace

Result<AgentScope> parse_agent_scope(std::string_view json) {
  rapidjson::Document document;
  if (parse_json<rapidjson::kParseNoFlags>(json, document).IsError() || !document.IsObject()) {
    return Status::invalid("agent_scope is no JSON object");
  }
  try {
    AgentScope scope;
    for (const auto& [name, value] : document.GetObject()) {
      read_member(scope_text(name), value, scope);
    }
    if (scope.fingerprint.empty()) throw Unreadable{"fingerprint"};
    return scope;
  } catch (const Unreadable& error) {
    return Status::invalid("agent_scope: the member '" + error.member + "' cannot be read");
  }
}

}  // namespace gantry::data
