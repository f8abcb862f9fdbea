// ops/plan_line.hpp: one line of the database's own words on how it finds rows.
//
// "SEARCH main.people USING INDEX by_age (age>?)" finds rows by an index; "SCAN main.people" looks
// at all of them, in whatever order. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"

namespace gantry::data {

struct PlanLine {
  const ClassInfo* cls = nullptr;  // whose rows are read; null: no class that the scope has
  bool scans = false;              // reads every row
  bool searches = false;
  bool sorts = false;      // all rows before the first is given
  std::string index;       // as the database calls it; empty: none, or the key that rows lie under
  bool by_key = false;     // that key
  std::size_t equals = 0;  // columns that are compared with a value
  bool is_range = false;
};

// `asked`: the class that the statement is about; tables that it reads as a view count as its own.
PlanLine read_plan_line(std::string_view line, const ClassInfo& asked, const Scope& scope);

// The name that callers may see of the index, as get_schema shows it; empty: none. The index of a
// class's own key is "PRIMARY KEY".
std::string shown_index(const PlanLine& line, const Scope& scope);

// Whether the line names an index that callers may not see.
bool is_hidden(const PlanLine& line, const Scope& scope);

// Whether callers may see the index: every field of it is visible, since an index must not tell of
// one that is not.
bool is_visible(const Index& index, const ClassInfo& cls, const Scope& scope);

}  // namespace gantry::data
