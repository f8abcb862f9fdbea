// store/sqlite/writer.hpp: one SQLite file, opened for writing. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/writer_connection.hpp"
#include "store/writer.hpp"

namespace gantry::data::sqlite {

class Writer final : public data::Writer {
 public:
  static Outcome<WriterPtr> open(const std::string& path, WriterOptions options);

  std::optional<DataError> start_transaction() override;
  std::optional<DataError> commit_transaction() override;
  std::optional<DataError> create_class(const NewClass& made) override;
  std::optional<DataError> create_index(const std::string& class_name,
                                        const std::vector<std::string>& fields) override;
  Outcome<InsertionPtr> prepare_insert(const std::string& class_name,
                                       const std::vector<std::string>& fields) override;
  Outcome<ForeignKeysPtr> foreign_keys(const std::string& class_name) override;

 private:
  explicit Writer(std::unique_ptr<WriterConnection> connection)
      : connection_(std::move(connection)) {}
  std::optional<DataError> create_named_index(const std::string& type, const std::string& wanted,
                                              const std::string& class_name,
                                              const std::string& columns);

  std::unique_ptr<WriterConnection> connection_;
};

}  // namespace gantry::data::sqlite
