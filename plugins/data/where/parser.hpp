// where/parser.hpp: parses the JSON of a where into a tree; all errors of a where arise here.
#pragma once

#include <cstddef>

#include "where/documents.hpp"
#include "where/node.hpp"
#include "where/where.hpp"

namespace gantry::data::where {

constexpr int kMaxDepth = 20;               // nesting of conditions
constexpr int kMaxJsonDepth = 100;          // nesting of literals
constexpr int kMaxOperators = 1'000;        // in a where and its sub-queries together
constexpr std::size_t kMaxListed = 10'000;  // values of $in, $nin, $all, $containedBy together

struct Budget {
  int operators = 0;
  std::size_t listed = 0;

  void spend_operator();
  void spend_listed(std::size_t count);
};

struct Context {
  const ClassInfo& cls;
  const Scope& scope;
  const WhereOptions& options;
  SourcePtr source;  // owns the parsed JSON
  Budget& budget;
  const AskDocuments* ask = nullptr;
};

// The subject of a condition: a column, a path below a JSON column, or inside $elemMatch a path
// below the element, without a column.
struct Subject {
  std::string name;  // in the caller's spelling
  ColumnPtr column;
  std::vector<std::string> path;

  bool is_typed() const { return column != nullptr && !column->is_json(); }
};

class Parser {
 public:
  explicit Parser(const Context& context) : context_(context) {}

  // Parses an object of conditions on the class's fields.
  Node root(const Json& where, int depth) const { return document(where, true, depth); }

 private:
  Node document(const Json& where, bool at_class, int depth) const;
  Node root_condition(std::string_view op, const Json& operand, bool at_class, int depth) const;
  Node logical(std::string_view op, const Json& list, bool at_class, int depth) const;
  Node condition(const Subject& subject, const Json& value, int depth) const;
  Node operators(const Subject& subject, const Json& document, int depth) const;
  Node apply(const Subject& subject, std::string_view op, const Json& operand, const Json& document,
             int depth) const;
  Node negation(const Subject& subject, const Json& operand, int depth) const;
  Node all_of(const Subject& subject, const Json& operand, int depth) const;
  Node element(const Subject& subject, const Json& operand, int depth) const;
  Node related(const Subject& subject, std::string_view op, const Json& operand, int depth) const;
  Node in_documents(const Subject& subject, std::string_view op, const Json& operand,
                    const ClassInfo& cls) const;
  Subject resolve(std::string_view name, bool at_class) const;

  const Context& context_;
};

// Tests that depend on the operand only; each refuses an operand of the wrong type.
Node compare_test(const Subject&, std::string_view op, Order, const Json& operand, const Context&);
Node in_test(const Subject&, std::string_view op, const Json& operand, const Context&);
Node exists_test(const Subject&, const Json& operand);
Node regex_test(const Subject&, const Json& operand, const Json& document);
Node modulo_test(const Subject&, const Json& operand);
Node bits_test(const Subject&, std::string_view op, const Json& operand, const Context&);
Node type_test(const Subject&, const Json& operand);
Node size_test(const Subject&, const Json& operand);
Node contained_test(const Subject&, const Json& operand, const Context&);

Node leaf(const Subject& subject, Test test);

// The elements of an operand that must be an array; they count against the limit.
rapidjson::Value::ConstArray listed(std::string_view op, const Json& operand,
                                    const Context& context);

// $inQuery and $select as finished SQL: tests whether the column's value is in the sub-query's
// result.
Fragment related_rows(const ColumnPtr& column, std::string_view op, const Json& operand,
                      const Context& context, int depth);

// The class of the sub-query of `op`, after checks of the operand's form.
const ClassInfo& related_class(std::string_view op, const Json& operand, const Context& context);

// Refuses a column that is not a pointer to `cls`.
void check_pointer(const Column& column, std::string_view op, const ClassInfo& cls);

// The result of a sub-query over a document class, as values of the column. Values that the column
// cannot hold are left out.
std::vector<View> document_keys(const Column& column, std::string_view op, const Json& operand,
                                const Context& context);

Node equals_any(const Subject& subject, std::vector<View> values, const Context& context);

// Translates the tree to SQL.
Fragment emit(const Node& node, const SourcePtr& source);

}  // namespace gantry::data::where
