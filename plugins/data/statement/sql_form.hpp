// statement/sql_form.hpp: how a class is written in a caller's SQL, where that is not as get_schema
// names it.
//
// Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "statement/sql_verdicts.hpp"
#include "store/store.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

struct SqlForm {
  std::string name;                  // in quotes; empty: the class's own
  std::vector<std::string> columns;  // of a document class; empty: its fields
  bool is_plain() const { return name.empty() && columns.empty(); }
};

// Letters, digits and '_', not beginning with a digit: a name that needs no quotes unless the
// store's SQL keeps it for itself.
bool is_word(std::string_view name);

// A name is quoted if it is no word of letters, digits and '_', or one that the store's SQL keeps
// for itself, which `verdicts`, if any, remembers.
SqlForm sql_form(const Store& store, SqlVerdicts* verdicts, const ClassView& cls);

}  // namespace gantry::data
