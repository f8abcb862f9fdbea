// where/parser.hpp: the JSON of a where as a tree; every refusal of a where is made here.
#pragma once

#include <cstddef>

#include "where/documents.hpp"
#include "where/node.hpp"
#include "where/where.hpp"

namespace gantry::data::where {

constexpr int kMaxDepth = 20;               // conditions within conditions
constexpr int kMaxJsonDepth = 100;          // of literals
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
  SourcePtr source;  // owns the JSON that is parsed
  Budget& budget;
  const AskDocuments* ask = nullptr;
};

// What a condition is about: a column or a path below a JSON column; inside $elemMatch a path
// below the element, without a column.
struct Subject {
  std::string name;  // as the caller wrote it
  ColumnPtr column;
  std::vector<std::string> path;

  bool is_typed() const { return column != nullptr && !column->is_json(); }
};

class Parser {
 public:
  explicit Parser(const Context& context) : context_(context) {}

  // A document of conditions on the class's fields.
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

// The tests that need nothing but the operand; each refuses an operand that is none.
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

// The elements of an operand that must be an array, counted against the budget.
rapidjson::Value::ConstArray listed(std::string_view op, const Json& operand,
                                    const Context& context);

// $inQuery and $select, as finished SQL: the column's value is among those the sub-query gives.
Fragment related_rows(const ColumnPtr& column, std::string_view op, const Json& operand,
                      const Context& context, int depth);

// The class that the sub-query of `op` names, with the checks of the operand's form.
const ClassInfo& related_class(std::string_view op, const Json& operand, const Context& context);

// Refuses a column that does not point to `cls`.
void check_pointer(const Column& column, std::string_view op, const ClassInfo& cls);

// What the sub-query finds where its class is one of documents, as values of the column; what the
// column cannot hold is left out.
std::vector<View> document_keys(const Column& column, std::string_view op, const Json& operand,
                                const Context& context);

Node equals_any(const Subject& subject, std::vector<View> values, const Context& context);

// The tree as SQL.
Fragment emit(const Node& node, const SourcePtr& source);

}  // namespace gantry::data::where
