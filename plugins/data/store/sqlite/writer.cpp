#include "store/sqlite/writer.hpp"

#include <utility>

#include "catalog/column_type.hpp"
#include "catalog/document_table.hpp"
#include "store/sqlite/class_statements.hpp"
#include "store/sqlite/writer_foreign_keys.hpp"
#include "store/sqlite/writer_insertion.hpp"

namespace gantry::data::sqlite {
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
  return create_named_index("UNIQUE INDEX ", made.name + std::string(kDocumentIndex), made.name,
                            document_id(made));
}

std::optional<DataError> Writer::create_index(const std::string& class_name,
                                              const std::vector<std::string>& fields) {
  std::string name = class_name, columns;
  for (const std::string& field : fields) {
    name += "_" + field;
    columns += (columns.empty() ? "" : ",") + in_double_quotes(field);
  }
  return create_named_index("INDEX ", name, class_name, columns);
}

std::optional<DataError> Writer::create_named_index(const std::string& type,
                                                    const std::string& wanted,
                                                    const std::string& class_name,
                                                    const std::string& columns) {
  const auto name = free_index_name(wanted, [this](const std::string& one) -> Outcome<std::size_t> {
    const auto rows = connection_->list(kNamesTaken, one);
    if (!rows) return rows.error();
    return rows->size();
  });
  if (!name) return name.error();
  return connection_->run("CREATE " + type + in_double_quotes(*name) + " ON " +
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
