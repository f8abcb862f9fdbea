// policy/class_access.hpp: what the model's rules about one class mean for one agent.
//
// Class: shown or absent. Fields: the permitted names (field_rules.hpp). Rows: the conditions that
// all must hold (row_rules.hpp). Pure functions; any thread.
#pragma once

#include "catalog/catalog.hpp"
#include "policy/field_rules.hpp"
#include "policy/row_rules.hpp"
#include "policy/rules.hpp"

namespace gantry::data {

// Whether the agent sees the class at all. `some_are_marked`: the model marks some class with
// "visible", so that classes without the mark are absent.
bool is_shown(const ClassInfo& cls, bool some_are_marked, const Rules& rules);
bool some_are_marked(const Catalog& catalog);

FieldRulesPtr field_rules(const ClassInfo& cls, const Rules& rules);
RowRules row_rules(const ClassInfo& cls, const Rules& rules, ReadOp op);

}  // namespace gantry::data
