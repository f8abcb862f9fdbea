// plan/tenant_check.hpp: a caller's own value for the field of the tenant.
//
// Equality with another tenant, or a $in that lists one, is refused where every row must satisfy
// it: at the top of a filter and inside $and. Everywhere else the value is only AND-ed with the
// scope. Pure; any thread.
#pragma once

#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// Throws QueryError: access_denied of kind tenant_scope. `filter` need not be valid.
void check_tenant(const Value& filter, const ClassView& cls);
// The same for the $match stages that a pipeline begins with.
void check_tenant_of_stages(const Value& stages, const ClassView& cls);

}  // namespace gantry::data
