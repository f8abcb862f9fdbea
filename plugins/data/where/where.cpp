#include "where/where.hpp"

#include "sql/dialect.hpp"
#include "where/binder.hpp"

namespace gantry::data {

Predicate compile_where(const Value& where, const ClassView& cls, const Scope& scope,
                        const WhereOptions& options) {
  expr::Variables variables;
  match::Parser parser(variables, match::Evaluator::store);
  const where::Context context{cls, scope, options, parser};
  return where::emit(where::Binder(context).read(where, 0), context.dialect());
}

}  // namespace gantry::data
