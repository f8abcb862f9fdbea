// plan/typing/expressions.hpp: an expression as a caller writes it, in the types of its documents.
//
//   - paths name the fields as documents have them, and follow pointers (paths.hpp);
//   - a literal that is compared with a date or a key is converted;
//   - a comparison that surely was not meant adds a warning.
//
// An invalid expression is left for its parser to refuse. Throws QueryError as PathReader does.
#pragma once

#include <string>
#include <string_view>

#include "plan/typing/paths.hpp"
#include "plan/typing/warnings.hpp"

namespace gantry::data::typing {

class ExpressionTyper {
 public:
  // All must outlive this. `joins` as PathReader's; `variables`: types of `let` variables by name.
  ExpressionTyper(const Scope& scope, TypePtr root, const TypesByName& variables, Joins* joins,
                  Warnings& warnings)
      : scope_(scope),
        root_(std::move(root)),
        variables_(variables),
        joins_(joins),
        warnings_(warnings) {}

  // Rewrites `expression` and returns the type of its values. `is_accumulator`: the operand of an
  // accumulator, such as {$first: "$a"} of a $group.
  TypePtr bind(Value& expression, bool is_accumulator = false) const;

  // The keys of a sort, {field: direction}.
  Value sort_keys(const Value& keys) const;

 private:
  TypePtr text(Value& expression) const;
  TypePtr variable(Value& expression, std::string_view name, std::string_view rest) const;
  TypePtr object(Value& expression, bool is_accumulator) const;
  TypePtr call(const std::string& name, Value& operand, bool is_accumulator) const;
  TypePtr arguments(Value& operand) const;
  TypePtr compare(const std::string& name, Value& operand) const;
  TypePtr element_of(Value& operand) const;
  bool is_date_already(Value& operand) const;
  TypePtr let(Value& operand) const;
  TypePtr loop(const std::string& name, Value& operand) const;
  TypePtr branches(const std::string& name, Value& operand) const;
  TypePtr get_field(Value& operand) const;
  void doubt(const Value& field, const Type& type, const Value& literal, std::string_view op) const;
  void doubt_of_null(const Type& type) const;
  void warn_of_null(const Value& field, const Type& type, std::string_view op,
                    const Value& literal) const;
  TypePtr ranked(Value& operand, std::string_view name) const;
  ExpressionTyper with(const TypesByName& variables) const {
    return {scope_, root_, variables, joins_, warnings_};
  }

  const Scope& scope_;
  const TypePtr root_;
  const TypesByName& variables_;
  Joins* const joins_;
  Warnings& warnings_;
};

}  // namespace gantry::data::typing
