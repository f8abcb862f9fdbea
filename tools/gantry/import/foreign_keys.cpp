#include "tools/gantry/import/foreign_keys.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "tools/gantry/import/row.hpp"

namespace gantry::cli::importing {
namespace {

std::string text_of(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text == nullptr ? std::string() : std::string(text);
}

// By a name that no column has taken; empty: there is none.
std::string rowid_beside(const std::vector<std::string>& columns) {
  for (const char* name : {"rowid", "_rowid_", "oid"}) {
    const bool is_taken = std::any_of(columns.begin(), columns.end(), [&](const std::string& one) {
      return data::same_name(one, name);
    });
    if (!is_taken) return name;
  }
  return "";
}

}  // namespace

Result<ForeignKeys::Statement> ForeignKeys::compile(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_->raw(), sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return database_->error(code);
  return Statement(statement);
}

// The first column of every row, `table` being the one parameter.
Result<std::vector<std::string>> ForeignKeys::list(const std::string& sql,
                                                   const std::string& table) const {
  auto statement = compile(sql);
  if (!statement) return statement.status();
  sqlite3_stmt* const raw = statement->get();
  sqlite3_bind_text(raw, 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  std::vector<std::string> values;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) values.push_back(text_of(raw, 0));
  if (code != SQLITE_DONE) return database_->error(code);
  return values;
}

Status ForeignKeys::read_keys(const std::string& table) {
  auto statement = compile(
      "SELECT id, \"table\", \"from\", \"to\", EXISTS(SELECT 1 FROM sqlite_schema WHERE"
      " type = 'table' AND name = \"table\" COLLATE NOCASE), seq FROM pragma_foreign_key_list(?)"
      " ORDER BY id DESC, seq");
  if (!statement) return statement.status();
  sqlite3_stmt* const raw = statement->get();
  sqlite3_bind_text(raw, 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  int last = -1, code = SQLITE_ROW;
  while ((code = sqlite3_step(raw)) == SQLITE_ROW) {
    if (sqlite3_column_int(raw, 4) == 0) continue;
    if (sqlite3_column_int(raw, 0) != last) keys_.push_back({text_of(raw, 1), {}, false, {}});
    last = sqlite3_column_int(raw, 0);
    keys_.back().columns.emplace_back(text_of(raw, 2), text_of(raw, 3));
  }
  return code == SQLITE_DONE ? Status() : database_->error(code);
}

// As the database compares keys: by the parent's column, whose affinity the value takes.
Status ForeignKeys::prepare(const std::string& table, const std::string& rowid) {
  for (Key& key : keys_) {
    key.is_own = data::same_name(key.parent, table);
    auto parents =
        list("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", key.parent);
    if (!parents) return parents.status();
    std::string set, same;
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      auto& [from, to] = key.columns[i];
      if (to.empty() && i < parents->size()) to = (*parents)[i];
      set += " AND c." + write::quoted(from) + " IS NOT NULL";
      same += (i == 0 ? "p." : " AND p.") + write::quoted(to) + " = +c." + write::quoted(from);
    }
    auto statement = compile("SELECT c." + write::quoted(key.columns[0].first) + " FROM " +
                             write::quoted(table) + " c WHERE c." + rowid + " = ?" + set +
                             " AND NOT EXISTS (SELECT 1 FROM " + write::quoted(key.parent) +
                             " p WHERE " + same + ")");
    if (!statement) return statement.status();
    key.missing = *std::move(statement);
  }
  auto statement = compile("DELETE FROM " + write::quoted(table) + " WHERE " + rowid + " = ?");
  if (!statement) return statement.status();
  remove_ = *std::move(statement);
  return {};
}

Result<ForeignKeys> ForeignKeys::read(Database& database, const std::string& table) {
  ForeignKeys keys(database);
  if (Status status = keys.read_keys(table); !status) return status;
  if (keys.empty()) return keys;
  auto columns = keys.list("SELECT name FROM pragma_table_xinfo(?)", table);
  if (!columns) return columns.status();
  auto without =
      keys.list("SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND wr", table);
  if (!without) return without.status();
  const std::string rowid = without->empty() ? rowid_beside(*columns) : "";
  if (!rowid.empty()) {
    if (Status status = keys.prepare(table, rowid); !status) return status;
    return keys;
  }
  keys.keys_.clear();
  if (Status status = database.exec("PRAGMA foreign_keys=1"); !status) return status;
  return keys;
}

bool ForeignKeys::any_of_itself() const {
  return std::any_of(keys_.begin(), keys_.end(), [](const Key& key) { return key.is_own; });
}

Result<std::string> ForeignKeys::missing_of(std::int64_t row) const {
  for (const Key& key : keys_) {
    sqlite3_stmt* const raw = key.missing.get();
    sqlite3_bind_int64(raw, 1, row);
    const int code = sqlite3_step(raw);
    std::string reason;
    if (code == SQLITE_ROW) {
      reason = key.columns[0].first + ": " + key.parent + " has no row " +
               write::excerpt(text_of(raw, 0)) + " that it refers to";
    }
    sqlite3_reset(raw);
    if (code != SQLITE_ROW && code != SQLITE_DONE) return database_->error(code);
    if (!reason.empty()) return reason;
  }
  return std::string();
}

Status ForeignKeys::remove(std::int64_t row) const {
  sqlite3_bind_int64(remove_.get(), 1, row);
  const int code = sqlite3_step(remove_.get());
  sqlite3_reset(remove_.get());
  return code == SQLITE_DONE ? Status() : database_->error(code);
}

}  // namespace gantry::cli::importing
