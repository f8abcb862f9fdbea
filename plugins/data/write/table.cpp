#include "write/table.hpp"

namespace gantry::data::write {
namespace {

// Years 0 to 9999; the data engine knows dates in STRICT tables by this very check.
constexpr const char* kDates = " BETWEEN -62167219200000 AND 253402300799999)";

std::string declaration(const Column& column) {
  const std::string name = quoted(column.name);
  switch (column.form) {
    case Form::integer:
      return name + " INTEGER";
    case Form::number:
      return name + " REAL";
    case Form::boolean:
      return name + " INTEGER CHECK(" + name + " IN (0,1))";
    case Form::date_ms:
      return name + " INTEGER CHECK(" + name + kDates;
    case Form::json:
    case Form::any_json:
      return name + " TEXT CHECK(" + name + " IS NULL OR json_valid(" + name + "))";
    case Form::bytes:
      return name + " BLOB";
    default:
      return name + " TEXT";
  }
}

}  // namespace

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text += '"';
}

std::string create_statement(const Table& table) {
  std::string sql = "CREATE TABLE " + quoted(table.name) + "(";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    sql += (i == 0 ? "\n  " : ",\n  ") + declaration(column);
    if (table.id == i) sql += " PRIMARY KEY NOT NULL";
    if (!table.document.empty()) sql += " NOT NULL";
    if (!column.target.empty()) {
      sql += " REFERENCES " + quoted(column.target) + "(" + quoted(column.key) + ")";
    }
  }
  return sql + "\n) STRICT";
}

std::vector<std::string> index_statements(const Table& table) {
  if (!table.is_new) return {};
  if (!table.document.empty()) {
    // true and 1 have the same SQL value, as do an object and its text; the type distinguishes
    // them.
    const std::string column = quoted(table.document);
    return {"CREATE UNIQUE INDEX " + quoted(table.name + "__id") + " ON " + quoted(table.name) +
            "(" + column + " ->> '$._id', json_type(" + column +
            ", '$._id') IN ('true','false','object','array'))"};
  }
  return {"CREATE INDEX " + quoted(table.name + "_createdAt_objectId") + " ON " +
          quoted(table.name) + "(" + quoted(table.columns[*table.created].name) + "," +
          quoted(table.columns[*table.id].name) + ")"};
}

std::string insert_statement(const Table& table, const std::vector<bool>& given) {
  std::string names, values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!given[i]) continue;
    names += (names.empty() ? "" : ",") + quoted(table.columns[i].name);
    values += values.empty() ? "?" : ",?";
  }
  const std::string begin = "INSERT INTO " + quoted(table.name);
  return names.empty() ? begin + " DEFAULT VALUES"
                       : begin + "(" + names + ") VALUES(" + values + ")";
}

}  // namespace gantry::data::write
