// store/writer.hpp: a database as the engine writes it. The folders above know no more of writing;
// store/sqlite implements it.
//
// Apart from Store, whose connections cannot write. A call changes what it names and nothing else:
// the journal mode, the page size and other settings of the database stay as they are.
//
// Codes of errors: timeout, another program held its lock for longer than `wait`; cancelled, by
// `stopped`; store_error, the database's. Their messages name the database and are for the
// operator. invalid_argument: the database refuses this one row, `kind` is one of `refused`, and
// the transaction goes on without the row; the message continues "row 5: …" and is for the caller.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "catalog/field.hpp"
#include "errors/error.hpp"
#include "values/stored_value.hpp"

namespace gantry::data {

// Why the database refuses a row.
namespace refused {
inline constexpr std::string_view kDuplicateValue = "duplicate_value";
inline constexpr std::string_view kRequiredField = "required_field";
inline constexpr std::string_view kFailedValidation = "failed_validation";  // a CHECK, a trigger
inline constexpr std::string_view kMissingReference = "missing_reference";
inline constexpr std::string_view kObjectTooLarge = "object_too_large";
inline constexpr std::string_view kNoMoreNumbers = "no_more_numbers";  // of an AUTOINCREMENT
// Not this row: a foreign key, a trigger or an expression of the schema is in error.
inline constexpr std::string_view kBrokenSchema = "broken_schema";
}  // namespace refused

// Whether the error concerns one row and the transaction goes on.
inline bool is_refusal(const DataError& error) {
  return error.code == error_code::kInvalidArgument;
}

// How a field of a new class is stored. The database enforces its kind.
struct NewField {
  std::string name;
  // object, array: JSON, whose kinds the rows tell; any: JSON of any kind, whatever the rows hold;
  // date: milliseconds since 1970; a pointer: the kind of its target's field.
  Kind kind = Kind::string;
  std::string target_class = {}, target_field = {};  // of a pointer
  bool is_required = false;                          // NULL is refused
};

struct NewClass {
  std::string name;
  std::vector<NewField> fields;
  std::string id_field;      // empty: none
  bool is_document = false;  // the only field holds whole documents, whose _id is unique
};

// A written row, for other calls in the same transaction. Meaningless where a table has no row
// numbers.
using RowId = std::int64_t;

// Rows of one class to insert. One thread; destroy it before its Writer.
class Insertion {
 public:
  virtual ~Insertion() = default;

  // `values`: one for each field, with bytes that stay until the call returns. `given`: by field,
  // whether the row has it; other fields get their default.
  virtual Outcome<RowId> insert(Row values, const std::vector<bool>& given) = 0;
};
using InsertionPtr = std::unique_ptr<Insertion>;

// The references of a class's rows to rows that must exist. References to a missing class are not
// checked. One thread; destroy it before its Writer.
class ForeignKeys {
 public:
  virtual ~ForeignKeys() = default;

  virtual bool refer_to_own_class() const = 0;
  // A refusal if the row refers to a missing row. Call it after all rows are written: a row may
  // refer to a later one.
  virtual std::optional<DataError> check(RowId row) = 0;
  virtual std::optional<DataError> delete_row(RowId row) = 0;
};
using ForeignKeysPtr = std::unique_ptr<ForeignKeys>;

struct WriterOptions {
  bool create = false;                     // a missing database
  std::chrono::milliseconds wait{30'000};  // for each lock of another program
  std::function<bool()> stopped = {};      // asked while waiting and working; empty: never
};

// One writing connection. Readers of the same database go on; with a rollback journal they wait for
// the commit, and from the moment the changes outgrow the cache of 128 MiB. One thread.
class Writer {
 public:
  // Aborts an open transaction. Removes a database that was created if nothing was committed.
  virtual ~Writer() = default;

  // Waits for other writers.
  [[nodiscard]] virtual std::optional<DataError> start_transaction() = 0;
  [[nodiscard]] virtual std::optional<DataError> commit_transaction() = 0;

  [[nodiscard]] virtual std::optional<DataError> create_class(const NewClass& made) = 0;
  // An ascending index; its name is made of these names.
  [[nodiscard]] virtual std::optional<DataError> create_index(
      const std::string& class_name, const std::vector<std::string>& fields) = 0;

  // `class_name` and `fields` as the catalog, or create_class(), has them.
  virtual Outcome<InsertionPtr> prepare_insert(const std::string& class_name,
                                               const std::vector<std::string>& fields) = 0;
  // Null: the class has none, or the database checks each row as it is inserted. Call it before the
  // transaction.
  virtual Outcome<ForeignKeysPtr> foreign_keys(const std::string& class_name) = 0;
};
using WriterPtr = std::unique_ptr<Writer>;

// The file of a URL that open_store() takes; GANTRY_INVALID_ARGUMENT for the others.
Result<std::string> database_file(std::string_view url);

// Opens the database at `url` (see open_store()) and rolls back the unfinished transaction of a
// crashed program, as any writer must.
Outcome<WriterPtr> open_writer(std::string_view url, WriterOptions options);

}  // namespace gantry::data
