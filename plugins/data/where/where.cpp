#include "where/where.hpp"

#include "sql/dialect.hpp"
#include "where/parser.hpp"

namespace gantry::data {

Predicate compile_where(const Value& where, const ClassView& cls, const Scope& scope,
                        const WhereOptions& options) {
  expr::Variables variables;
  match::Parser values(variables);
  const where::Context context{cls, scope, options, values};
  return where::emit(where::Parser(context).root(where, 0), context.dialect());
}

}  // namespace gantry::data
