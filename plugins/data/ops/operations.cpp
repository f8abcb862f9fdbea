#include "ops/operations.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "ops/access_ops.hpp"
#include "ops/aggregate_ops.hpp"
#include "ops/explain_ops.hpp"
#include "ops/export/export_ops.hpp"
#include "ops/group_ops.hpp"
#include "ops/introduction.hpp"
#include "ops/query_text.hpp"
#include "ops/read_ops.hpp"
#include "ops/schema_ops.hpp"
#include "ops/sql/sql_ops.hpp"

namespace gantry::data {
namespace {

constexpr std::array kOperations = {
    NamedOperation{"query", query_in_format, ClassOp::find, Canonical::optional},
    NamedOperation{"sql", run_sql},
    NamedOperation{"get", get, ClassOp::get, Canonical::ignored},
    NamedOperation{"get_many", get_many, ClassOp::get, Canonical::ignored},
    NamedOperation{"count", count, ClassOp::count, Canonical::optional},
    NamedOperation{"samples", samples},
    NamedOperation{"aggregate", aggregate, ClassOp::find, Canonical::optional},
    NamedOperation{"group_by", group_by},
    NamedOperation{"group_by_date", group_by_date},
    NamedOperation{"distinct", distinct},
    NamedOperation{"explain", explain},
    NamedOperation{"export", export_rows},
    NamedOperation{"export_link", refuse_link},
    NamedOperation{"schemas", list_classes},
    NamedOperation{"schema", describe_class},
    NamedOperation{"access", describe_access},
    NamedOperation{"introduction", introduction},
};

}  // namespace

const NamedOperation* find_operation(std::string_view name) {
  const auto found =
      std::find_if(kOperations.begin(), kOperations.end(),
                   [name](const NamedOperation& known) { return known.name == name; });
  return found == kOperations.end() ? nullptr : &*found;
}

void narrow(const NamedOperation& operation, Request& request) {
  request.scope = request.scope.for_op(operation.op);
  bool applies = operation.canonical != Canonical::ignored;
  if (operation.canonical == Canonical::optional) {
    applies = optional_flag(request, "apply_canonical_filter", true);
  }
  request.scope = request.scope.with_canonical(applies);
}

DataError unknown_operation() {
  std::string names;
  for (const NamedOperation& known : kOperations) {
    names.append(names.empty() ? "" : ", ").append(known.name);
  }
  return invalid_argument("gantry.data/1: 'op' must be one of " + names);
}

}  // namespace gantry::data
