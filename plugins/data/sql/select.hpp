// sql/select.hpp: every statement that reads a class is written here, and nowhere else;
// tests/layers holds it.
//
// The class's boundary is part of each of them:
//
//   SELECT … FROM table WHERE (boundary) AND plain AND CASE WHEN (boundary) THEN matched ELSE 0 END
//
// so that no matcher meets a row that the agent may not see, in whatever order the database
// evaluates the conditions. Without a boundary the CASE is left out. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sql/predicate.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// What follows the columns; each may be empty.
struct Clauses {
  Predicate where = {};
  Fragment order = {};
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
};

// Reads `columns`, SQL of the catalog.
Fragment select_rows(const ClassView& cls, const Fragment& columns, const Clauses& clauses);
inline Fragment select_rows(const ClassView& cls, std::string_view columns,
                            const Clauses& clauses) {
  return select_rows(cls, Fragment{std::string(columns), {}}, clauses);
}

// The number of rows that select_rows() would read.
Fragment count_rows(const ClassView& cls, const Clauses& clauses);

// An expression: `value` of the row whose column `key` equals `outer`; NULL if there is none.
// `outer` is SQL outside the class.
Fragment value_of_row(const ClassView& cls, const std::string& key, const Fragment& value,
                      std::string_view outer);

// A condition on a row: its full-text index finds `words`, which are in the index's own language.
Fragment found_by(const SearchIndex& index, std::string words);

}  // namespace gantry::data
