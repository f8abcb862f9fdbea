// What a statement as a model writes it is told: errors with what to write instead, and warnings
// where the answer is wrong without an error.
#include <gtest/gtest.h>

#include "ops/sql/tests/sql_shop.hpp"

namespace gantry::data {
namespace {

class SqlRepairs : public SqlShop {
 protected:
  void SetUp() override {
    SqlShop::SetUp();
    run_sql(R"sql(
      CREATE TABLE bills(id INTEGER PRIMARY KEY, status TEXT, paid_at INTEGER, sent_at DATETIME,
                         is_open BOOLEAN, extra JSON, team_id INTEGER REFERENCES teams(id));
      INSERT INTO bills VALUES
        (1, 'paid', 1788000000, '2026-08-25 10:20:30', 0, '{"color":"red"}', 1),
        (2, 'open', 1788100000, '2026-08-25 11:20:30', 1, '{"color":"blue"}', 2),
        (3, 'open', 1788200000, '2026-08-26 11:20:30', 1, NULL, 2))sql");
  }
  std::string error(const std::string& text, const std::string& more = "") {
    const std::string answer = sql(text, more);
    return answer.starts_with("ERROR") ? answer : "no error: " + answer;
  }
};

TEST_F(SqlRepairs, ErrorsSuggestARepair) {
  const std::pair<const char*, const char*> cases[] = {
      {"SELECT YEAR(sent_at) FROM bills", "strftime"},
      {"SELECT date_trunc('month', sent_at) FROM bills", "strftime"},
      {"SELECT CONCAT(status, '!') FROM bills", "Write a || b."},
      {"SELECT string_agg(status, ',') FROM bills", "group_concat"},
      {"SELECT id FROM bills WHERE sent_at > NOW()", "datetime('now')"},
      {"SELECT t.value FROM bills b, json_each(b.extra) t", "'json_each' cannot be read"},
      {"SELECT t.value FROM bills b, json_each(b.extra) t", "$unwind"},
      {"SELECT random()", "order by a field"},
      {"SELECT TOP 5 id FROM bills", "Write LIMIT 5"},
      {"SELECT id FROM bills FETCH FIRST 5 ROWS ONLY", "Write LIMIT 5"},
      {"SELECT EXTRACT(YEAR FROM sent_at) FROM bills", "strftime"},
      {"SELECT sent_at::date FROM bills", "CAST(x AS TEXT)"},
      {"SELECT id FROM bills WHERE sent_at > date('now') - INTERVAL '30 days'", "'+30 days'"},
      {"SELECT id FROM bills WHERE status ILIKE 'p%'", "Write LIKE"},
      {"SELECT LEFT(status, 1) FROM bills", "substr"},
      {"SELECT id FROM bills WHERE id = {id}", "Write ? or :name"},
      {"SELECT id FROM bills WHERE id = %s", "Write ? or :name"},
      {"SELECT count(*) FROM bills WHERE count(*) > 1", "HAVING"},
      {"SELECT id, rank() OVER (ORDER BY id) AS r FROM bills WHERE r < 2", "SELECT around"},
      {"SELECT id FROM bills b, teams t", "before it: orders.id"},
      {"SELECT id FROM bills WHERE (id = 1", "not closed"},
      {"EXPLAIN SELECT 1", "explain_query takes sql"},
      {"PRAGMA table_info(bills)", "get_schema"},
      {"SHOW TABLES", "get_all_schemas"},
      {"```sql\nSELECT 1\n```", "without marks"},
      {"SELECT * FROM sqlite_master", "get_all_schemas"},
      {"SELECT id FROM bills WHERE status = \"paid\"", "single quotes"},
      {"SELECT extra.color FROM bills", "write extra ->> '$.color'."},
      {"SELECT team_id.name FROM bills", "JOIN teams ON teams.id = team_id."},
      {"SELECT teams.id FROM bills", "'teams' does not stand after FROM: join it."},
      {"SELECT x.status FROM bills b", "'x' is neither a class nor an alias after FROM."},
      {"SELECT bills.id FROM bills b", "'bills' has an alias after FROM"},
      {"SELECT b.stats FROM bills b", "Did you mean 'b.status'?"},
      {"SELECT name FROM docs", "write document ->> '$.name'."},
      {"SELECT document.name FROM docs", "write document ->> '$.name'."}};
  for (const auto& [text, hint] : cases) {
    const std::string said = error(text);
    EXPECT_TRUE(said.starts_with("ERROR")) << text;
    EXPECT_NE(said.find(hint), std::string::npos) << text << "\n" << said;
  }
}

// Hints speak of the words that were written and of visible names alone.
TEST_F(SqlRepairs, HintsTellNothingHidden) {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
    return text;
  };
  EXPECT_EQ(with(error("SELECT vaults.id FROM teams"), "vaults", "barrels"),
            error("SELECT barrels.id FROM teams"));
  EXPECT_EQ(with(error("SELECT secret.id FROM orders"), "secret", "absent"),
            error("SELECT absent.id FROM orders"));
  EXPECT_EQ(with(error("SELECT vault_id.code FROM orders"), "code", "none"),
            error("SELECT vault_id.none FROM orders"));
  EXPECT_EQ(error("SELECT vault_id.code FROM orders").find("JOIN"), std::string::npos);
}

TEST_F(SqlRepairs, ParameterErrorsNameTheMismatch) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([])", "'sql' has 2 parameters (?, ?), but 'params' has 0 values"},
      {R"([1])", "'sql' has 2 parameters (?, ?), but 'params' has 1 value"},
      {R"({"1":1})", "'sql' has 2 parameters (?, ?), but 'params' has 1 value"},
      {R"({"a":1,"b":2})", "write {\"1\": …}"},
      {R"([[1,2],3])", "write a ? for each of the values"},
      {R"([{"$date":"2026-01-31"},3])", "dates are ISO texts"}};
  for (const auto& [params, said] : cases) {
    EXPECT_NE(error("SELECT ?, ?", std::string(",\"params\":") + params).find(said),
              std::string::npos)
        << params << error("SELECT ?, ?", std::string(",\"params\":") + params);
  }
  EXPECT_NE(error("SELECT ':a'", R"(,"params":{"a":1})").find("no parameters"), std::string::npos);
}

TEST_F(SqlRepairs, DatesThatAreTakenForNumbers) {
  for (const char* text : {"SELECT id FROM bills WHERE paid_at > 1788000000",
                           "SELECT id FROM bills b WHERE 1788000000 <= b.paid_at",
                           "SELECT id FROM bills WHERE paid_at BETWEEN 1788000000 AND 1789000000",
                           "SELECT id FROM bills WHERE paid_at >= unixepoch('2026-08-01')",
                           "SELECT strftime('%Y', paid_at, 'unixepoch') FROM bills"}) {
    EXPECT_NE(warnings(text).find("compare it with such a text; unixepoch(paid_at)"),
              std::string::npos)
        << text << warnings(text);
  }
  for (const char* text :
       {"SELECT sent_at - paid_at FROM bills", "SELECT sent_at / 1 FROM bills"}) {
    EXPECT_NE(warnings(text).find("julianday(sent_at)"), std::string::npos) << text;
  }
  EXPECT_NE(warnings("SELECT id FROM bills WHERE sent_at >= '2026-08-25T11:00:00Z'")
                .find("write '2026-08-25 11:00:00'"),
            std::string::npos);
  EXPECT_NE(warnings("SELECT document ->> '$.at.$date' FROM docs").find("leave $date out"),
            std::string::npos);
}

TEST_F(SqlRepairs, RightStatementsHaveNoWarning) {
  for (const char* text :
       {"SELECT id FROM bills WHERE paid_at > '2026-08-01'",
        "SELECT unixepoch(paid_at) - unixepoch(sent_at) FROM bills",
        "SELECT id FROM bills WHERE unixepoch(paid_at) > 1788000000",
        "SELECT avg(julianday(sent_at) - julianday(paid_at)) FROM bills",
        "SELECT id FROM bills WHERE sent_at >= '2026-08-25 11:00:00'",
        "SELECT id FROM bills WHERE sent_at >= '2026-08-25'",
        "SELECT id FROM bills WHERE is_open = 1 OR is_open", "SELECT id * 2 - 1 FROM bills",
        "SELECT id FROM bills WHERE id > 1788000000",
        "SELECT document -> '$.name' FROM docs WHERE document ->> '$.name' = 'x'",
        "SELECT id FROM bills WHERE status = 'paid' AND id = 2"}) {
    EXPECT_EQ(warnings(text), "") << text;
  }
}

TEST_F(SqlRepairs, TextsThatNoRowHas) {
  EXPECT_NE(warnings("SELECT id FROM bills WHERE status = 'PAID'").find("did you mean 'paid'?"),
            std::string::npos);
  EXPECT_NE(warnings("SELECT count(*) FROM bills WHERE status IN ('opn', 'none')")
                .find("did you mean 'open'?"),
            std::string::npos);
  EXPECT_NE(warnings("SELECT sum(id) FROM bills b WHERE b.status == 'payed'").find("'paid'"),
            std::string::npos);
  EXPECT_NE(warnings("SELECT id FROM bills WHERE is_open = 'true'").find("is 1 or 0 in SQL"),
            std::string::npos);
  EXPECT_EQ(warnings("SELECT count(*) FROM bills WHERE status = 'open'"), "");
  EXPECT_EQ(warnings("SELECT id FROM orders WHERE customer = 'Eve'").find("Eve'?"),
            std::string::npos);
}

// SQLite answers NULL, which looks like dates that are not there.
TEST_F(SqlRepairs, FormatsThatSqliteLacksAreErrors) {
  EXPECT_NE(error("SELECT strftime('%B', sent_at) FROM bills").find("has no such format"),
            std::string::npos);
  EXPECT_EQ(rows("SELECT strftime('%Y', 'no date'), strftime(NULL, 'now'), strftime('%Y', NULL)"),
            "[[null,null,null]]");
}

}  // namespace
}  // namespace gantry::data
