#include "sql/change.hpp"

#include <utility>

#include "catalog/column_type.hpp"
#include "sql/table_name.hpp"

namespace gantry::data {
namespace {

void add_list(Fragment& sql, const char* separator, const std::vector<std::string>& columns,
              bool are_names) {
  for (const std::string& column : columns) {
    sql.add(std::exchange(separator, ",")).add(are_names ? quote_name(column) : column);
  }
}

// `columns` are SQL.
void add_each(Fragment& sql, std::string_view table, const std::vector<std::string>& columns) {
  const char* separator = "";
  for (const std::string& column : columns) {
    sql.add(std::exchange(separator, ",")).add(table).add(column);
  }
}

void add_row(const std::vector<ColumnValue>& values, Fragment& sql) {
  const char* separator = "(";
  for (const ColumnValue& one : values) sql.add(std::exchange(separator, ",")).add(one.column);
  separator = ") VALUES(";
  for (const ColumnValue& one : values) sql.add(std::exchange(separator, ",")).bind(one.value);
  sql.add(")");
}

Fragment update_at(std::string_view conflict, const std::string& table,
                   const std::vector<ColumnValue>& values, const std::vector<ColumnValue>& place) {
  Fragment sql{"UPDATE ", {}};
  sql.add(conflict).add(table);
  const char* separator = " SET ";
  for (const ColumnValue& one : values) {
    sql.add(std::exchange(separator, ",")).add(one.column).add("=").bind(one.value);
  }
  return std::move(sql.add(" WHERE ").add(at_place(place)));
}

Fragment delete_at(const std::string& table, const std::vector<ColumnValue>& place) {
  Fragment sql{"DELETE FROM ", {}};
  return std::move(sql.add(table).add(" WHERE ").add(at_place(place)));
}

// `target` begins the target's column, which is on the left, so that its collation counts. The
// CROSS JOIN begins with the one row, so that an index of the rows that refer to it can be used.
Fragment select_referring(const Referring& rows, std::string_view target) {
  Fragment sql{"SELECT ", {}};
  add_each(sql, "c.", rows.place);
  sql.add(" FROM ").add(main_table(rows.to_table)).add(" p CROSS JOIN ");
  sql.add(main_table(rows.table)).add(" c WHERE ").add(at_place(rows.row, "p."));
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    sql.add(" AND ").add(target).add(quote_name(rows.targets[i]));
    sql.add("=c.").add(quote_name(rows.columns[i]));
  }
  if (!rows.becomes.empty()) sql.add(" AND NOT (").add(at_place(rows.becomes, "p.")).add(")");
  return sql;
}

// Without it a clause of the schema could replace rows that the agent does not see. It overrides
// those of the class's triggers too, so it is only written where it may be needed.
std::string_view conflict_of(const ClassView& cls) {
  return cls.resolves_conflicts ? "OR ABORT " : "";
}

}  // namespace

std::vector<std::string> columns_of(const std::vector<ColumnValue>& values) {
  std::vector<std::string> columns;
  for (const ColumnValue& one : values) columns.push_back(one.column);
  return columns;
}

std::string main_table(const std::string& name) { return "`main`." + quote_name(name); }

std::vector<std::string> place_columns(const ClassView& cls) {
  if (!cls.rowid.empty()) return {cls.rowid};
  std::vector<std::string> columns;
  for (const FieldView& field : cls.key_fields) columns.push_back(field.column);
  return columns;
}

Fragment insert_row(const ClassView& cls, const std::vector<ColumnValue>& values) {
  Fragment sql{"INSERT ", {}};
  sql.add(conflict_of(cls)).add("INTO ").add(TableName::table(cls));
  if (values.empty()) {
    sql.add(" DEFAULT VALUES");
  } else {
    add_row(values, sql);
  }
  if (!cls.rowid.empty()) return sql;
  const char* separator = " RETURNING ";
  for (const std::string& column : place_columns(cls)) {
    sql.add(std::exchange(separator, ",")).add(column);
  }
  return sql;
}

Fragment update_row(const ClassView& cls, const std::vector<ColumnValue>& values,
                    const std::vector<ColumnValue>& place) {
  return update_at(conflict_of(cls), TableName::table(cls), values, place);
}

Fragment delete_row(const ClassView& cls, const std::vector<ColumnValue>& place) {
  return delete_at(TableName::table(cls), place);
}

Fragment at_place(const std::vector<ColumnValue>& place, std::string_view table) {
  Fragment sql;
  const char* separator = "";
  for (const ColumnValue& one : place) {
    sql.add(std::exchange(separator, " AND ")).add(table).add(one.column);
    sql.add(" IS ").bind(one.value);
  }
  return sql;
}

Fragment select_stored(const std::string& table, const std::vector<std::string>& columns,
                       const std::vector<ColumnValue>& place) {
  Fragment sql{"SELECT", {}};
  add_list(sql, " ", columns, true);
  return std::move(sql.add(" FROM ").add(main_table(table)).add(" WHERE ").add(at_place(place)));
}

Fragment select_stored_where(const std::string& table, const std::vector<std::string>& place,
                             const std::vector<std::string>& columns, const Fragment& condition) {
  Fragment sql{"SELECT", {}};
  add_list(sql, " ", place, false);
  add_list(sql, ",", columns, true);
  sql.add(" FROM ").add(main_table(table));
  if (!condition.empty()) sql.add(" WHERE ").add(condition);
  return sql;
}

Fragment insert_stored(const std::string& table, const std::vector<ColumnValue>& values) {
  Fragment sql{"INSERT OR ABORT INTO ", {}};
  sql.add(main_table(table));
  add_row(values, sql);
  return sql;
}

Fragment update_stored(const std::string& table, const std::vector<ColumnValue>& values,
                       const std::vector<ColumnValue>& place) {
  return update_at("OR ABORT ", main_table(table), values, place);
}

Fragment delete_stored(const std::string& table, const std::vector<ColumnValue>& place) {
  return delete_at(main_table(table), place);
}

Fragment count_stored(const std::string& table) {
  return {"SELECT count(*) FROM " + main_table(table), {}};
}

Fragment any_stored(const std::string& table) {
  return {"SELECT 1 FROM " + main_table(table) + " LIMIT 1", {}};
}

// SQLite finds the rows to delete or change with `+p.target`, unless the target is the rowid, and
// those that forbid the write with `p.target`. Both at once by OR is no choice: an index of another
// collation may then serve both.
Fragment refers(const Referring& rows) {
  Fragment sql{"(", {}};
  add_each(sql, "", rows.place);
  sql.add(") IN (").add(select_referring(rows, "p."));
  return std::move(sql.add(" UNION ALL ").add(select_referring(rows, "+p.")).add(")"));
}

// "`main`.`a``b`" is a`b.
std::string table_of(const ClassView& cls) {
  const std::string& quoted = TableName::table(cls);
  std::string name;
  const auto begin = quoted.find(".`");
  for (std::size_t i = begin == quoted.npos ? 1 : begin + 2; i + 1 < quoted.size(); ++i) {
    name += quoted[i];
    if (quoted[i] == '`') ++i;
  }
  return name;
}

}  // namespace gantry::data
