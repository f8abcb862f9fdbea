#include "tools/gantry/import/writer.hpp"

#include "catalog/column_type.hpp"
#include "write/acl.hpp"
#include "write/document.hpp"

namespace gantry::cli::importing {
namespace {

int bind(sqlite3_stmt* statement, int at, const Stored& value) {
  switch (value.type) {
    case Stored::Type::integer:
      return sqlite3_bind_int64(statement, at, value.integer);
    case Stored::Type::real:
      return sqlite3_bind_double(statement, at, value.real);
    case Stored::Type::text:
      return sqlite3_bind_text64(statement, at, value.bytes.data(), value.bytes.size(),
                                 SQLITE_STATIC, SQLITE_UTF8);
    case Stored::Type::blob:
      return sqlite3_bind_blob64(statement, at, value.bytes.data(), value.bytes.size(),
                                 SQLITE_STATIC);
    default:
      return sqlite3_bind_null(statement, at);
  }
}

std::string after_colon(const std::string& text) {
  const auto at = text.find(": ");
  return at == std::string::npos ? text : text.substr(at + 2);
}

}  // namespace

Writer::Writer(Database& database, const Table& table, WriterOptions options)
    : database_(database),
      table_(table),
      options_(std::move(options)),
      stored_(table.columns.size()),
      set_by_(table.columns.size()) {}

Writer::~Writer() {
  for (const auto& [given, statement] : statements_) sqlite3_finalize(statement);
}

Status Writer::prepare() {
  given_.assign(table_.columns.size(), true);
  if (Status status = read_defaults(); !status) return status;
  return choose_statement();
}

// New tables and document tables have no defaults.
Status Writer::read_defaults() {
  if (table_.is_new || !table_.document.empty()) return {};
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(
      database_.raw(), "SELECT name FROM pragma_table_xinfo(?) WHERE dflt_value IS NOT NULL", -1,
      &statement, nullptr);
  if (code != SQLITE_OK) return database_.error(code);
  sqlite3_bind_text(statement, 1, table_.name.data(), static_cast<int>(table_.name.size()),
                    SQLITE_STATIC);
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].name == name) defaults_.push_back(i);
    }
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? Status() : database_.error(code);
}

// Rows mostly leave out the same columns.
Status Writer::choose_statement() {
  constexpr std::size_t kMostStatements = 100;
  const auto known = statements_.find(given_);
  if (known != statements_.end()) return statement_ = known->second, Status();
  if (statements_.size() == kMostStatements) {
    for (const auto& [given, statement] : statements_) sqlite3_finalize(statement);
    statements_.clear();
  }
  const std::string sql = insert_statement(table_, given_);
  const int code = sqlite3_prepare_v3(database_.raw(), sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  if (code != SQLITE_OK) return database_.error(code);
  statements_.emplace(given_, statement_);
  return {};
}

std::size_t Writer::place_of(const std::string& field) const {
  if (options_.left_out.count(field) != 0) return kNowhere;
  if (const auto found = table_.by_field.find(field); found != table_.by_field.end()) {
    return found->second;
  }
  if (field == "ACL" && table_.readers) return kAcl;
  if (const auto found = table_.by_field.find(data::lower(field)); found != table_.by_field.end()) {
    return found->second;
  }
  return table_.is_new || options_.skip_unknown ? kNowhere : kUnknown;
}

// Rows mostly have the same fields in the same order.
std::size_t Writer::cached_place(std::size_t position, const std::string& field) {
  if (position >= cache_.size()) cache_.resize(position + 1, {std::string(), kUnknown});
  auto& [name, place] = cache_[position];
  if (name != field || place == kUnknown) {
    name = field;
    place = place_of(field);
  }
  return place;
}

std::string Writer::set_acl(const Cell& cell) {
  std::string readers, writers;
  if (cell.is_null()) return "";
  if (!read_acl(cell, readers, writers)) return "ACL: is no access list of Parse";
  stored_[*table_.readers].type = stored_[*table_.writers].type = Stored::Type::text;
  stored_[*table_.readers].bytes = std::move(readers);
  stored_[*table_.writers].bytes = std::move(writers);
  return "";
}

std::string Writer::set(std::size_t place, Field& field) {
  if (set_by_[place] == row_) return field.name + ": the row has it twice";
  set_by_[place] = row_;
  Status status = convert(field.cell, table_.columns[place], stored_[place]);
  if (status && place == table_.id && stored_[place].type == Stored::Type::text &&
      stored_[place].bytes.empty()) {
    return field.name + ": the id is empty";
  }
  return status ? "" : field.name + ": " + status.message();
}

std::string Writer::fill(Row& row) {
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    Field& field = row.fields[i];
    const std::size_t place = cached_place(i, field.name);
    std::string refusal;
    if (place == kUnknown) {
      const bool is_nothing = field.cell.is(Cell::Type::relation);
      if (!is_nothing) refusal = field.name + ": the class has no such column";
    } else if (place != kNowhere) {
      refusal = place == kAcl ? set_acl(field.cell) : set(place, field);
    }
    if (!refusal.empty()) return refusal;
  }
  return "";
}

std::string Writer::fill_document(Row& row) {
  std::unordered_set<std::string_view> names;
  for (const Field& field : row.fields) {
    if (!names.insert(field.name).second) return field.name + ": the row has it twice";
  }
  auto text = write::document_of(row.json, ids_);
  if (!text) return text.message();
  stored_[0].type = Stored::Type::text;
  stored_[0].bytes = *std::move(text);
  return "";
}

// Fills in id and times where the table has them and the row does not.
void Writer::complete() {
  const auto empty = [&](std::optional<std::size_t> at) {
    return at && stored_[*at].type == Stored::Type::null;
  };
  if (table_.makes_ids && empty(table_.id)) {
    stored_[*table_.id].type = Stored::Type::text;
    stored_[*table_.id].bytes = ids_.next();
  }
  for (const auto at : {table_.created, table_.updated}) {
    if (!empty(at)) continue;
    stored_[*at].type = Stored::Type::integer;
    stored_[*at].integer = options_.now;
  }
}

std::string Writer::constraint(int code) const {
  const std::string detail = after_colon(sqlite3_errmsg(database_.raw()));
  switch (code) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID: {
      const bool is_id = table_.id && stored_[*table_.id].type == Stored::Type::text &&
                         detail.ends_with("." + table_.columns[*table_.id].name);
      const std::string which = is_id ? " " + write::excerpt(stored_[*table_.id].bytes) : "";
      return (table_.document.empty() ? detail : "_id") + which +
             " is there already, in the class or earlier in the file";
    }
    case SQLITE_CONSTRAINT_NOTNULL:
      return detail + " needs a value";
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return "a foreign key of the class refers to nothing";
    case SQLITE_CONSTRAINT_CHECK:
      return "the check " + write::excerpt(detail) + " of the class refuses it";
    default:
      return detail;
  }
}

Status Writer::step(std::string& refusal) {
  int at = 0;
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    if (!given_[i]) continue;
    const int code = bind(statement_, ++at, stored_[i]);
    if (code == SQLITE_TOOBIG) refusal = table_.columns[i].name + ": is larger than a value may be";
    if (code == SQLITE_TOOBIG) return {};
    if (code != SQLITE_OK) return database_.error(code);
  }
  const int code = sqlite3_step(statement_);
  Status status;
  if ((code & 0xff) == SQLITE_CONSTRAINT) {
    refusal = constraint(code);
    if (sqlite3_get_autocommit(database_.raw())) {
      status = Status::failed("the class refused a row and everything before it: " + refusal);
    }
  } else if ((code & 0xff) == SQLITE_TOOBIG) {
    refusal = "is larger than a row may be";
  } else if (code != SQLITE_DONE && code != SQLITE_ROW) {
    status = database_.error(code);
  }
  sqlite3_reset(statement_);
  return status;
}

Status Writer::put(Row& row, std::string& refusal) {
  ++row_;
  refusal = std::move(row.reason);
  if (!refusal.empty()) return {};
  for (Stored& value : stored_) value.type = Stored::Type::null;
  refusal = table_.document.empty() ? fill(row) : fill_document(row);
  if (!refusal.empty()) return {};
  complete();
  bool is_other = false;
  for (const std::size_t at : defaults_) {
    const bool is_given = set_by_[at] == row_ || stored_[at].type != Stored::Type::null;
    is_other = is_other || given_[at] != is_given;
    given_[at] = is_given;
  }
  if (is_other) {
    if (Status status = choose_statement(); !status) return status;
  }
  return step(refusal);
}

}  // namespace gantry::cli::importing
