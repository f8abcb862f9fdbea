// filter/columns/binder.hpp: binds a where to the columns of one class; all errors of a where but
// those of its syntax arise here.
//
// The filter is a tree of filter/. Conditions on a column's own value get literals of the column's
// type; conditions on JSON keep the tests of filter/. Everything throws QueryError.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "filter/columns/node.hpp"
#include "filter/columns/sub_query.hpp"
#include "filter/columns/where.hpp"
#include "filter/parser.hpp"

namespace gantry::data::columns {

constexpr int kMaxDepth = 20;  // nesting of conditions and sub-queries: SQLite's parser has a limit

struct Context {
  const ClassView& cls;
  const Scope& scope;
  const WhereOptions& options;
  filter::Parser& parser;  // counts the conditions of a where and its sub-queries together
};

// The subject of a condition: a column, or a path below a JSON column.
struct Subject {
  std::string name;  // in the caller's spelling
  ColumnPtr column;
  bool is_json() const { return column->is_json(); }
};

class Binder {
 public:
  explicit Binder(const Context& context) : context_(context) {}

  // Parses `where`, an object of conditions on the class's fields, and binds it.
  Node read(const Value& where, int depth) const;

 private:
  Node bind(const filter::ConditionPtr& condition, int depth) const;
  Node group(const filter::Condition& condition, int depth) const;
  Node field(const filter::Condition& condition, int depth) const;
  Node operations(const Subject& subject, const std::vector<filter::Operation>& all,
                  int depth) const;
  Node apply(const Subject& subject, const filter::Operation& one, int depth) const;
  Node negation(const Subject& subject, const filter::Operation& one, int depth) const;
  void check_json(const filter::Operation& one) const;
  Node related(const Subject& subject, const filter::Operation& one, int depth) const;
  Node in_class(const ClassView& cls, const Subject& subject, std::string_view op,
                const SubQuery& query, int depth) const;
  Node in_documents(const Subject& subject, std::string_view op, const SubQuery& query,
                    const ClassView& cls) const;
  Subject resolve(std::string_view name) const;
  std::optional<Node> through_pointer(const filter::Condition& condition, int depth) const;
  Node in_objects(const ColumnPtr& pointer, const ClassView& target, const Value& where,
                  int depth) const;

  const Context& context_;
};

// Conditions on a column's own value. They refuse operands of the wrong type, and operators that
// never apply to the column's kind.
Node compare_test(const Subject&, std::string_view op, Order, const Value& operand, const Context&);
Node in_test(const Subject&, const filter::Operation& one, const Context&);
Node all_test(const Subject&, const filter::Operation& one, const Context&);
Node regex_test(const Subject&, const filter::Operation& one);
Node type_test(const Subject&, const filter::Operation& one);
// $mod and the bit tests.
Node number_test(const Subject&, const filter::Operation& one);

// $inQuery and $select as finished SQL: tests whether the column's value is in the sub-query's
// result.
Fragment related_rows(const ColumnPtr& column, std::string_view op, const SubQuery& query,
                      const Context& context, int depth);

// The class of the sub-query. It refuses one that the agent may not read.
const ClassView& related_class(const SubQuery& query, const Context& context);

// Refuses a column that is not a pointer to `cls`.
void check_pointer(const Column& column, std::string_view op, const ClassView& cls);

// The result of a sub-query over a document class, as values of the column. Values that the column
// cannot hold are left out.
Array document_keys(const Column& column, std::string_view op, const SubQuery& query,
                    const Context& context);

Node equals_any(const Subject& subject, Array values, const Context& context);

}  // namespace gantry::data::columns
