// statement/page_order.hpp: where the next page of a statement's rows begins.
//
// If no two rows are equal in the columns of ORDER BY, the next page is the rows after the last one
// in these columns: SELECT * FROM (the statement) WHERE … with that row's values. They are visible
// values of the answer, and the condition is one that the caller could write. Which columns differ
// is told by the key and the unique indexes that the agent sees, by GROUP BY and by DISTINCT. Pure;
// any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "statement/clauses.hpp"
#include "store/caller_statement.hpp"
#include "values/fragment.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct PageKey {
  std::size_t column = 0;  // of the answer
  std::string sql;         // its name, quoted
  std::string collation = {};
  bool descends = false, nulls_first = true, may_be_null = true;
  bool identifies = false;  // rows that are NULL there may be equal in all keys
};

struct PageOrder {
  std::vector<PageKey> keys;  // empty: no page follows another
  // What the caller may change so that there are pages; empty: nothing that is known.
  std::string advice;
};

// `own_key`: the field by which the rows come where the statement has no ORDER BY; empty: in no
// order. `renames`: the store runs another text, so that a computed column may have another name.
PageOrder page_order(const StatementShape& shape, const std::vector<SqlWord>& words,
                     const StatementClauses& clauses, const std::vector<const ClassView*>& classes,
                     const std::string& own_key, bool renames);

// True for the rows after the one with these values, one for each key.
Fragment rows_after(const PageOrder& order, const std::vector<Bind>& values);

}  // namespace gantry::data
