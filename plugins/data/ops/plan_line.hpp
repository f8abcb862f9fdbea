// ops/plan_line.hpp: parses one line of SQLite's EXPLAIN QUERY PLAN.
//
// "SEARCH main.people USING INDEX by_age (age>?)" finds rows by an index; "SCAN main.people" reads
// all of them, in some order. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "policy/scope.hpp"

namespace gantry::data {

struct ExplainLine {
  const ClassInfo* cls = nullptr;  // the class whose rows are read; null: none of the scope
  bool scans = false;              // reads every row
  bool searches = false;
  bool sorts = false;      // sorts all rows before it returns the first
  std::string index;       // the index's SQL name; empty: none, or the primary key
  bool by_key = false;     // uses the primary key
  std::size_t equals = 0;  // number of columns compared for equality
  bool is_range = false;
};

// `asked`: the class of the statement. Tables that it reads as a view count as its own.
ExplainLine parse_explain_line(std::string_view line, const ClassInfo& asked, const Scope& scope);

// The index's visible name, as in get_schema; empty: none. The index of a class's own key is
// "PRIMARY KEY".
std::string shown_index(const ExplainLine& line, const Scope& scope);

// Whether the line uses an index that callers may not see.
bool is_hidden(const ExplainLine& line, const Scope& scope);

// Whether callers may see the index: all its fields are visible, so it cannot reveal a hidden one.
bool is_visible(const Index& index, const ClassInfo& cls, const Scope& scope);

}  // namespace gantry::data
