// tools/gantry/import/row_writer.hpp: writes rows into a table, or refuses them with a reason.
//
// The caller has a transaction. One thread; the table must outlive it, and so must the Writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gantry/status.hpp>

#include "store/writer.hpp"
#include "tools/gantry/import/row.hpp"
#include "write/convert.hpp"
#include "write/names.hpp"

namespace gantry::cli::importing {

// OK without an error; GANTRY_BUSY for locks, GANTRY_CANCELLED when stopped, else GANTRY_FAILED.
Status status_of(const std::optional<data::DataError>& error);

struct RowWriterOptions {
  std::unordered_set<std::string> left_out;  // fields
  bool skip_unknown = false;                 // fields without a column
  std::int64_t now = 0;                      // milliseconds since 1970
};

// It has more than twelve members: buffers that are reused for every row.
class RowWriter {
 public:
  RowWriter(const Table& table, RowWriterOptions options);
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  Status prepare(data::Writer& writer);
  // Moves values out of the row. `refusal`: why this row is left out; empty: it was written. An
  // error means that nothing more can be written.
  Status put(Row& row, std::string& refusal);
  data::RowId last_row() const { return last_row_; }  // the last written one

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
  Status insert(std::string& refusal);

  const Table& table_;
  RowWriterOptions options_;
  data::InsertionPtr insertion_;
  data::RowId last_row_ = 0;
  // By column.
  std::vector<Stored> stored_;
  std::vector<data::StoredValue> values_;
  std::vector<bool> given_;
  std::vector<std::size_t> set_by_;  // the row that set it
  std::size_t row_ = 0;
  std::vector<std::pair<std::string, std::size_t>> cache_;  // by position in the row
  write::IdMaker ids_;
};

}  // namespace gantry::cli::importing
