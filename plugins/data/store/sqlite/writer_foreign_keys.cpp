#include "store/sqlite/writer_foreign_keys.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "values/hex.hpp"
#include "values/utf8.hpp"

namespace gantry::data::sqlite {
namespace {

// Bytes are named in hex, as ids are.
std::string named(std::string_view key) {
  if (is_utf8(key)) return excerpt(key);
  std::string hex = "0x";
  append_hex(key, hex);
  return excerpt(hex);
}

}  // namespace

std::optional<DataError> WriterForeignKeys::read_keys(const std::string& table) {
  auto statement = connection_.prepare(
      "SELECT id, \"table\", \"from\", \"to\", EXISTS(SELECT 1 FROM sqlite_schema WHERE"
      " type = 'table' AND name = \"table\" COLLATE NOCASE), seq FROM pragma_foreign_key_list(?)"
      " ORDER BY id DESC, seq");
  if (!statement) return statement.error();
  sqlite3_stmt* const raw = statement->get();
  sqlite3_bind_text(raw, 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  int last = -1, code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    if (sqlite3_column_int(raw, 4) == 0) continue;
    if (sqlite3_column_int(raw, 0) != last) keys_.push_back({column_text(raw, 1), {}, false, {}});
    last = sqlite3_column_int(raw, 0);
    keys_.back().columns.emplace_back(column_text(raw, 2), column_text(raw, 3));
  }
  return code == SQLITE_DONE ? std::nullopt : std::optional(connection_.error(code));
}

// A name of the row number that no column has; empty: there is none.
Outcome<std::string> WriterForeignKeys::row_number_of(const std::string& table) {
  auto columns = connection_.list("SELECT name FROM pragma_table_xinfo(?)", table);
  if (!columns) return columns.error();
  auto without = connection_.list(
      "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND wr", table);
  if (!without) return without.error();
  if (!without->empty()) return std::string();
  for (const char* name : {"rowid", "_rowid_", "oid"}) {
    const bool is_taken = std::any_of(columns->begin(), columns->end(),
                                      [&](const auto& one) { return same_name(one, name); });
    if (!is_taken) return std::string(name);
  }
  return std::string();
}

// Keys are compared as the database does: by the parent's column, whose affinity the value takes.
std::optional<DataError> WriterForeignKeys::prepare_key(Key& key, const std::string& table,
                                                        const std::string& rowid) {
  key.is_own = same_name(key.parent, table);
  auto parents = connection_.list("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
                                  key.parent);
  if (!parents) return parents.error();
  std::string set, same;
  for (std::size_t i = 0; i < key.columns.size(); ++i) {
    auto& [from, to] = key.columns[i];
    if (to.empty() && i < parents->size()) to = (*parents)[i];
    set += " AND c." + quote_name(from) + " IS NOT NULL";
    same += (i == 0 ? "p." : " AND p.") + quote_name(to) + " = +c." + quote_name(from);
  }
  auto statement = connection_.prepare("SELECT c." + quote_name(key.columns[0].first) + " FROM " +
                                       quote_name(table) + " c WHERE c." + rowid + " = ?" + set +
                                       " AND NOT EXISTS (SELECT 1 FROM " + quote_name(key.parent) +
                                       " p WHERE " + same + ")");
  if (!statement) return statement.error();
  key.missing = *std::move(statement);
  return std::nullopt;
}

std::optional<DataError> WriterForeignKeys::prepare(const std::string& table,
                                                    const std::string& rowid) {
  for (Key& key : keys_) {
    if (auto error = prepare_key(key, table, rowid)) return error;
  }
  auto statement =
      connection_.prepare("DELETE FROM " + quote_name(table) + " WHERE " + rowid + " = ?");
  if (!statement) return statement.error();
  delete_ = *std::move(statement);
  return std::nullopt;
}

Outcome<ForeignKeysPtr> WriterForeignKeys::read(WriterConnection& connection,
                                                const std::string& table) {
  std::unique_ptr<WriterForeignKeys> made(new WriterForeignKeys(connection));
  if (auto error = made->read_keys(table)) return *std::move(error);
  if (made->keys_.empty()) return ForeignKeysPtr();
  auto rowid = made->row_number_of(table);
  if (!rowid) return rowid.error();
  const bool is_checked_here = !rowid->empty();
  auto error =
      is_checked_here ? made->prepare(table, *rowid) : connection.run("PRAGMA foreign_keys=1");
  if (error) return *std::move(error);
  return is_checked_here ? ForeignKeysPtr(std::move(made)) : ForeignKeysPtr();
}

bool WriterForeignKeys::refer_to_own_class() const {
  return std::any_of(keys_.begin(), keys_.end(), [](const Key& key) { return key.is_own; });
}

std::optional<DataError> WriterForeignKeys::check_key(const Key& key, RowId row) const {
  sqlite3_stmt* const raw = key.missing.get();
  sqlite3_bind_int64(raw, 1, row);
  const int code = sqlite3_step(raw);
  std::optional<DataError> error;
  if (code == SQLITE_ROW) {
    const std::string& field = key.columns[0].first;
    error = DataError{std::string(error_code::kInvalidArgument),
                      field + ": " + key.parent + " has no row " + named(column_text(raw, 0)) +
                          " that it refers to",
                      std::string(refused::kMissingReference),
                      field,
                      {},
                      {}};
  } else if (code != SQLITE_DONE) {
    error = connection_.error(code);
  }
  sqlite3_reset(raw);
  return error;
}

std::optional<DataError> WriterForeignKeys::check(RowId row) {
  for (const Key& key : keys_) {
    if (auto error = check_key(key, row)) return error;
  }
  return std::nullopt;
}

std::optional<DataError> WriterForeignKeys::delete_row(RowId row) {
  sqlite3_bind_int64(delete_.get(), 1, row);
  const int code = sqlite3_step(delete_.get());
  auto error = code == SQLITE_DONE ? std::nullopt : std::optional(connection_.error(code));
  sqlite3_reset(delete_.get());
  return error;
}

}  // namespace gantry::data::sqlite
