// store/sqlite/writer_foreign_keys.hpp: the foreign keys that a table declares.
//
// One thread; the connection must outlive it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite/writer_connection.hpp"
#include "store/writer.hpp"

namespace gantry::data::sqlite {

class WriterForeignKeys final : public ForeignKeys {
 public:
  // Null: there are none to check. For a table without row numbers SQLite is made to check each
  // row.
  static Outcome<ForeignKeysPtr> read(WriterConnection& connection, const std::string& table);

  bool refer_to_own_class() const override;
  std::optional<DataError> check(RowId row) override;
  std::optional<DataError> delete_row(RowId row) override;

 private:
  struct Key {
    std::string parent;
    std::vector<std::pair<std::string, std::string>> columns;  // of the table, of the parent
    bool is_own = false;
    WriterStatement missing;  // returns a row if the parent's row is missing
  };

  explicit WriterForeignKeys(WriterConnection& connection) : connection_(connection) {}
  std::optional<DataError> read_keys(const std::string& table);
  Outcome<std::string> row_number_of(const std::string& table);
  std::optional<DataError> prepare(const std::string& table, const std::string& rowid);
  std::optional<DataError> prepare_key(Key& key, const std::string& table,
                                       const std::string& rowid);
  std::optional<DataError> check_key(const Key& key, RowId row) const;

  WriterConnection& connection_;
  std::vector<Key> keys_;
  WriterStatement delete_;
};

}  // namespace gantry::data::sqlite
