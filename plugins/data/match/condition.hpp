// match/condition.hpp: MongoDB's query language over values. Used by $match, by find on document
// classes, and for the part of a filter that SQL cannot evaluate.
//
// parse_condition() parses a filter once; passes() evaluates it for each document. One thread at a
// time. Errors are thrown as QueryError.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/expression.hpp"

namespace gantry::data::match {

class Condition {
 public:
  virtual ~Condition() = default;
  // Evaluates the condition for the document `context.root`.
  virtual bool passes(expr::Context& context) const = 0;
  // Adds the paths that the condition reads; "" means the whole document.
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};

using ConditionPtr = std::unique_ptr<const Condition>;

// `variables` are those for $expr. Limits: 100 levels of conditions, 1,000 operators, 10,000 listed
// values.
ConditionPtr parse_condition(const Value& filter, expr::Variables& variables);

// The names of all operators, for fields and for filters.
std::vector<std::string_view> operator_names();

}  // namespace gantry::data::match
