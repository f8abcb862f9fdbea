// policy/class_access.hpp: what the model's rules about one class mean for one agent.
//
// Class: shown or absent. Fields: the permitted names (field_rules.hpp). Rows: the conditions that
// all must hold (row_rules.hpp). Pure functions; any thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/field_rules.hpp"
#include "policy/row_rules.hpp"
#include "policy/rules.hpp"

namespace gantry::data {

// The names of the classes that the agent sees. Where the model marks some class with "visible",
// those without the mark are absent. A view or full-text table that shows rows of a class which is
// hidden or ruled is absent, unless the model rules it too.
std::set<std::string, std::less<>> shown_classes(const Catalog& catalog, const Rules& rules);

// The same of one class, whatever the tables are that it reads: only that last rule may hide it.
bool is_shown_by_itself(const Catalog& catalog, const Rules& rules, std::string_view name);
// The model states rules for exactly this class, not only texts.
bool is_ruled_itself(const ClassInfo& cls);
// Of these, rules about its fields, rows or operations.
bool limits_reads(const ClassRules& model);
// `cls` is another class, whose table the view or full-text table reads.
bool reads_table_of(const ClassInfo& view, const ClassInfo& cls);
// Before the field of a group of owners, in class permissions.
inline constexpr std::string_view kOwnerPrefix = "field:";

FieldRulesPtr field_rules(const ClassInfo& cls, const Rules& rules);
RowRules row_rules(const ClassInfo& cls, const Rules& rules, ClassOp op);

}  // namespace gantry::data
