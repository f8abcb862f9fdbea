// policy/row_rules.hpp: the conditions that decide which rows of a class an agent sees, as data.
//
// class_access.hpp finds them, plan/boundary.hpp compiles them. Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "values/value.hpp"

namespace gantry::data {

// What a request does to a class, for its permissions.
enum class ClassOp : std::uint8_t { find, get, count, create, update, remove };

// As models, agents and requests write it.
constexpr std::string_view op_name(ClassOp op) {
  constexpr std::string_view kNames[] = {"find", "get", "count", "create", "update", "delete"};
  return kNames[static_cast<std::size_t>(op)];
}

constexpr bool is_write(ClassOp op) { return op >= ClassOp::create; }

// The conditions on rows, which are AND-ed. Texts and names are those of the model and the agent.
struct RowRules {
  enum class Refusal : std::uint8_t { none, permission, tenant };

  Refusal refusal = Refusal::none;  // the agent may not do this to the class at all
  // One of these pointers must name the agent's user; empty: no condition.
  std::vector<std::string> owner_fields;
  std::vector<Value> filters;   // of the class
  std::vector<Value> defaults;  // of every class: a field that the class does not have is missing
  std::string tenant_field;     // empty: not scoped
  std::string acl_field;        // of readers, or of writers for a write; empty: none
  std::string acl_column;  // its SQL; empty: the class is one of documents, or has no such column
  bool acl_null_is_public = false;
  std::string tenant, user;
  std::vector<std::string> readers;  // the agent's names in an ACL

  bool any() const {
    return refusal != Refusal::none || !owner_fields.empty() || !filters.empty() ||
           !defaults.empty() || !tenant_field.empty() || !acl_field.empty();
  }
};

}  // namespace gantry::data
