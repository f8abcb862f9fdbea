// where/parser.hpp: reads a where for one class; all errors of a where arise here.
//
// Conditions on a column's own value are read here, with literals converted to the column's type.
// Conditions on JSON are read by match/. Everything throws QueryError.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "match/parser.hpp"
#include "where/node.hpp"
#include "where/where.hpp"

namespace gantry::data::where {

constexpr int kMaxDepth = 20;  // nesting of conditions and sub-queries: SQLite's parser has a limit

struct Context {
  const ClassView& cls;
  const Scope& scope;
  const WhereOptions& options;
  match::Parser& values;  // counts the conditions of a where and its sub-queries together

  const Dialect& dialect() const {
    return options.dialect != nullptr ? *options.dialect : sqlite_dialect();
  }
};

// The subject of a condition: a column, or a path below a JSON column.
struct Subject {
  std::string name;  // in the caller's spelling
  ColumnPtr column;
  std::optional<std::string> path;

  bool is_json() const { return column->is_json(); }
};

class Parser {
 public:
  explicit Parser(const Context& context) : context_(context) {}

  // Reads an object of conditions on the class's fields.
  Node root(const Value& where, int depth) const;

 private:
  Node root_condition(std::string_view op, const Value& operand, int depth) const;
  Node logical(std::string_view op, const Value& list, int depth) const;
  Node condition(const Subject& subject, const Value& value, int depth) const;
  Node operators(const Subject& subject, const Value& object, int depth) const;
  Node apply(const Subject& subject, const Member& one, const Value& object, int depth) const;
  Node negation(const Subject& subject, const Value& operand, int depth) const;
  Node in_json(const Subject& subject, const Value& condition) const;
  Node related(const Subject& subject, std::string_view op, const Value& operand, int depth) const;
  Node in_documents(const Subject& subject, std::string_view op, const Value& operand,
                    const ClassView& cls) const;
  Subject resolve(std::string_view name) const;

  const Context& context_;
};

// Conditions on a column's own value. They refuse operands of the wrong type, and operators that
// never apply to the column's kind.
Node compare_test(const Subject&, std::string_view op, Order, const Value& operand, const Context&);
Node in_test(const Subject&, std::string_view op, const Value& operand, const Context&);
Node all_test(const Subject&, const Value& operand, const Context&);
Node regex_test(const Subject&, const Value& operand, const Value& object);
Node type_test(const Subject&, const Member& one, const Context&);
// $mod and the bit tests.
Node number_test(const Subject&, const Member& one, const Context&);

// True for an operand of $exists that asks for present values.
bool wants_presence(const Value& operand);

// $inQuery and $select as finished SQL: tests whether the column's value is in the sub-query's
// result.
Fragment related_rows(const ColumnPtr& column, std::string_view op, const Value& operand,
                      const Context& context, int depth);

// The class of the sub-query of `op`, after checks of the operand's form.
const ClassView& related_class(std::string_view op, const Value& operand, const Context& context);

// Refuses a column that is not a pointer to `cls`.
void check_pointer(const Column& column, std::string_view op, const ClassView& cls);

// The result of a sub-query over a document class, as values of the column. Values that the column
// cannot hold are left out.
Array document_keys(const Column& column, std::string_view op, const Value& operand,
                    const Context& context);

Node equals_any(const Subject& subject, Array values, const Context& context);

}  // namespace gantry::data::where
