#include "table.hpp"

#include <gtest/gtest.h>

#include "store/sqlite/match_function.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::testing {
namespace {

void bind_one(sqlite3_stmt* stmt, int at, const Bind& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(stmt, at, *integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_bind_double(stmt, at, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_bind_text64(stmt, at, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (const auto* bytes = std::get_if<Bytes>(&value)) {
    sqlite3_bind_blob64(stmt, at, bytes->data.data(), bytes->data.size(), SQLITE_TRANSIENT);
  } else if (const auto* matcher = std::get_if<std::shared_ptr<const Matcher>>(&value)) {
    sqlite::bind_matcher(stmt, at, *matcher);
  } else {
    sqlite3_bind_null(stmt, at);
  }
}

}  // namespace

Database::Database() {
  EXPECT_EQ(sqlite3_open(":memory:", &db_), SQLITE_OK);
  EXPECT_EQ(sqlite::register_match_function(db_), SQLITE_OK);
}

Database::~Database() { sqlite3_close(db_); }

void Database::run(const std::string& sql) {
  char* message = nullptr;
  ASSERT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
      << sql << "\n"
      << (message != nullptr ? message : "");
}

sqlite3_stmt* Database::prepare(const std::string& sql, const std::vector<Bind>& binds) {
  sqlite3_stmt* stmt = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &stmt, nullptr), SQLITE_OK)
      << sql << "\n"
      << sqlite3_errmsg(db_);
  EXPECT_EQ(sqlite3_bind_parameter_count(stmt), static_cast<int>(binds.size())) << sql;
  for (std::size_t i = 0; i < binds.size(); ++i) bind_one(stmt, static_cast<int>(i) + 1, binds[i]);
  return stmt;
}

std::vector<std::string> Database::rows(const std::string& sql, const std::vector<Bind>& binds) {
  sqlite3_stmt* stmt = prepare(sql, binds);
  std::vector<std::string> found;
  int result = SQLITE_DONE;
  while ((result = sqlite3_step(stmt)) == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(stmt, 0));
    found.emplace_back(text == nullptr ? "NULL" : text);
  }
  if (result != SQLITE_DONE) found = {std::string("!") + sqlite3_errmsg(db_)};
  sqlite3_finalize(stmt);
  return found;
}

std::string Database::plan(const std::string& sql, const std::vector<Bind>& binds) {
  sqlite3_stmt* stmt = prepare("EXPLAIN QUERY PLAN " + sql, binds);
  std::string text;
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    text += (text.empty() ? "" : "; ") +
            std::string(reinterpret_cast<const char*>(sqlite3_column_text(stmt, 3)));
  }
  sqlite3_finalize(stmt);
  return text;
}

Field field(std::string name, Kind kind) {
  Field made;
  made.column = "`" + name + "`";
  made.name = std::move(name);
  made.kind = kind;
  made.native = kind;
  return made;
}

Predicate compile(const Scope& scope, std::string_view cls, std::string_view where,
                  const WhereOptions& options) {
  const auto value = read_extended(where, {.parse_types = true});
  EXPECT_TRUE(value) << where;
  return compile_where(*value, *scope.open(cls), scope, options);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

std::string select(Database& db, const Scope& scope, std::string_view cls, std::string_view where,
                   std::string_view order, const WhereOptions& options) {
  try {
    const ClassView& view = *scope.open(cls);
    Clauses clauses{
        compile(scope, cls, where, options), compile_order(order, view, scope).sql, 0, {}};
    if (clauses.order.empty()) clauses.order.text = "n";
    const Fragment sql = select_rows(view, "n", clauses);
    return joined(db.rows(sql.text, sql.binds));
  } catch (const QueryError& error) {
    return "!" + error.error().code + ": " + error.error().message;
  }
}

}  // namespace gantry::data::testing
