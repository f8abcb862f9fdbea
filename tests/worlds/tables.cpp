#include "tables.hpp"

#include <algorithm>
#include <set>

namespace gantry::worlds {
namespace {

bool is_one_of(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Values of the rules are set afterwards.
std::vector<std::string> cells_of(Chance& chance, const TableSpec& spec, bool is_visible) {
  std::vector<std::string> cells;
  for (const Column& column : spec.columns) {
    const bool is_hidden_value = !is_visible && !column.hidden.empty() && chance.percent(70);
    cells.push_back(chance.of(is_hidden_value ? column.hidden : column.seen));
  }
  return cells;
}

void apply_rules(Chance& chance, const TableSpec& spec, TableRow& row, std::size_t broken) {
  for (std::size_t i = 0; i < spec.rules.size(); ++i) {
    const RowRule& rule = spec.rules[i];
    const bool breaks = !row.is_visible && (i == broken || chance.once_in(6));
    for (std::size_t c = 0; c < spec.columns.size(); ++c) {
      if (spec.columns[c].name != rule.column) continue;
      row.cells[c] = chance.of(breaks ? rule.outside : rule.inside);
    }
  }
}

TableRow row_of(Chance& chance, const TableSpec& spec, const std::string& id, bool is_visible) {
  TableRow row{id, is_visible, cells_of(chance, spec, is_visible)};
  const std::size_t ways = spec.rules.size();
  apply_rules(chance, spec, row, ways == 0 ? 0 : chance.below(ways));
  return row;
}

// NULL stays NULL: a pointer to a hidden class may be asked whether it is one.
void change_denied(Chance& chance, const TableSpec& spec, TableRow& row) {
  for (std::size_t i = 0; i < spec.columns.size(); ++i) {
    const Column& column = spec.columns[i];
    const bool is_rule = std::any_of(spec.rules.begin(), spec.rules.end(),
                                     [&](const RowRule& one) { return one.column == column.name; });
    if (!(column.is_denied || column.is_redacted) || is_rule || row.cells[i] == "NULL" ||
        chance.once_in(3))
      continue;
    row.cells[i] = chance.of(column.hidden);
  }
}

// Each "@@" of a visible text becomes a text of its own that no agent sees.
void veil(Chance& chance, TableRow& row) {
  for (std::string& cell : row.cells) {
    const auto at = cell.find("@@");
    if (at != cell.npos) cell.replace(at, 2, chance.of({"ruby", "zebra", "a"}));
  }
}

std::string id_text(const TableSpec& spec, int id) {
  return spec.quote.empty() ? std::to_string(id) : spec.quote + std::to_string(id) + "'";
}

bool is_literal(const std::string& cell) {
  return cell != "NULL" && cell.find_first_of("\"{") == cell.npos && !cell.starts_with("x'");
}

void note_values(const Table& table, std::size_t column, Literals& values) {
  std::set<std::string> seen, hidden;
  const Column& spec = table.spec.columns[column];
  const bool is_denied = spec.is_denied || spec.is_redacted;
  for (const TableRow& row : table.one) {
    const std::string& cell = row.cells[column];
    if (row.is_visible && !is_denied && is_literal(cell)) seen.insert(cell);
  }
  for (const TableRow& row : table.other) {
    const std::string& cell = row.cells[column];
    if ((!row.is_visible || is_denied) && is_literal(cell) && !seen.contains(cell)) {
      hidden.insert(cell);
    }
  }
  values = {{seen.begin(), seen.end()}, {hidden.begin(), hidden.end()}};
}

}  // namespace

Table make_table(Chance& chance, const TableSpec& spec) {
  Table table{spec, {}, {}};
  for (int id = 1; id <= spec.rows; ++id) {
    const bool can_hide = !spec.rules.empty();
    const bool by_id = spec.hides_by_id && id % 13 == 0;
    const bool is_visible = !by_id && (!can_hide || chance.percent(50));
    TableRow row = row_of(chance, spec, id_text(spec, id), is_visible);
    if (is_visible) {
      table.one.push_back(row);
      veil(chance, table.one.back());
      change_denied(chance, spec, row);
      veil(chance, row);
      table.other.push_back(std::move(row));
      continue;
    }
    if (!chance.once_in(3)) table.one.push_back(row);
    if (chance.once_in(6))
      table.other.push_back(row);
    else if (!chance.once_in(4)) {
      table.other.push_back(row_of(chance, spec, id_text(spec, id), false));
    }
  }
  return table;
}

std::string create_sql(const TableSpec& spec, bool without_denied) {
  std::string sql = "CREATE TABLE " + spec.name + "(" + spec.key;
  for (const Column& column : spec.columns) {
    if (!(without_denied && column.is_denied)) sql += ", " + column.name + " " + column.declared;
  }
  return sql + ");\n";
}

std::string insert_sql(const TableSpec& spec, const std::vector<TableRow>& rows,
                       bool visible_only) {
  std::string sql;
  for (const TableRow& row : rows) {
    if (visible_only && !row.is_visible) continue;
    sql += "INSERT INTO " + spec.name + " VALUES(" + row.id;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (!(visible_only && spec.columns[i].is_denied)) sql += "," + row.cells[i];
    }
    sql += ");\n";
  }
  return sql;
}

ClassWords words_of(const Table& table) {
  ClassWords words;
  words.name = table.spec.name;
  words.fields.push_back("id");
  for (std::size_t i = 0; i < table.spec.columns.size(); ++i) {
    const Column& column = table.spec.columns[i];
    (column.is_denied ? words.denied : words.fields).push_back(column.name);
    if (!column.points_to.empty()) words.points[column.name] = column.points_to;
    const bool is_number = column.declared == "INTEGER" || column.declared == "REAL";
    if (is_number && !column.is_denied) words.numbers.push_back(column.name);
    if (column.declared == "DATETIME" && !column.is_denied) words.dates.push_back(column.name);
    note_values(table, i, words.values[column.name]);
  }
  std::vector<std::string> seen;
  for (const TableRow& row : table.one) {
    if (row.is_visible) seen.push_back(row.id);
  }
  for (const TableRow& row : table.other) {
    if (!row.is_visible && !is_one_of(seen, row.id)) words.ids.hidden.push_back(row.id);
  }
  words.ids.seen = std::move(seen);
  words.values["id"] = words.ids;
  return words;
}

}  // namespace gantry::worlds
