#include "store/sqlite/edit.hpp"

#include <utility>

#include "catalog/column_type.hpp"
#include "catalog/document_table.hpp"
#include "store/sqlite/class_statements.hpp"
#include "store/sqlite/noted_cursor.hpp"
#include "store/sqlite/row_refusal.hpp"
#include "store/sqlite/writer_connection.hpp"

namespace gantry::data::sqlite {
namespace {

class EditLease final : public data::Lease {
 public:
  explicit EditLease(Connection& connection) : connection_(connection) {}

  Result<CursorPtr> prepare(const Fragment& statement) override {
    auto prepared = connection_.prepare(statement);
    if (!prepared) return prepared.status();
    return noted(std::make_unique<Statement>(std::move(*prepared)), statement.text);
  }
  Result<CursorPtr> prepare_for_caller(const CallerStatement&) override {
    return Status::denied("A transaction runs no statement of a caller.");
  }
  Result<std::vector<PlanStep>> explain(const Fragment&, const Catalog&,
                                        std::string_view) override {
    return Status::denied("A transaction explains no statement.");
  }
  Status confirm() const override { return Status::ok(); }

 private:
  Connection& connection_;
};

bool is_about_the_row(int code) {
  return (code & 0xff) == SQLITE_CONSTRAINT || (code & 0xff) == SQLITE_TOOBIG;
}

// The engine's statements are correct, so what they need of the schema is not.
bool is_about_the_schema(int code) {
  return (code & 0xff) == SQLITE_ERROR || (code & 0xff) == SQLITE_AUTH;
}

DataError of_schema(int code, DataError error) {
  // A long chain of foreign keys is no error of the schema.
  const bool is_deep = error.message.find("too many levels of trigger") != std::string::npos;
  if (is_about_the_schema(code) && !is_deep) error.kind = refused::kBrokenSchema;
  return error;
}

}  // namespace

Result<LeasePtr> EditStore::lease(Budget /*budget*/) {
  return LeasePtr(std::make_unique<EditLease>(connection_));
}

Outcome<EditPtr> EditStore::begin_edit(const Budget&) {
  return DataError{
      std::string(error_code::kInternalError), "transactions do not nest", {}, {}, {}, {}};
}

Outcome<EditPtr> OpenEdit::begin(data::Store& store, On on,
                                 std::unique_lock<std::timed_mutex> busy) {
  std::unique_ptr<OpenEdit> edit(new OpenEdit(store, on, std::move(busy)));
  if (auto error = edit->run_often("BEGIN IMMEDIATE")) return *std::move(error);
  auto version = on.connection.prepare("PRAGMA schema_version");
  if (!version) return store_error(version.status());
  if (version->next()) edit->schema_version_ = version->integer(0);
  if (!version->status()) return store_error(version->status());
  on.shapes.expect(edit->schema_version_);
  if (!on.is_of_catalog) edit->schema_version_ = kOtherFile;
  return EditPtr(std::move(edit));
}

// Under no budget: a rollback must not be interrupted.
OpenEdit::~OpenEdit() {
  connection_.begin({});
  if (sqlite3_get_autocommit(connection_.raw()) == 0) connection_.run("ROLLBACK");
  connection_.end();
}

DataError OpenEdit::error(int code) const {
  const int primary = code & 0xff;
  if (primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY) {
    if (auto status = connection_.budget().check(); !status) return store_error(status);
  }
  DataError error = write_error(code, store_.name(), sqlite3_errmsg(connection_.raw()));
  error.code = error_code::kStoreError;
  return error;
}

std::optional<DataError> OpenEdit::run_plainly(const std::string& sql) {
  const AskedStatement asked(sql);
  const int code = connection_.run(sql.c_str());
  return code == SQLITE_OK ? std::nullopt : std::optional(error(code));
}

std::optional<DataError> OpenEdit::run_often(std::string_view sql) {
  const AskedStatement asked(sql);
  auto statement = connection_.prepare(sql);
  if (!statement) return store_error(statement.status());
  const int code = sqlite3_step(statement->raw());
  return code == SQLITE_DONE ? std::nullopt : std::optional(error(code));
}

Outcome<Changed> OpenEdit::run(const Fragment& statement) {
  const AskedStatement asked(statement.text);
  auto prepared = connection_.prepare(statement);
  if (!prepared) {
    const int code = sqlite3_extended_errcode(connection_.raw());
    if (is_about_the_row(code)) return Changed{row_refusal(code, "")};
    return of_schema(code, store_error(prepared.status()));
  }
  Changed changed;
  int code = sqlite3_step(prepared->raw());
  if (code == SQLITE_ROW) {
    for (const StoredValue& value : prepared->row()) changed.returned.push_back(bind_of(value));
    code = sqlite3_step(prepared->raw());
  }
  if (code != SQLITE_DONE) {
    if (is_about_the_row(code)) {
      return Changed{row_refusal(code, sqlite3_errmsg(connection_.raw()))};
    }
    DataError failed = error(code);
    // SQLite has one code and one text for a full disk and for the last number.
    if (std::string table = code == SQLITE_FULL ? numbered_table() : ""; !table.empty()) {
      return Changed{RowRefusal{std::string(refused::kNoMoreNumbers), std::move(table), {}}};
    }
    return of_schema(code, std::move(failed));
  }
  changed.rows = sqlite3_changes64(connection_.raw());
  changed.row = sqlite3_last_insert_rowid(connection_.raw());
  return changed;
}

// A database without such tables has no sqlite_sequence.
std::string OpenEdit::numbered_table() const {
  auto rows =
      connection_.prepare("SELECT name FROM sqlite_sequence WHERE seq = 9223372036854775807");
  return rows && rows->step() ? std::string(rows->text(0)) : std::string();
}

std::optional<RowRefusal> OpenEdit::unmet_reference() {
  int unmet = 0, unused = 0;
  sqlite3_db_status(connection_.raw(), SQLITE_DBSTATUS_DEFERRED_FKS, &unmet, &unused, 0);
  if (unmet == 0) return std::nullopt;
  return RowRefusal{std::string(refused::kMissingReference), {}, {}};
}

// The end of the transaction ends it.
std::optional<DataError> OpenEdit::defer_references() {
  return run_plainly("PRAGMA defer_foreign_keys=1");
}

std::optional<DataError> OpenEdit::create_class(const NewClass& made) {
  shapes_.forget();
  if (auto error = run_plainly(create_statement(made))) return error;
  if (!made.is_document) return std::nullopt;
  const auto name = free_index_name(made.name + std::string(kDocumentIndex),
                                    [this](const std::string& one) -> Outcome<std::size_t> {
                                      Fragment names{kNamesTaken, {one}};
                                      auto rows = connection_.prepare(names);
                                      if (!rows) return store_error(rows.status());
                                      return rows->step() ? 1 : 0;
                                    });
  if (!name) return name.error();
  return run_plainly("CREATE UNIQUE INDEX " + in_double_quotes(*name) + " ON " +
                     in_double_quotes(made.name) + "(" + document_id(made) + ")");
}

std::optional<DataError> OpenEdit::drop_table(const std::string& table) {
  shapes_.forget();
  const int code = connection_.drop_table("DROP TABLE " + table);
  return code == SQLITE_OK ? std::nullopt : std::optional(error(code));
}

Outcome<std::vector<std::string>> OpenEdit::names_of_check(const std::string& table,
                                                           const std::string& check) {
  const Fragment text{
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", {table}};
  auto rows = connection_.prepare(text);
  if (!rows) return store_error(rows.status());
  if (rows->step()) return sqlite::names_of_check(rows->text(0), check);
  if (!rows->status()) return store_error(rows->status());
  return std::vector<std::string>();
}

std::optional<DataError> OpenEdit::restore_table(const TableText& text) {
  shapes_.forget();
  for (const std::string& statement : text.statements) {
    if (auto error = run_plainly(statement)) return error;
  }
  return std::nullopt;
}

// A short transaction may not have come to a check of its budget.
std::optional<DataError> OpenEdit::commit() {
  if (auto status = connection_.budget().check(); !status) return store_error(status);
  return run_often("COMMIT");
}

}  // namespace gantry::data::sqlite
