// expr/expression.hpp: MongoDB's aggregation expressions, compiled.
//
// parse_expression() parses an expression once; evaluate() then runs it for each document. Errors
// that do not depend on a document are found by parsing, and constant parts are folded. Errors are
// thrown as QueryError. One thread at a time; an Expression has no state of its runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::expr {

// The input of an evaluation. `slots` are the values of variables, by the numbers that parsing gave
// them.
struct Context {
  Value root;     // $$ROOT
  Value current;  // $$CURRENT: the start of "$a", usually the root
  Array slots;
  std::int64_t now = 0;  // $$NOW, milliseconds since 1970
  // The spending of the query, usually that of this thread.
  Spending* spending = Spending::current();
  // Counts a step of work; call it in every loop over a text, array or object. Throws when the time
  // is spent.
  void step() const {
    if (spending != nullptr) spending->step();
  }
};

class Expression {
 public:
  virtual ~Expression() = default;
  virtual Value evaluate(Context& context) const = 0;
  // evaluate() for an expression that reads the variable of `slot` only once and last: the
  // variable's value may be changed in place.
  virtual Value evaluate_taking(std::size_t /*slot*/, Context& context) const {
    return evaluate(context);
  }
  // Whether the expression is just this variable.
  virtual bool is_variable(std::size_t /*slot*/) const { return false; }
  // The value if it does not depend on a document, a variable, the time or random numbers; else
  // null.
  virtual const Value* constant() const { return nullptr; }
  // Adds the paths that it reads, below the root; "" means the whole document.
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};

using ExpressionPtr = std::unique_ptr<const Expression>;

// The variables in scope during parsing, and the number of slots that a Context needs.
class Variables {
 public:
  // Defines a variable in a new slot; it hides one of the same name until it is removed.
  std::size_t define(std::string_view name);
  void take_back(std::string_view name);
  // The variable's slot, or -1.
  int find(std::string_view name) const;
  // The same; also counts a read of the variable.
  int read(std::string_view name);
  // The number of reads counted by read().
  unsigned reads(std::size_t slot) const { return reads_[slot]; }
  std::size_t slots() const { return slots_; }
  // Whether no expression read so far uses the clock or random numbers.
  bool is_deterministic() const { return is_deterministic_; }
  void lose_determinism() { is_deterministic_ = false; }

 private:
  friend class Nesting;
  int depth_ = 0;  // nesting of the expression being parsed
  std::map<std::string, std::vector<std::size_t>, std::less<>> names_;
  std::vector<unsigned> reads_;  // by slot
  std::size_t slots_ = 0;
  bool is_deterministic_ = true;
};

// `json` is the expression as in a pipeline: "$field", "$$variable", a literal, an array, an object
// of expressions, or one operator. Refuses unknown operators with the nearest known names, and more
// than 200 levels.
ExpressionPtr parse_expression(const Value& json, Variables& variables);

// Refuses names of user variables that do not begin with a lower-case letter.
void check_variable_name(std::string_view name, std::string_view op);

}  // namespace gantry::data::expr
