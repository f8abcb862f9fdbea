#include "store/sqlite/class_statements.hpp"

#include <utility>

#include "catalog/column_type.hpp"

namespace gantry::data::sqlite {
namespace {

// The years 0 to 9999; catalog/own_column.hpp recognises dates by this check.
constexpr const char* kDateRange = " BETWEEN -62167219200000 AND 253402300799999)";

std::string declaration(const NewField& field) {
  const std::string name = in_double_quotes(field.name);
  switch (field.kind) {
    case Kind::integer:
      return name + " INTEGER";
    case Kind::number:
      return name + " REAL";
    case Kind::boolean:
      return name + " INTEGER CHECK(" + name + " IN (0,1))";
    case Kind::date:
      return name + " INTEGER CHECK(" + name + kDateRange;
    case Kind::object:
    case Kind::array:
      return name + " TEXT CHECK(" + name + " IS NULL OR json_valid(" + name + "))";
    case Kind::any:
      return name + " TEXT CHECK(" + name + " IS NULL OR json_valid(" + name + ") = 1)";
    case Kind::bytes:
      return name + " BLOB";
    default:
      return name + " TEXT";
  }
}

}  // namespace

std::string create_statement(const NewClass& made) {
  std::string sql = "CREATE TABLE " + in_double_quotes(made.name) + "(";
  const char* separator = "\n  ";
  for (const NewField& field : made.fields) {
    sql += std::exchange(separator, ",\n  ") + declaration(field);
    if (field.name == made.id_field) sql += " PRIMARY KEY NOT NULL";
    if (made.is_document || field.is_required) sql += " NOT NULL";
    if (field.target_class.empty()) continue;
    sql += " REFERENCES " + in_double_quotes(field.target_class) + "(" +
           in_double_quotes(field.target_field) + ")";
  }
  return sql + "\n) STRICT";
}

std::string document_id(const NewClass& made) {
  const std::string column = in_double_quotes(made.fields[0].name);
  return column + " ->> '$._id', json_type(" + column +
         ", '$._id') IN ('true','false','object','array')";
}

Outcome<std::string> free_index_name(
    const std::string& wanted,
    const std::function<Outcome<std::size_t>(const std::string& name)>& taken) {
  std::string name = wanted;
  for (int number = 2;; ++number) {
    const auto rows = taken(name);
    if (!rows) return rows.error();
    if (*rows == 0) return name;
    name = wanted + "_" + std::to_string(number);
  }
}

}  // namespace gantry::data::sqlite
