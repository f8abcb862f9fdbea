#include "plan/tenant_check.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "filter/condition.hpp"
#include "sql/row_access.hpp"
#include "values/pointer.hpp"

namespace gantry::data {
namespace {

[[noreturn]] void refuse_tenant(const ClassView& cls) {
  DataError error;
  error.code = error_code::kAccessDenied;
  error.kind = "tenant_scope";
  error.message = "Field '" + cls.tenant_field + "' of class '" + cls.name +
                  "' can only be compared with this agent's own tenant. Leave the condition out: "
                  "reads are scoped to it.";
  throw QueryError(std::move(error));
}

// A denied field has no spelling: its name is refused as that of any other.
bool names_tenant(std::string_view name, const ClassView& cls) {
  if (name == cls.tenant_field) return cls.permits(name);
  const FieldView* const field = cls.find(cls.tenant_field);
  if (field == nullptr) return false;
  const bool is_key = cls.id_name() == field->name;
  return is_key && cls.is_id_alias(name);
}

bool is_own(const Value& value, const ClassView& cls) {
  return value.is_nullish() || is_text(bare_id(value), cls.tenant);
}

void check_condition(const Value& condition, const ClassView& cls) {
  if (!filter::holds_operators(condition)) {
    if (!is_own(condition, cls)) refuse_tenant(cls);
    return;
  }
  const Value& equal = condition.find("$eq");
  if (!equal.is_missing() && !is_own(equal, cls)) refuse_tenant(cls);
  const Value& list = condition.find("$in");
  if (!list.is_array()) return;
  const bool are_own = std::all_of(list.elements().begin(), list.elements().end(),
                                   [&cls](const Value& value) { return is_own(value, cls); });
  if (!are_own) refuse_tenant(cls);
}

}  // namespace

void check_tenant(const Value& filter, const ClassView& cls) {
  if (cls.tenant_field.empty() || !filter.is_object()) return;
  for (const Member& one : filter.members()) {
    if (one.name == "$and" && one.value.is_array()) {
      for (const Value& each : one.value.elements()) check_tenant(each, cls);
    }
    if (names_tenant(one.name, cls)) check_condition(one.value, cls);
  }
}

void check_tenant_of_stages(const Value& stages, const ClassView& cls) {
  if (!stages.is_array()) return;
  for (const Value& stage : stages.elements()) {
    const Value& match = stage.is_object() ? stage.find("$match") : stage;
    if (!match.is_object()) return;
    check_tenant(match, cls);
  }
}

}  // namespace gantry::data
