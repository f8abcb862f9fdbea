#include "filter/columns/where.hpp"

#include "filter/columns/binder.hpp"
#include "sql/dialect.hpp"

namespace gantry::data {

Predicate compile_where(const Value& where, const ClassView& cls, const Scope& scope,
                        const WhereOptions& options) {
  expr::Variables variables;
  filter::Parser parser(variables, filter::Evaluator::store);
  const columns::Context context{cls, scope, options, parser};
  Predicate predicate = columns::emit(columns::Binder(context).read(where, 0), options.dialect);
  if (!variables.is_deterministic()) scope.lose_determinism();
  return predicate;
}

}  // namespace gantry::data
