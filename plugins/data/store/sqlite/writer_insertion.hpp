// store/sqlite/writer_insertion.hpp: the INSERT statements of one class.
//
// Rows mostly leave out the same fields: there is a statement for each set of fields that have a
// default and are left out. One thread; the connection must outlive it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/writer_connection.hpp"
#include "store/writer.hpp"

namespace gantry::data::sqlite {

class WriterInsertion final : public Insertion {
 public:
  static Outcome<InsertionPtr> prepare(WriterConnection& connection, const std::string& class_name,
                                       const std::vector<std::string>& fields);
  Outcome<RowId> insert(Row values, const std::vector<bool>& given) override;

 private:
  WriterInsertion(WriterConnection& connection, std::string class_name,
                  std::vector<std::string> fields)
      : connection_(connection), class_name_(std::move(class_name)), fields_(std::move(fields)) {}
  std::optional<DataError> read_defaults();
  std::optional<DataError> choose_statement();
  std::optional<DataError> bind(Row values);
  Outcome<RowId> result_of(int code, bool was_in_transaction, Row values) const;
  DataError refusal_of(int code, Row values) const;
  DataError duplicate(const std::string& columns, Row values) const;

  WriterConnection& connection_;
  const std::string class_name_;
  const std::vector<std::string> fields_;
  std::vector<std::size_t> defaults_;                        // fields that have one
  std::vector<bool> written_;                                // fields of the current statement
  std::map<std::vector<bool>, WriterStatement> statements_;  // by the fields that they write
  sqlite3_stmt* statement_ = nullptr;                        // one of those
};

}  // namespace gantry::data::sqlite
