// tools/gantry/import/writer.hpp: writes rows into a table, or refuses them with a reason.
//
// The caller has a transaction. One thread; `database` and `table` must outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <gantry/status.hpp>

#include "tools/gantry/import/database.hpp"
#include "tools/gantry/import/row.hpp"
#include "write/convert.hpp"
#include "write/names.hpp"

namespace gantry::cli::importing {

struct WriterOptions {
  std::unordered_set<std::string> left_out;  // fields
  bool skip_unknown = false;                 // fields without a column
  std::int64_t now = 0;                      // milliseconds since 1970
};

class Writer {
 public:
  Writer(Database& database, const Table& table, WriterOptions options);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  Status prepare();
  // Moves values out of the row. `refusal`: why this row is left out; empty: it was written. An
  // error means that nothing more can be written.
  Status put(Row& row, std::string& refusal);
  // The row number of the last written row, where the table has row numbers.
  std::int64_t last_row() const { return sqlite3_last_insert_rowid(database_.raw()); }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  static constexpr std::size_t kAcl = kNowhere - 1;
  static constexpr std::size_t kUnknown = kNowhere - 2;

  std::size_t place_of(const std::string& field) const;
  std::size_t cached_place(std::size_t position, const std::string& field);
  std::string fill(Row& row);
  std::string fill_document(Row& row);
  std::string set(std::size_t place, Field& field);
  std::string set_acl(const Cell& cell);
  void complete();
  Status read_defaults();
  Status choose_statement();
  Status step(std::string& refusal);
  std::string constraint(int code) const;

  Database& database_;
  const Table& table_;
  WriterOptions options_;
  sqlite3_stmt* statement_ = nullptr;                      // one of those below
  std::map<std::vector<bool>, sqlite3_stmt*> statements_;  // by the columns that they set
  std::vector<std::size_t> defaults_;                      // columns that have one
  std::vector<bool> given_;                                // by column
  std::vector<Stored> stored_;
  std::vector<std::size_t> set_by_;  // by column: the row that set it
  std::size_t row_ = 0;
  std::vector<std::pair<std::string, std::size_t>> cache_;  // by position in the row
  write::IdMaker ids_;
};

}  // namespace gantry::cli::importing
