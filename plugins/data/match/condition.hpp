// match/condition.hpp: MongoDB's query language over values: $match, find on document classes, and
// what is left of a filter when SQL has done its part.
//
// parse_condition() reads a filter once; passes() decides for each document. One thread at a time.
// Errors are thrown as QueryError.
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
  // Of the document that is `context.root`.
  virtual bool passes(expr::Context& context) const = 0;
  // Which fields it reads; "" means the whole document.
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};

using ConditionPtr = std::unique_ptr<const Condition>;

// `variables`: for $expr. Limits: 100 levels of conditions, 1,000 operators, 10,000 listed values.
ConditionPtr parse_condition(const Value& filter, expr::Variables& variables);

// All operators there are, of fields and of filters.
std::vector<std::string_view> operator_names();

}  // namespace gantry::data::match
