#include "ops/model_check.hpp"

#include "errors/query_error.hpp"
#include "expr/expression.hpp"
#include "filter/columns/where.hpp"
#include "filter/condition.hpp"
#include "plan/typing/typed_where.hpp"
#include "policy/rules.hpp"
#include "sql/dialect.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

void compile(const Value& filter, const ClassView& cls, const Scope& scope) {
  if (cls.is_open()) {
    expr::Variables variables;
    (void)filter::parse_condition(filter, variables);
    return;
  }
  Warnings unshown;
  const Value typed = typing::typed_where(filter, cls, scope, unshown);
  (void)compile_where(typed, cls, scope, {&sqlite_dialect(), {}});
}

}  // namespace

std::map<std::string, std::string> refused_canonical_filters(const CatalogPtr& catalog) {
  std::map<std::string, std::string> refused;
  const Scope scope(catalog, Rules::of_engine());
  for (const ClassView* const cls : scope.classes()) {
    if (!cls->model || cls->model->canonical_filter.empty()) continue;
    try {
      const auto filter = read_extended(cls->model->canonical_filter, {.parse_types = true});
      if (!filter) throw QueryError(filter.message());
      compile(*filter, *scope.open(cls->name), scope);
    } catch (const QueryError& error) {
      refused.emplace(cls->name, error.error().message);
    }
  }
  return refused;
}

}  // namespace gantry::data
