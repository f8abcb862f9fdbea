// tests/worlds/shapes.hpp: the classes of a world and which rules hold for them.
//
// Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "tables.hpp"

namespace gantry::worlds {

// What a seed chooses of the rules.
struct RuleChoice {
  bool has_identity = true;  // else the agent is a master
  bool has_default_filter = false;
  bool has_canonical = false;
  bool lists_only = false;         // classes by `only`, else by `except`
  bool differs_in_schema = false;  // the hidden class and an index exist in the second world only
  int order_filter = 0;            // which filter the agent has over orders
};

RuleChoice choose_rules(Chance& chance);

// The agent's filter over orders and v_orders, with the values that pass it and those that do not.
struct OrderFilter {
  std::string json;
  RowRule rule;
};
OrderFilter order_filter(const RuleChoice& choice);

TableSpec customer_spec(const RuleChoice& choice);
TableSpec orders_spec(const RuleChoice& choice);
TableSpec item_spec(const RuleChoice& choice);
TableSpec note_spec(const RuleChoice& choice);
TableSpec person_spec();
TableSpec task_spec(const RuleChoice& choice);
TableSpec shelf_spec();
TableSpec payroll_spec();
TableSpec vault_spec();

// Documents: SQL of the rows of each world and of the visible part, and the words.
struct Documents {
  std::string one, other, visible_only;
  ClassWords words;
};
Documents make_documents(Chance& chance);

}  // namespace gantry::worlds
