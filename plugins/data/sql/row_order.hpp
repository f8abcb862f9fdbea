// sql/row_order.hpp: in what order rows come where the caller asked for none, or for one that
// leaves some equal.
//
// The database gives rows as it finds them. Where that may tell of a column that is never shown
// (ClassInfo::order_tells), rows come by row number or id, else by the visible fields. Pure
// functions; any thread.
#pragma once

#include <string>

#include "catalog/catalog.hpp"
#include "sql/fragment.hpp"

namespace gantry::data {

// The table's own order, as ORDER BY says it: by rowid, else by the key that its rows are stored
// under, else, where the database's order tells, by its visible fields; empty: it has none.
std::string own_order(const ClassInfo& cls);

// `order`, what ORDER BY says or empty, made so that no rows are left in an order that tells.
Fragment settled_order(const ClassInfo& cls, Fragment order);

}  // namespace gantry::data
