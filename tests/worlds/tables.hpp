// tests/worlds/tables.hpp: tables with rows that an agent sees and rows that it does not, in two
// versions.
//
// Literals are those of SQL, which with single quotes are literals of JSON too. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "chance.hpp"
#include "world.hpp"

namespace gantry::worlds {

// What a column's values are: those of visible rows, and those that rows hidden by any rule have
// besides.
struct Column {
  std::string name, declared;
  std::vector<std::string> seen, hidden;
  std::string points_to = {};  // the class of a visible pointer
  // The agent may not name it, or may not see its values: they differ between the worlds in
  // visible rows too.
  bool is_denied = false, is_redacted = false;
};

// One rule that hides rows: the column with a value of `outside` hides a row, with one of `inside`
// it does not.
struct RowRule {
  std::string column;
  std::vector<std::string> inside, outside;
};

struct TableSpec {
  std::string name, key = "id INTEGER PRIMARY KEY";
  std::vector<Column> columns = {};
  std::vector<RowRule> rules = {};
  int rows = 30;
  // Every row with an id divisible by 13 is hidden, by the agent's default filter.
  bool hides_by_id = false;
  std::string quote = "";  // of ids: "'u" makes 'u1'
};

struct TableRow {
  std::string id;
  bool is_visible = true;
  std::vector<std::string> cells;
};

struct Table {
  TableSpec spec;
  std::vector<TableRow> one, other;
};

// Visible rows are the same in both but for denied columns; hidden ones are there, gone or
// different.
Table make_table(Chance& chance, const TableSpec& spec);

std::string create_sql(const TableSpec& spec, bool without_denied = false);
std::string insert_sql(const TableSpec& spec, const std::vector<TableRow>& rows,
                       bool visible_only = false);

// The words of its rows.
ClassWords words_of(const Table& table);

}  // namespace gantry::worlds
