// expr/expression.hpp: MongoDB's aggregation expressions, compiled.
//
// parse_expression() reads one once; evaluate() then runs it for each document. Everything that can
// be refused without a document is refused by parsing, constant parts are evaluated there. Errors
// are thrown as QueryError. One thread at a time; an Expression holds no state of its runs.
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

// What an expression is evaluated for. `slots` are the variables that parsing gave numbers to.
struct Context {
  Value root;     // $$ROOT
  Value current;  // $$CURRENT: what "$a" begins at, as a rule the root
  Array slots;
  std::int64_t now = 0;  // $$NOW, milliseconds since 1970
  // What the query has spent, as a rule that of this thread.
  Spending* spending = Spending::current();
  // A step of work, in every loop over a text, an array or an object: throws when time is spent.
  void step() const {
    if (spending != nullptr) spending->step();
  }
};

class Expression {
 public:
  virtual ~Expression() = default;
  virtual Value evaluate(Context& context) const = 0;
  // The same, where this reads the variable of `slot` once only and nothing reads it afterwards:
  // its value may be changed in place.
  virtual Value evaluate_taking(std::size_t /*slot*/, Context& context) const {
    return evaluate(context);
  }
  // Whether it is that variable and nothing else.
  virtual bool is_variable(std::size_t /*slot*/) const { return false; }
  // The value when it does not depend on a document, a variable, the time or chance; else null.
  virtual const Value* constant() const { return nullptr; }
  // Which fields it reads: dotted paths below the root; "" means the whole document.
  virtual void add_paths(std::set<std::string>& paths) const = 0;
};

using ExpressionPtr = std::unique_ptr<const Expression>;

// Names in sight while an expression is read, and how many slots a Context needs.
class Variables {
 public:
  // A new variable in a new slot; it hides one of the same name until it is taken back.
  std::size_t define(std::string_view name);
  void take_back(std::string_view name);
  // The slot, or -1.
  int find(std::string_view name) const;
  // The same for an expression that reads the variable.
  int read(std::string_view name);
  // How many such there are.
  unsigned reads(std::size_t slot) const { return reads_[slot]; }
  std::size_t slots() const { return slots_; }

 private:
  friend class Nesting;
  int depth_ = 0;  // of the expression that is being read
  std::map<std::string, std::vector<std::size_t>, std::less<>> names_;
  std::vector<unsigned> reads_;  // by slot
  std::size_t slots_ = 0;
};

// `json` is the expression as it stands in a pipeline: "$field", "$$variable", a literal, an array,
// an object of expressions or one operator. Refuses unknown operators with the nearest known ones,
// and more than 200 levels.
ExpressionPtr parse_expression(const Value& json, Variables& variables);

// Names of user variables begin with a lower-case letter; refuses others.
void check_variable_name(std::string_view name, std::string_view op);

}  // namespace gantry::data::expr
