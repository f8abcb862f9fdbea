// policy/class_layers.hpp: every rule of the model about one class, as one agent meets it.
//
// For operators alone: callers must not learn what hides a class, a field or a row. Pure functions;
// any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/class_rules.hpp"
#include "policy/field_rules.hpp"
#include "policy/row_rules.hpp"
#include "policy/rules.hpp"

namespace gantry::data {

class Catalog;

inline constexpr std::array kClassOps = {ClassOp::find,   ClassOp::get,    ClassOp::count,
                                         ClassOp::create, ClassOp::update, ClassOp::remove};

struct ClassLayers {
  ClassRulesPtr model;                        // null: the model has no rules about the class
  std::vector<std::string> protected_fields;  // from this agent, of those that it else could see
  std::array<RowRules, kClassOps.size()> rows{};  // by operation, in the order of kClassOps
};

// Of an absent class: nothing.
ClassLayers class_layers(const Catalog& catalog, const Rules& rules, std::string_view name);

// All classes but the store's own tables, which no model opens.
std::vector<std::string> class_names(const Catalog& catalog);

}  // namespace gantry::data
