// plan/typing/conditions.hpp: a condition of a $match in the types of its documents, as
// expressions.hpp does it for expressions.
#pragma once

#include "plan/typing/expressions.hpp"

namespace gantry::data::typing {

struct ConditionTyper {
  const Scope& scope;
  TypePtr root;
  const TypesByName& variables;
  Joins* joins;
  Warnings& warnings;
  // Every document of the answer satisfies the condition.
  bool is_met = false;

  // `condition` is an object; it need not be valid. Returns it with the names that documents have.
  Value bind(const Value& condition, int depth = 0) const;

 private:
  Value bind_junction(std::string_view name, const Value& operand, int depth) const;
  Value bind_list(const Value& list, int depth) const;
  // A condition on one field.
  struct Field {
    const std::string& name;  // as the caller wrote it
    const Type& type;
    const Origin& origin;
  };
  Value bind_field(const Field& field, const Value& condition, int depth) const;
  Value operation(const Field& field, const std::string& op, const Value& operand, int depth) const;
  void doubt(const Field& field, const std::string& op, const Value& literal, int depth) const;
};

}  // namespace gantry::data::typing
