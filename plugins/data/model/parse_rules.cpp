// The keys that rule what agents may see.
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "catalog/floor.hpp"
#include "model/key_reader.hpp"

namespace gantry::data::model {
namespace {

const std::vector<std::string_view> kOperations{"find",   "get",    "count",
                                                "create", "update", "delete"};

// A group of agents: all, those with an identity, a role, or a user.
void check_group(const Key& key, std::string_view group) {
  if (group == "role:" || group.find_first_of(" \t\n") != std::string_view::npos) {
    key.wrong(key.quoted() + ": '" + std::string(group) +
              "' is no group; groups are \"*\", \"authenticated\", \"role:NAME\" and users");
  }
}

void check_permission(const Key& key, std::string_view entry) {
  if (entry == "field:") key.wrong(key.quoted() + ": 'field:' names no field");
  if (!entry.starts_with("field:")) check_group(key, entry);
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void read_hidden(const Key& key, ModelClass& cls) {
  const Json& json = key.json();
  using Hidden = ClassRules::Hidden;
  if (json.IsBool()) {
    cls.rules.hidden = json.GetBool() ? Hidden::yes : Hidden::no;
    return;
  }
  const bool is_except = json.IsObject() && json.MemberCount() == 1 && json.HasMember("except") &&
                         json["except"].IsString() && text_of(json["except"]) == "master";
  if (!is_except) key.must_be(R"(true, false or {"except": "master"})");
  cls.rules.hidden = Hidden::except_master;
}

void read_canonical_filter(const Key& key, ModelClass& cls) {
  if (!key.json().IsObject() || key.json().ObjectEmpty()) {
    key.must_be("a filter as in \"where\": an object with at least one condition");
  }
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  key.json().Accept(writer);
  cls.rules.canonical_filter.assign(text.GetString(), text.GetSize());
}

void read_tenant_scope(const Key& key, ModelClass& cls) {
  TenantScope scope;
  key.members({"field", "bypass"}, [&](const std::string& name, const Key& value) {
    (name == "field" ? scope.field : scope.bypass) = value.text();
    const bool is_tier = scope.bypass.empty() || scope.bypass == "readonly" ||
                         scope.bypass == "write" || scope.bypass == "admin";
    if (!is_tier) value.must_be("a tier: \"readonly\", \"write\" or \"admin\"");
  });
  if (scope.field.empty()) key.wrong(key.quoted() + R"( needs "field", the tenant's field)");
  cls.rules.tenant = std::move(scope);
}

void read_class_permissions(const Key& key, ModelClass& cls) {
  std::map<std::string, std::vector<std::string>> permissions;
  key.members(kOperations, [&](const std::string& operation, const Key& value) {
    std::vector<std::string> entries = value.texts();
    for (const std::string& entry : entries) check_permission(value, entry);
    permissions.emplace(operation, std::move(entries));
  });
  cls.rules.class_permissions = std::move(permissions);
}

void read_protected_fields(const Key& key, ModelClass& cls) {
  key.members({}, [&](const std::string& group, const Key& value) {
    check_group(value, group);
    cls.rules.protected_fields.emplace(group, value.texts());
  });
}

void read_acl(const Key& key, ModelClass& cls) {
  RowAcl acl;
  key.members({"read", "write", "null"}, [&](const std::string& name, const Key& value) {
    const std::string text = value.text();
    if (name == "read") acl.read = text;
    if (name == "write") acl.write = text;
    if (name != "null") return;
    if (text != "public") value.must_be("\"public\"; without it a NULL allows no agent");
    acl.null_is_public = true;
  });
  if (acl.read.empty() && acl.write.empty()) {
    key.wrong(key.quoted() + R"( needs "read" or "write", the name of a column)");
  }
  cls.rules.acl = std::move(acl);
}

void check_together(const ModelClass& cls) {
  const auto& all = cls.rules.agent_fields;
  const auto& joined = cls.rules.agent_join_fields;
  if (all && joined) {
    for (const std::string& name : *joined) {
      if (holds(*all, name) || name == kObjectId || is_date_role(name)) continue;
      throw BadModel{place_of(cls, "agent_join_fields") + ": '" + name +
                     "' is in agent_join_fields and not in agent_fields, of which they must be a "
                     "part"};
    }
  }
  for (const std::string& name : cls.allow_internal) {
    if (may_be_allowed(name)) continue;
    throw BadModel{
        place_of(cls, "allow_internal") + ": '" + name +
        "' is no column that can be allowed; only password, password_hash, hashed_password, "
        "encrypted_password and password_digest can"};
  }
}

}  // namespace gantry::data::model
