// catalog/class_rules.hpp: the operator's rules about one class, as its model file states them.
//
// Plain data, immutable once shared; any thread. `model/` parses and checks it, `policy/` compiles
// it for one agent. Field names are spelled as agents see them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry::data {

struct TenantScope {
  std::string field;
  // Agents of this tier and above are not scoped: "readonly", "write", "admin"; empty: none.
  std::string bypass;
};

// The columns that hold each row's allowed readers and writers: JSON arrays of users, "role:x",
// "*".
struct RowAcl {
  std::string read, write;      // names of fields; empty: that side is not ruled
  bool null_is_public = false;  // a row whose value is NULL is allowed to all
};

// It has more than twelve members: the rules of a model file as one value.
struct ClassRules {
  std::string description;
  std::optional<bool> visible;
  enum class Hidden { no, yes, except_master };
  std::optional<Hidden> hidden;
  // Nothing: all fields. objectId, createdAt and updatedAt are always allowed.
  std::optional<std::vector<std::string>> agent_fields, agent_join_fields;
  std::vector<std::string> large_fields;
  std::string canonical_filter;  // a filter of the query language as JSON; empty: none
  std::optional<TenantScope> tenant;
  std::optional<RowAcl> acl;
  // By operation: find, get, count, create, update, delete. Each entry: "*", "authenticated",
  // "role:x", a user, or "field:NAME". Nothing: all operations are allowed to all.
  std::optional<std::map<std::string, std::vector<std::string>>> class_permissions;
  // By group ("*", "authenticated", "role:x", a user): fields that the group must not see.
  std::map<std::string, std::vector<std::string>> protected_fields;
  // The storage columns of pointers that the model renamed, each with the pointer's name.
  std::map<std::string, std::string> storage_names;
};

using ClassRulesPtr = std::shared_ptr<const ClassRules>;

}  // namespace gantry::data
