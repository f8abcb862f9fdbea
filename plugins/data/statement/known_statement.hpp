// statement/known_statement.hpp: a statement that passed, with what its text, its catalog and its
// scope alone decide: it is learned once for all runs.
//
// Plain data; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "statement/clauses.hpp"
#include "statement/misreadings.hpp"
#include "statement/page_order.hpp"
#include "store/store.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct KnownStatement {
  StatementShape shape;
  std::string text;  // as the store runs it
  StatementClauses clauses;
  bool is_ruled = false;  // rules hide rows, fields or indexes of a class
  // The key of the only class of a simple statement under rules: its order comes before that of all
  // columns, so that the database reads the rows in order, and no more than it answers, and after
  // that of the caller, so that no two rows are equal. Else empty.
  std::string own_key = {};
  PageOrder pages = {};
  Misreadings misread = {};
  std::string audit_note = {};  // of its runs, see Reply
};
using KnownStatementPtr = std::shared_ptr<const KnownStatement>;

// `classes`: the views of shape.classes, in their order. Without the audit note.
KnownStatement known_statement(const Store& store, StatementShape shape,
                               const std::vector<const ClassView*>& classes);

}  // namespace gantry::data
