// sql/row_order.hpp: the order of rows if the caller asked for none, or for one with ties.
//
// By default rows come in the database's natural order. Where that order could reveal an internal
// column (ClassView::order_tells), rows are sorted by rowid or id, else by the visible fields. Pure
// functions; any thread.
#pragma once

#include <string>

#include "sql/select.hpp"

namespace gantry::data {

// The table's own order, as an ORDER BY list: the rowid, else the primary key of a WITHOUT ROWID
// table. If order_tells is set and neither is visible: the visible fields. Empty: it has none.
std::string own_order(const ClassView& cls);

// The same clauses with ties broken by own_order().
Clauses in_own_order(const ClassView& cls, Clauses clauses);

// Extends `order` (an ORDER BY list, may be empty) where ties could reveal an internal column.
Fragment settled_order(const ClassView& cls, Fragment order);

}  // namespace gantry::data
