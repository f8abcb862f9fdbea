// policy/class_access.hpp: what the model's rules about one class mean for one agent.
//
// Class: shown or absent. Fields: the permitted names (field_rules.hpp). Rows: the conditions that
// all must hold (row_rules.hpp). Pure functions; any thread.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/field_rules.hpp"
#include "policy/row_rules.hpp"
#include "policy/rules.hpp"

namespace gantry::data {

// The layer that hides the class from the agent: "hidden", the model or the floor; "class_filter",
// the agent's list; empty: it sees the class. For the host's operators: no caller may tell the two
// apart. `some_are_marked`: the model marks some class with "visible", so that classes without the
// mark are absent.
std::string_view hiding_layer(const ClassInfo& cls, bool some_are_marked, const Rules& rules);
inline bool is_shown(const ClassInfo& cls, bool some_are_marked, const Rules& rules) {
  return hiding_layer(cls, some_are_marked, rules).empty();
}
bool some_are_marked(const Catalog& catalog);

FieldRulesPtr field_rules(const ClassInfo& cls, const Rules& rules);
RowRules row_rules(const ClassInfo& cls, const Rules& rules, ReadOp op);

}  // namespace gantry::data
