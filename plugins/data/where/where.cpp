#include "where/where.hpp"

#include "errors/query_error.hpp"
#include "where/dialect.hpp"
#include "where/parser.hpp"

namespace gantry::data {

Outcome<Fragment> compile_where(const Value& where, const ClassInfo& cls, const Scope& scope,
                                const WhereOptions& options) {
  return compile_where(where, cls, scope, options, {});
}

Outcome<Fragment> compile_where(const Value& where, const ClassInfo& cls, const Scope& scope,
                                const WhereOptions& options, const AskDocuments& ask) {
  try {
    expr::Variables variables;
    match::Parser values(variables);
    const where::Context context{cls, scope, options, values, ask ? &ask : nullptr};
    const where::Node root = where::Parser(context).root(where, 0);
    return root.children.empty() ? Fragment{} : where::emit(root, where::dialect_of(options));
  } catch (const QueryError& error) {
    return error.error();
  }
}

}  // namespace gantry::data
