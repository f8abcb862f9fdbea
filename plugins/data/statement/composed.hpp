// statement/composed.hpp: a caller's statement together with the sub-queries for its classes.
//
//   WITH "gantry:values"(x) AS (SELECT ?101),
//   "gantry:1" AS [NOT] MATERIALIZED (SELECT … FROM … WHERE …),
//   "Order"("id", …) AS NOT MATERIALIZED (SELECT * FROM "gantry:1")
//   SELECT * FROM (the caller's text) LIMIT ?
//
// The text is one that a store has judged (store/caller_statement.hpp): it can only mean these
// names, and none that begins as ours do, so tables are read inside "gantry:1" alone. Where rules
// hide rows, fields or their indexes from the agent, neither an expression that fails nor the order
// of the answer may tell of them:
//   - the rows are sorted by all columns after the caller's own ORDER BY;
//   - a simple statement uses the class's indexes;
//   - for all others the class is AS MATERIALIZED, in its own order: expressions of the caller meet
//     no row outside the scope.
// Numbered values of the caller are ?1 to ?100; ours and bare ones come after them. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// `classes`: the views of shape.classes, in their order. `text`: the statement as the store runs
// it. `values`: of the shape's parameters, in their order.
CallerStatement composed(const StatementShape& shape, const std::string& text,
                         const std::vector<const ClassView*>& classes,
                         const std::vector<Bind>& values, std::uint64_t limit);

// Throws QueryError, invalid_argument: parameters are both bare and numbered, or numbers are left
// out.
void check_parameters(const StatementShape& shape);

}  // namespace gantry::data
