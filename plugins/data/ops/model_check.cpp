#include "ops/model_check.hpp"

#include <set>

#include "errors/query_error.hpp"
#include "expr/expression.hpp"
#include "filter/columns/where.hpp"
#include "filter/condition.hpp"
#include "ops/page.hpp"
#include "plan/typing/typed_where.hpp"
#include "policy/rules.hpp"
#include "sql/dialect.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

// As a caller's `where`. Throws QueryError: it does not fit the class.
void compile(const Value& filter, const ClassView& cls, const Scope& scope) {
  if (cls.is_open()) {
    expr::Variables variables;
    (void)filter::parse_condition(filter, variables);
    return;
  }
  Warnings unshown;
  const Value typed = typing::typed_where(filter, cls, scope, unshown);
  (void)compile_where(typed, cls, scope, {mute_dialect()});
}

struct Misfits {
  std::set<std::string> absent;               // classes
  std::map<std::string, std::string> faults;  // the first of each class
};

void check_filter(const std::string& name, const Value& filter, const Scope& scope, Misfits& out) {
  const ClassView* const cls = scope.open(name);
  if (cls == nullptr) return void(out.absent.insert(name));
  try {
    compile(filter, *cls, scope);
  } catch (const QueryError& error) {
    out.faults.emplace(name, error.error().message);
  }
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

Reply check_agent_filters(const Request& request) {
  Misfits misfits;
  const Scope& scope = request.scope.engine();
  for (const Value& layer : request.scope.rules().agent().filters) {
    for (const auto& [name, filter] : layer.members()) {
      if (name != "default") check_filter(std::string(name), filter, scope, misfits);
    }
  }
  std::vector<std::string> faults;
  for (const auto& [name, fault] : misfits.faults) faults.push_back(name + ": " + fault);
  return {{},
          "{\"absent\":" + quoted_list({misfits.absent.begin(), misfits.absent.end()}) +
              ",\"faults\":" + quoted_list(faults) + "}"};
}

}  // namespace gantry::data
