// statement/clauses.hpp: what the words of a statement say of its outermost SELECT: its order, its
// bounds, whether its rows differ.
//
// Only words outside of all parentheses count. The text is one that a store has judged. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/sql_words.hpp"

namespace gantry::data {

// A term of ORDER BY or GROUP BY.
struct OrderTerm {
  std::string name;            // of a column; empty: the term is something else
  std::size_t number = 0;      // of a column, from 1; 0: it has none
  std::string qualifier = {};  // the t of "t.name"; empty: it has none
  bool descends = false;
  bool nulls_first = true;
  std::string collation = {};  // that the term states
};

struct StatementClauses {
  std::size_t bounds_at = 0;  // the place of LIMIT, or the end
  // The number of rows that "LIMIT 20" or "LIMIT 20 OFFSET …" states.
  std::optional<std::uint64_t> stated_rows = {};
  bool has_order = false, is_grouped = false, is_distinct = false;
  std::vector<OrderTerm> order, groups;
  bool is_single = false;         // it is one SELECT, no set operation
  bool joins_by_name = false;     // NATURAL or USING
  bool is_filtered = false;       // WHERE, HAVING or JOIN: rows may be read and left out
  bool mixes_parameters = false;  // with numbers and without: one number may stand for two
};

StatementClauses clauses_of(const std::vector<SqlWord>& words, std::size_t text_size);

// The name before the fields of the class: its alias, or its own; empty: the words name the class
// more than once other than before a field, or not at all.
std::optional<std::string> only_name(const std::vector<SqlWord>& words, std::string_view cls);

}  // namespace gantry::data
