// store/editor.hpp: writing to the database that a Store reads, one transaction at a time.
//
// Apart from the read connections, which cannot write. The store opens its one writing connection
// at the first transaction, and closes it in Store::rest(). An Edit changes what its calls name and
// nothing else: the journal mode, the page size and other settings stay as they are.
//
// Codes of errors: timeout and cancelled, the budget's; store_error, the database's, with the
// reason: locked by another program for longer than five seconds, disk full, read-only, damaged. Of
// run() also with the kind refused::kBrokenSchema: the message then has names of the schema.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "errors/error.hpp"
#include "store/writer.hpp"
#include "values/fragment.hpp"

namespace gantry::data {

class Store;

// What transactions may change; the database itself refuses all else. Neither: the database is
// never opened for writing.
struct EditRights {
  bool rows = false;    // INSERT, UPDATE and DELETE on tables
  bool schema = false;  // CREATE TABLE and DROP TABLE, with the rows of a dropped one

  bool any() const { return rows || schema; }
};

// Why the database refuses a row. Names as the database has them, of the table that refuses: a
// trigger may write to another one. Nothing in it is a value.
struct RowRefusal {
  std::string kind;                  // one of `refused`
  std::string table;                 // empty: not known
  std::vector<std::string> columns;  // of a CHECK without a name: all names in its expression
  std::string check = {};            // its own name, or its expression
};

struct Changed {
  std::optional<RowRefusal> refusal;  // nothing was changed
  // Rows that the statement itself changed, without those of triggers.
  std::int64_t rows = 0;
  RowId row = 0;                 // after an INSERT: the new row, where the table has rowids
  std::vector<Bind> returned{};  // the first row of a RETURNING clause
};

// A table as it stores rows. Names are the database's.
struct TableShape {
  std::string name;
  std::vector<std::string> columns;  // without those that the database computes
  // The columns that name one row, as SQL: the rowid, else the primary key. Empty: nothing does.
  std::vector<std::string> place;
};

// A foreign key of `table`. Columns by place: `columns[i]` holds the value of `targets[i]`.
struct ReferringKey {
  // What the database itself does to the rows of `table`.
  enum class Action : std::uint8_t { none, cascade, set_null, set_default };

  std::string table;
  std::vector<std::string> columns, targets;
  Action on_delete = Action::none;  // if a row that they refer to is deleted
  Action on_update = Action::none;  // if it gets other values of `targets`
  bool has_targets = true;          // false: a target is missing, and writes that need it fail
};

// The statements that make a table, with its indexes, as the schema has them.
struct TableText {
  std::vector<std::string> statements;
  // Why they do not make the same table again; empty: they do.
  std::string flaw;
};

// One open transaction. One thread; destroy it before its Store.
class Edit {
 public:
  // Rolls back unless it was committed.
  virtual ~Edit() = default;

  // The schema that the transaction sees; a catalog of another version does not fit it. kOtherFile:
  // the file was replaced since the catalog was read, and no catalog fits.
  static constexpr std::int64_t kOtherFile = -1;
  virtual std::int64_t schema_version() const = 0;
  // Reads as this transaction sees the database: its leases must end before the Edit.
  virtual Store& store() = 0;
  // Runs an INSERT, UPDATE or DELETE. After a refusal the transaction must not be committed.
  virtual Outcome<Changed> run(const Fragment& statement) = 0;
  // The refusal that a commit would meet: a row still refers to a missing one.
  virtual std::optional<RowRefusal> unmet_reference() = 0;
  // From now on a reference without a target refuses the commit and no statement, whatever the
  // schema says: for rows that refer to each other.
  [[nodiscard]] virtual std::optional<DataError> defer_references() = 0;

  [[nodiscard]] virtual std::optional<DataError> create_class(const NewClass& made) = 0;
  // With its indexes and triggers. `table`: SQL of the catalog.
  [[nodiscard]] virtual std::optional<DataError> drop_table(const std::string& table) = 0;

  // Of the table with this name, in this transaction. The results live as long as the Edit.
  virtual Outcome<const TableShape*> shape(const std::string& table) = 0;
  // The foreign keys of the database that refer to it, its own among them.
  virtual Outcome<const std::vector<ReferringKey>*> keys_to(const std::string& table) = 0;
  // All names in the expression of the table's CHECK of this name; empty: it has none.
  virtual Outcome<std::vector<std::string>> names_of_check(const std::string& table,
                                                           const std::string& check) = 0;
  virtual Outcome<TableText> text_of_table(const std::string& table) = 0;
  // Runs statements of a TableText.
  [[nodiscard]] virtual std::optional<DataError> restore_table(const TableText& text) = 0;

  [[nodiscard]] virtual std::optional<DataError> commit() = 0;
};
using EditPtr = std::unique_ptr<Edit>;

}  // namespace gantry::data
