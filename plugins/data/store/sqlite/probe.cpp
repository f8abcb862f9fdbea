#include "store/sqlite/probe.hpp"

#include <algorithm>
#include <array>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"
#include "store/sqlite/caller_functions.hpp"
#include "store/sqlite/guard.hpp"

namespace gantry::data::sqlite {
namespace {

using Fault = StatementFault::Kind;

bool begins_query(const std::vector<SqlWord>& words) {
  constexpr std::array kFirst = {"select", "values", "with"};
  return std::any_of(kFirst.begin(), kFirst.end(),
                     [&](std::string_view first) { return words.front().is_bare(first); });
}

// Whether no rows are put together.
bool joins_only(const std::vector<SqlWord>& words) {
  return std::none_of(words.begin(), words.end(), [](const SqlWord& word) {
    return word.is_bare("group") || word.is_bare("having") || word.is_bare("distinct") ||
           word.is_bare("over");
  });
}

// Whether words[at] is the AS of "name [(…)] AS [[NOT] MATERIALIZED] (".
bool defines(const std::vector<SqlWord>& words, std::size_t at) {
  if (!words[at].is_bare("as")) return false;
  std::size_t next = at + 1;
  if (next < words.size() && words[next].is_bare("not")) ++next;
  if (next < words.size() && words[next].is_bare("materialized")) ++next;
  return next < words.size() && words[next].is_sign('(');
}

// The position of the name that words[as] defines.
std::size_t defined_by(const std::vector<SqlWord>& words, std::size_t as) {
  std::size_t at = as == 0 ? 0 : as - 1;
  while (at > 0 && words[as - 1].is_sign(')') && !words[at].is_sign('(')) --at;
  return words[at].is_sign('(') && at > 0 ? at - 1 : at;
}

// An upper bound of how often the text's sub-queries are written out: SQLite repeats a named one at
// each mention, and those inside it, before anything can stop it.
double repetitions(const std::vector<SqlWord>& words) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (defines(words, i)) places.push_back(defined_by(words, i));
  }
  std::vector<std::string> names;
  for (const std::size_t at : places) names.push_back(lower(words[at].text));
  double product = 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t end = i + 1 < places.size() ? places[i + 1] : words.size();
    double mentions = 1;
    for (std::size_t at = places[i] + 1; at < end; ++at) {
      const bool is_qualifier = at + 1 < words.size() && words[at + 1].is_sign('.');
      if (words[at].form == SqlWord::Form::sign || is_qualifier) continue;
      const auto found = std::find(names.begin(), names.end(), lower(words[at].text));
      mentions += found == names.end() ? 0 : 1;
    }
    product *= mentions;
  }
  return product;
}

constexpr double kMostRepetitions = 20'000;

// Names that the composed statement keeps for itself.
bool names_own(const std::vector<SqlWord>& words) {
  return std::any_of(words.begin(), words.end(), [](const SqlWord& word) {
    return lower(word.text.substr(0, kOwnNames.size())) == kOwnNames;
  });
}

// A join that finds its columns by their names: all of them count.
bool joins_by_name(const std::vector<SqlWord>& words) {
  return std::any_of(words.begin(), words.end(), [](const SqlWord& word) {
    return word.is_bare("natural") || word.is_bare("using");
  });
}

// SQLite does not ask the authorizer about columns that such a join compares, and these tables are
// in every database. A text in quotes may be a table's name too.
bool names_schema(const std::vector<SqlWord>& words) {
  constexpr std::array kTables = {"sqlite_schema", "sqlite_master", "sqlite_temp_schema",
                                  "sqlite_temp_master"};
  return std::any_of(words.begin(), words.end(), [&](const SqlWord& word) {
    return std::find(kTables.begin(), kTables.end(), lower(word.text)) != kTables.end();
  });
}

// ?, ?1, :x, @x, $x. SQLite also takes $x::y and $x(anything).
bool is_plain_parameter(std::string_view name) {
  const std::vector<SqlWord> words = sql_words(name);
  return name.empty() || (words.size() == 1 && words[0].form == SqlWord::Form::parameter);
}

// Where the text ends without what follows its last word.
std::size_t end_of_words(std::string_view sql) {
  std::size_t end = 0;
  for (const SqlWord& word : sql_words(sql)) {
    if (!word.is_sign(';')) end = word.end;
  }
  return end;
}

bool is_of_sqlite(const std::string& table) {
  return table.starts_with("sqlite_") || table.starts_with("pragma_");
}

void set_probe_bounds(sqlite3* db) {
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 256 << 10);
  sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
  sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 50);
  sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 250'000);
  sqlite3_limit(db, SQLITE_LIMIT_FUNCTION_ARG, 50);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, static_cast<int>(kMostStatementValues));
  turn_off_extras(db);
  // "x" is a name, never a text: a wrong one is an error.
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_drop_modules(db, nullptr);
}

std::string_view text_or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

Probe::~Probe() { sqlite3_close_v2(db_); }

Status Probe::open() {
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(":memory:", &db_, kFlags, nullptr) != SQLITE_OK) {
    return Status::failed("SQLite ran out of memory.");
  }
  set_probe_bounds(db_);
  return Status::ok();
}

// False: there is no such class, or it was added before and SQLite means another one.
bool Probe::add_class(const std::string& name) {
  const std::string key = lower(name);
  if (tables_.count(key) != 0) return false;
  auto cls = lookup_(name);
  if (!cls || cls->fields.empty() || is_of_sqlite(key)) return false;
  std::string sql = "CREATE TABLE temp." + quote_name(name) + "(";
  for (const std::string& field : cls->fields) {
    sql += (sql.back() == '(' ? "" : ",") + quote_name(field);
  }
  sqlite3_set_authorizer(db_, nullptr, nullptr);
  if (sqlite3_exec(db_, (sql + ")").c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return false;
  const std::size_t fields = cls->fields.size();
  tables_.emplace(key, Table{std::move(*cls), std::vector<bool>(fields)});
  return true;
}

Result<StatementVerdict> Probe::judge(std::string_view sql) {
  if (sql.size() > kMostStatementBytes) return StatementVerdict(StatementFault{Fault::too_long});
  const std::vector<SqlWord> words = sql_words(sql);
  if (words.empty()) return StatementVerdict(StatementFault{Fault::empty});
  if (sql.find('\0') != sql.npos || !begins_query(words)) {
    return StatementVerdict(StatementFault{Fault::not_a_query});
  }
  if (repetitions(words) > kMostRepetitions) {
    return StatementVerdict(StatementFault{Fault::too_long});
  }
  if (names_own(words)) return StatementVerdict(StatementFault{Fault::not_allowed});
  if (auto status = open(); !status) return status;
  is_simple_ = sql.find("||") == sql.npos && joins_only(words);
  names_all_ = joins_by_name(words);
  if (names_all_ && names_schema(words))
    return StatementVerdict(StatementFault{Fault::not_allowed});
  return compile(sql);
}

// SQLite names one unknown table at a time.
StatementVerdict Probe::compile(std::string_view sql) {
  constexpr std::string_view kNoTable = "no such table: ";
  for (;;) {
    selects_ = 0;
    refused_function_.clear();
    sqlite3_set_authorizer(db_, authorize, this);
    sqlite3_stmt* stmt = nullptr;
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(db_, sql.data(), static_cast<int>(sql.size()), &stmt, &rest);
    if (code == SQLITE_OK) {
      StatementVerdict verdict = shape_of(stmt, sql, rest);
      sqlite3_finalize(stmt);
      return verdict;
    }
    const std::string message = sqlite3_errmsg(db_);
    if (!message.starts_with(kNoTable) || !add_class(message.substr(kNoTable.size()))) {
      return fault(sql);
    }
  }
}

// Nothing but blanks, comments and semicolons.
bool Probe::is_last(std::string_view rest) {
  const std::vector<SqlWord> words = sql_words(rest);
  return std::all_of(words.begin(), words.end(),
                     [](const SqlWord& word) { return word.is_sign(';'); });
}

StatementVerdict Probe::shape_of(sqlite3_stmt* stmt, std::string_view sql, const char* rest) {
  const auto length = static_cast<std::size_t>(rest - sql.data());
  if (stmt == nullptr) return StatementFault{Fault::empty};
  if (!is_last(sql.substr(length))) return StatementFault{Fault::several, {}, {}, length + 1};
  const bool is_readable = sqlite3_stmt_readonly(stmt) != 0 && sqlite3_column_count(stmt) > 0 &&
                           sqlite3_stmt_isexplain(stmt) == 0;
  if (!is_readable) return StatementFault{Fault::not_a_query};
  StatementShape shape;
  shape.text = sql.substr(0, end_of_words(sql.substr(0, length)));
  for (int i = 0; i < sqlite3_column_count(stmt); ++i) {
    StatementShape::Column column{std::string(text_or_empty(sqlite3_column_name(stmt, i))), {}, {}};
    const auto table = tables_.find(lower(text_or_empty(sqlite3_column_table_name(stmt, i))));
    if (table != tables_.end()) {
      column.cls = table->second.cls.name;
      column.field = text_or_empty(sqlite3_column_origin_name(stmt, i));
    }
    shape.columns.push_back(std::move(column));
  }
  for (int i = 1; i <= sqlite3_bind_parameter_count(stmt); ++i) {
    shape.parameters.emplace_back(text_or_empty(sqlite3_bind_parameter_name(stmt, i)));
    if (is_plain_parameter(shape.parameters.back())) continue;
    return StatementFault{Fault::other, {}, "parameters are ?, ?1, :name, @name or $name"};
  }
  add_classes(names_all_, shape.classes);
  shape.is_flat = selects_ == 1;
  shape.is_simple = is_simple_ && shape.is_flat;
  shape.reads_clock = reads_clock_;
  return shape;
}

void Probe::add_classes(bool all, std::vector<StatementShape::UsedClass>& classes) const {
  for (const auto& [key, table] : tables_) {
    StatementShape::UsedClass used{table.cls.name, {}};
    for (std::size_t i = 0; i < table.used.size(); ++i) {
      if (all || table.used[i]) used.fields.push_back(table.cls.fields[i]);
    }
    classes.push_back(std::move(used));
  }
}

StatementFault Probe::fault(std::string_view) {
  const int offset = sqlite3_error_offset(db_);
  StatementFault found =
      named_fault(sqlite3_errmsg(db_), offset < 0 ? 0 : static_cast<std::size_t>(offset) + 1);
  add_classes(true, found.classes);
  return found;
}

StatementFault Probe::named_fault(std::string message, std::size_t at) {
  if (!refused_function_.empty()) return {Fault::no_function, refused_function_, {}, at};
  constexpr std::pair<std::string_view, Fault> kNamed[] = {
      {"no such table: ", Fault::no_class},
      {"no such column: ", Fault::no_field},
      {"no such function: ", Fault::no_function},
      {"not authorized to use function: ", Fault::no_function}};
  for (const auto& [begin, kind] : kNamed) {
    if (message.starts_with(begin)) return {kind, message.substr(begin.size()), {}, at};
  }
  const bool is_refused = message.starts_with("not authorized") || message.ends_with("prohibited");
  if (is_refused) return {Fault::not_allowed, {}, {}, at};
  return {Fault::other, {}, std::move(message), at};
}

int Probe::authorize(void* self, int action, const char* first, const char* second,
                     const char* third, const char*) {
  auto* probe = static_cast<Probe*>(self);
  switch (action) {
    case SQLITE_SELECT:
      ++probe->selects_;
      return SQLITE_OK;
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      // Without a database: a sub-query or a table of which no column is read.
      if (third != nullptr && text_or_empty(third) != "temp") return SQLITE_DENY;
      return probe->allow_read(first, second);
    case SQLITE_FUNCTION:
      return probe->allow_function(second);
    default:
      return SQLITE_DENY;
  }
}

int Probe::allow_read(const char* table, const char* field) {
  const std::string key = lower(text_or_empty(table));
  if (is_of_sqlite(key)) return SQLITE_DENY;
  const std::string_view name = text_or_empty(field);
  const auto known = tables_.find(key);
  if (known == tables_.end()) return name.empty() ? SQLITE_OK : SQLITE_DENY;
  Table& read = known->second;
  if (name.empty()) return SQLITE_OK;
  const auto& fields = read.cls.fields;
  const auto found = std::find(fields.begin(), fields.end(), name);
  if (found == fields.end()) return SQLITE_DENY;  // the rowid
  read.used[static_cast<std::size_t>(found - fields.begin())] = true;
  return SQLITE_OK;
}

int Probe::allow_function(const char* name) {
  const FunctionUse use = use_of_function(text_or_empty(name));
  if (use == FunctionUse::refused) {
    refused_function_ = text_or_empty(name);
    return SQLITE_DENY;
  }
  is_simple_ = is_simple_ && use == FunctionUse::safe;
  reads_clock_ = reads_clock_ || use == FunctionUse::clock;
  return SQLITE_OK;
}

}  // namespace gantry::data::sqlite
