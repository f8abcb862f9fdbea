// statement/composed.hpp: a caller's statement together with the sub-queries for its classes.
//
//   WITH RECURSIVE "gantry:values"(x) AS (SELECT ?101), "gantry:many"(x) AS (…),
//   "gantry:1" AS [NOT] MATERIALIZED (SELECT … FROM … WHERE …),
//   "Order"("id", …) AS NOT MATERIALIZED (SELECT * FROM "gantry:1")
//   SELECT * FROM (the caller's text) LIMIT ?
//
// The text is one that a store has judged (store/caller_statement.hpp): it can only mean these
// names, and none that begins as ours do, so tables are read inside "gantry:1" alone. Where rules
// hide rows, fields or their indexes from the agent, neither an expression that fails nor the order
// of the answer may tell of them:
//   - the rows are sorted by all columns after the caller's own ORDER BY, those of a simple
//     statement over one class by its key before;
//   - a simple statement uses the class's indexes, unless columns that are computed or have no type
//     may hold values that no order tells apart (1 and 1.0) and no key does;
//   - for all others the class is in its own order with LIMIT -1, and AS MATERIALIZED but in a
//     statement with one SELECT: expressions of the caller meet no row outside the scope. A part
//     of it without rows, of "gantry:many", makes SQLite expect the same number of rows of each
//     class, whatever its indexes and statistics say: they choose the order of joins.
// Numbered values of the caller are ?1 to ?100; ours and bare ones come after them. A next page has
// WHERE and the condition of statement/page_order.hpp before the last LIMIT. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "statement/known_statement.hpp"
#include "store/store.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// What differs from one run of a statement to the next.
struct RunValues {
  std::vector<Bind> values;  // of the shape's parameters, in their order
  std::uint64_t limit = 0;
  std::vector<Bind> after = {};  // of the last row that was answered, one for each page key
};

// `classes`: the views of the shape's classes, in their order.
CallerStatement composed(const KnownStatement& known, const std::vector<const ClassView*>& classes,
                         const RunValues& run);

// Throws QueryError, invalid_argument: parameters are both bare and numbered, or numbers are left
// out.
void check_parameters(const KnownStatement& known);

}  // namespace gantry::data
