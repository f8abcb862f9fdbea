#include "store/sqlite/writer_insertion.hpp"

#include <algorithm>
#include <utility>

#include "catalog/column_type.hpp"
#include "values/utf8.hpp"

namespace gantry::data::sqlite {
namespace {

int bind_value(sqlite3_stmt* statement, int at, const StoredValue& value) {
  const char* const bytes = value.bytes.data() ? value.bytes.data() : "";  // null would be NULL
  switch (value.type) {
    case StoredValue::Type::integer:
      return sqlite3_bind_int64(statement, at, value.integer);
    case StoredValue::Type::real:
      return sqlite3_bind_double(statement, at, value.real);
    case StoredValue::Type::text:
      return sqlite3_bind_text64(statement, at, bytes, value.bytes.size(), SQLITE_STATIC,
                                 SQLITE_UTF8);
    case StoredValue::Type::blob:
      return sqlite3_bind_blob64(statement, at, bytes, value.bytes.size(), SQLITE_STATIC);
    default:
      return sqlite3_bind_null(statement, at);
  }
}

std::string insert_statement(const std::string& class_name, const std::vector<std::string>& fields,
                             const std::vector<bool>& written) {
  std::string names, values;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!written[i]) continue;
    names += (names.empty() ? "" : ",") + quote_name(fields[i]);
    values += values.empty() ? "?" : ",?";
  }
  const std::string begin = "INSERT INTO " + quote_name(class_name);
  return names.empty() ? begin + " DEFAULT VALUES"
                       : begin + "(" + names + ") VALUES(" + values + ")";
}

DataError refused_row(std::string_view kind, std::string message, std::string field = "") {
  return {std::string(error_code::kInvalidArgument),
          std::move(message),
          std::string(kind),
          std::move(field),
          {},
          {}};
}

// "UNIQUE constraint failed: C.id" without what a caller need not know.
std::string after_colon(const std::string& text) {
  const auto at = text.find(": ");
  return at == std::string::npos ? text : text.substr(at + 2);
}

}  // namespace

Outcome<InsertionPtr> WriterInsertion::prepare(WriterConnection& connection,
                                               const std::string& class_name,
                                               const std::vector<std::string>& fields) {
  std::unique_ptr<WriterInsertion> made(new WriterInsertion(connection, class_name, fields));
  made->written_.assign(fields.size(), true);
  if (auto error = made->read_defaults()) return *std::move(error);
  if (auto error = made->choose_statement()) return *std::move(error);
  return InsertionPtr(std::move(made));
}

std::optional<DataError> WriterInsertion::read_defaults() {
  auto names = connection_.list(
      "SELECT name FROM pragma_table_xinfo(?) WHERE dflt_value IS NOT NULL", class_name_);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    const auto found = std::find(fields_.begin(), fields_.end(), name);
    if (found != fields_.end()) {
      defaults_.push_back(static_cast<std::size_t>(found - fields_.begin()));
    }
  }
  return std::nullopt;
}

std::optional<DataError> WriterInsertion::choose_statement() {
  constexpr std::size_t kMostStatements = 100;
  const auto known = statements_.find(written_);
  if (known != statements_.end()) return statement_ = known->second.get(), std::nullopt;
  if (statements_.size() == kMostStatements) statements_.clear();
  auto statement = connection_.prepare(insert_statement(class_name_, fields_, written_));
  if (!statement) return statement.error();
  statement_ = statement->get();
  statements_.emplace(written_, *std::move(statement));
  return std::nullopt;
}

std::optional<DataError> WriterInsertion::bind(Row values) {
  int at = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!written_[i]) continue;
    const int code = bind_value(statement_, ++at, values[i]);
    if (code == SQLITE_TOOBIG) {
      return refused_row(refused::kObjectTooLarge, fields_[i] + ": is larger than a value may be",
                         fields_[i]);
    }
    if (code != SQLITE_OK) return connection_.error(code);
  }
  return std::nullopt;
}

Outcome<RowId> WriterInsertion::insert(Row values, const std::vector<bool>& given) {
  bool is_other = false;
  for (const std::size_t at : defaults_) {
    is_other = is_other || written_[at] != given[at];
    written_[at] = given[at];
  }
  if (is_other) {
    if (auto error = choose_statement()) return *std::move(error);
  }
  if (auto error = bind(values)) return *std::move(error);
  const bool was_in_transaction = connection_.in_transaction();
  auto result = result_of(sqlite3_step(statement_), was_in_transaction, values);
  sqlite3_reset(statement_);
  return result;
}

Outcome<RowId> WriterInsertion::result_of(int code, bool was_in_transaction, Row values) const {
  if (code == SQLITE_DONE) {
    if (connection_.has_changed()) return connection_.last_row();
    return refused_row(refused::kFailedValidation,
                       "a trigger or an ON CONFLICT clause of the class ignored it");
  }
  if ((code & 0xff) == SQLITE_TOOBIG) {
    return refused_row(refused::kObjectTooLarge, "is larger than a row may be");
  }
  if ((code & 0xff) != SQLITE_CONSTRAINT) return connection_.error(code);
  DataError refusal = refusal_of(code, values);
  if (was_in_transaction && !connection_.in_transaction()) {
    refusal.code = error_code::kStoreError;
    refusal.message =
        "the class refused a row and everything before it: " + std::move(refusal.message);
  }
  return refusal;
}

DataError WriterInsertion::refusal_of(int code, Row values) const {
  const std::string text = connection_.detail();
  const std::string detail = after_colon(text);
  switch (code) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID:
      return duplicate(detail, values);
    case SQLITE_CONSTRAINT_NOTNULL:
      return refused_row(refused::kRequiredField, detail + " needs a value");
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return refused_row(refused::kMissingReference,
                         "a foreign key of the class refers to nothing");
    case SQLITE_CONSTRAINT_CHECK:
      return refused_row(refused::kFailedValidation,
                         "the check " + excerpt(detail) + " of the class refuses it");
    default:
      return refused_row(refused::kFailedValidation, text);
  }
}

// `columns` as SQLite names them: "C.id", "C.a, C.b" or "index 'i'". One text column is named with
// its value.
DataError WriterInsertion::duplicate(const std::string& columns, Row values) const {
  std::string message = columns, field;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (columns != class_name_ + "." + fields_[i]) continue;
    field = fields_[i];
    if (values[i].is_text()) message += " " + excerpt(values[i].bytes);
  }
  return refused_row(refused::kDuplicateValue, message + " is there already", std::move(field));
}

}  // namespace gantry::data::sqlite
