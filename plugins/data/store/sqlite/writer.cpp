#include "store/sqlite/writer.hpp"

#include <utility>

#include "store/sqlite/writer_foreign_keys.hpp"
#include "store/sqlite/writer_insertion.hpp"

namespace gantry::data::sqlite {
namespace {

// The years 0 to 9999; catalog/own_column.hpp recognises dates by this check.
constexpr const char* kDateRange = " BETWEEN -62167219200000 AND 253402300799999)";

// Double quotes: the schema keeps the text, and other programs read it.
std::string in_double_quotes(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text += '"';
}

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
    case Kind::any:
      return name + " TEXT CHECK(" + name + " IS NULL OR json_valid(" + name + "))";
    case Kind::bytes:
      return name + " BLOB";
    default:
      return name + " TEXT";
  }
}

std::string create_statement(const NewClass& made) {
  std::string sql = "CREATE TABLE " + in_double_quotes(made.name) + "(";
  const char* separator = "\n  ";
  for (const NewField& field : made.fields) {
    sql += std::exchange(separator, ",\n  ") + declaration(field);
    if (field.name == made.id_field) sql += " PRIMARY KEY NOT NULL";
    if (made.is_document) sql += " NOT NULL";
    if (field.target_class.empty()) continue;
    sql += " REFERENCES " + in_double_quotes(field.target_class) + "(" +
           in_double_quotes(field.target_field) + ")";
  }
  return sql + "\n) STRICT";
}

// true and 1 have the same SQL value, as do an object and its text; the type distinguishes them.
std::string document_id(const NewClass& made) {
  const std::string column = in_double_quotes(made.fields[0].name);
  return column + " ->> '$._id', json_type(" + column +
         ", '$._id') IN ('true','false','object','array')";
}

}  // namespace

Outcome<WriterPtr> Writer::open(const std::string& path, WriterOptions options) {
  auto connection = WriterConnection::open(path, std::move(options));
  if (!connection) return connection.error();
  return WriterPtr(new Writer(*std::move(connection)));
}

std::optional<DataError> Writer::start_transaction() { return connection_->start(); }

std::optional<DataError> Writer::commit_transaction() { return connection_->commit(); }

std::optional<DataError> Writer::create_class(const NewClass& made) {
  auto error = connection_->run(create_statement(made));
  if (error || !made.is_document) return error;
  return create_named_index("UNIQUE INDEX ", made.name + "__id", made.name, document_id(made));
}

std::optional<DataError> Writer::create_index(const std::string& class_name,
                                              const std::vector<std::string>& fields) {
  std::string name = class_name, columns;
  for (const std::string& field : fields) {
    name += "_" + field;
    columns += (columns.empty() ? "" : ",") + in_double_quotes(field);
  }
  return create_named_index("INDEX ", std::move(name), class_name, columns);
}

// A renamed table keeps its indexes' names, so that the name may be taken.
std::optional<DataError> Writer::create_named_index(const std::string& type, std::string name,
                                                    const std::string& class_name,
                                                    const std::string& columns) {
  const std::string wanted = name;
  for (int number = 2;; ++number) {
    const auto taken =
        connection_->list("SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", name);
    if (!taken) return taken.error();
    if (taken->empty()) break;
    name = wanted + "_" + std::to_string(number);
  }
  return connection_->run("CREATE " + type + in_double_quotes(name) + " ON " +
                          in_double_quotes(class_name) + "(" + columns + ")");
}

Outcome<InsertionPtr> Writer::prepare_insert(const std::string& class_name,
                                             const std::vector<std::string>& fields) {
  return WriterInsertion::prepare(*connection_, class_name, fields);
}

Outcome<ForeignKeysPtr> Writer::foreign_keys(const std::string& class_name) {
  return WriterForeignKeys::read(*connection_, class_name);
}

}  // namespace gantry::data::sqlite
