// The operation `sql`: what a caller's own statement answers, and what it cannot reach.
#include <gtest/gtest.h>

#include "ops/sql/tests/sql_shop.hpp"

namespace gantry::data {
namespace {

class Sql : public SqlShop {};

TEST_F(Sql, AnswersColumnsAndRowsAsArrays) {
  EXPECT_EQ(sql("SELECT id, customer AS buyer FROM orders ORDER BY id"),
            R"([[1,"Ada"],[2,"Bob"]]{"columns":["id","buyer"],"row_count":2})");
  EXPECT_EQ(sql("VALUES (1, 'x'), (NULL, 2.5);"),
            R"([[1,"x"],[null,2.5]]{"columns":["column1","column2"],"row_count":2})");
}

TEST_F(Sql, NamesOfClassesIgnoreCaseAndMayBeQuoted) {
  EXPECT_EQ(rows("select ID from ORDERS where id = 1"), "[[1]]");
  EXPECT_EQ(rows(R"(SELECT "id" FROM [orders] WHERE `id` = 1 -- a comment)"), "[[1]]");
  EXPECT_EQ(rows("/* ; */ SELECT id FROM 'orders' WHERE id = 1; -- ;"), "[[1]]");
}

TEST_F(Sql, TheWholeLanguageOfQueries) {
  EXPECT_EQ(rows("SELECT t.name, sum(o.amount) FROM orders o JOIN teams t ON t.id = o.team_id "
                 "GROUP BY t.name ORDER BY 2 DESC"),
            R"([["blue",20],["red",10]])");
  EXPECT_EQ(rows("WITH a AS (SELECT amount FROM orders), b(n) AS (SELECT count(*) FROM a) "
                 "SELECT n FROM b UNION ALL SELECT max(amount) FROM a"),
            "[[2],[20]]");
  EXPECT_EQ(rows("SELECT id, row_number() OVER (ORDER BY amount DESC) FROM orders ORDER BY id"),
            "[[1,2],[2,1]]");
  EXPECT_EQ(rows("SELECT count(*) FROM orders a, orders b"), "[[4]]");
  EXPECT_EQ(rows("SELECT count(*) FROM teams WHERE EXISTS (SELECT * FROM orders WHERE team_id = "
                 "teams.id)"),
            "[[2]]");
  EXPECT_EQ(rows("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
                 R"(,"limit":3)"),
            "[[1],[2],[3]]");
}

TEST_F(Sql, ValuesOfParameters) {
  EXPECT_EQ(
      rows("SELECT id FROM orders WHERE customer = ? AND amount > ?", R"(,"params":["Bob",5])"),
      "[[2]]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE customer = ?2 AND amount > ?1 AND ?2 <> ''",
                 R"(,"params":[5,"Bob"])"),
            "[[2]]");
  EXPECT_EQ(rows("SELECT :a, @b, $c, :a", R"(,"params":{"a":1,"@b":true,"c":null})"),
            "[[1,1,null,1]]");
  EXPECT_EQ(rows("SELECT ?, ?", R"(,"params":{"1":5,"2":"x"})"), R"([[5,"x"]])");
  EXPECT_EQ(rows("SELECT ?2, ?1", R"(,"params":{"1":5,"2":"x"})"), R"([["x",5]])");
  EXPECT_EQ(sql("SELECT ?", R"(,"params":[])"),
            "ERROR invalid_argument: 'sql' has 1 parameter (?), but 'params' has 0 values");
  EXPECT_NE(sql("SELECT ?, ?1, ?2", R"(,"params":[1,2])").find("ERROR"), std::string::npos);
  for (const char* mixed : {"SELECT ?2", "SELECT ?, ?1", "SELECT ?1, ?", "SELECT :a, ?1"}) {
    for (const char* values : {R"(,"params":[1])", R"(,"params":[1,2])"}) {
      EXPECT_NE(sql(mixed, values).find("several forms"), std::string::npos) << mixed;
    }
  }
  EXPECT_EQ(rows("SELECT ?a, :b", R"(,"params":[1,2])"), "[[1,2]]");
  EXPECT_NE(sql("SELECT :a", R"(,"params":{"b":1})").find("no value for :a"), std::string::npos);
}

// The values that the boundary binds have numbers of their own.
TEST_F(Sql, NoNumberReachesTheRulesValues) {
  for (const char* number : {"?101", "?102", "?103", "?200", "?500"}) {
    EXPECT_NE(sql("SELECT customer, " + std::string(number) + " FROM orders").find("ERROR"),
              std::string::npos)
        << number;
  }
  EXPECT_EQ(rows("SELECT DISTINCT ?1, ?2 FROM orders", R"(,"params":["x",null])"),
            R"([["x",null]])");
}

TEST_F(Sql, BooleansJsonDatesAndRedactedPointers) {
  EXPECT_EQ(rows("SELECT paid, info, vault_id, made FROM orders ORDER BY id"),
            R"([[true,{"a":1},{"className":"vaults","__redacted":true},1700000000],)"
            R"([false,{"a":2},null,1700000001]])");
  EXPECT_EQ(rows("SELECT json_extract(info, '$.a'), info ->> '$._hashed_password' FROM orders"),
            "[[1,null],[2,null]]");
  EXPECT_EQ(rows("SELECT count(*), count(vault_id) FROM orders WHERE vault_id = 77"), "[[0,0]]");
}

TEST_F(Sql, DocumentClasses) {
  EXPECT_EQ(
      rows("SELECT _id, objectId, document FROM docs ORDER BY objectId DESC"),
      R"([[7,"7",{"objectId":"7","_id":7,"name":"x"}],[null,"2",{"objectId":"2","name":"y"}]])");
  EXPECT_EQ(rows("SELECT document ->> '$.name' FROM docs WHERE _id = 7"), R"([["x"]])");
}

TEST_F(Sql, ViewsFullTextTablesAndRowids) {
  EXPECT_EQ(rows("SELECT * FROM big ORDER BY id"), "[[2,2],[3,3]]");
  EXPECT_EQ(rows("SELECT title FROM notes ORDER BY title"), R"([["first"],["second"]])");
  EXPECT_EQ(rows("SELECT objectId, size FROM lines WHERE objectId = 2"), "[[2,2]]");
}

TEST_F(Sql, LimitsAndFormats) {
  EXPECT_NE(sql("SELECT id FROM orders", R"(,"limit":1)").find(R"("truncated":true)"),
            std::string::npos);
  EXPECT_EQ(sql("SELECT id, customer FROM orders ORDER BY id", R"(,"format":"csv")"),
            R"({"format":"csv","headers":["id","customer"],"row_count":2,)"
            R"("output":"id,customer\r\n1,Ada\r\n2,Bob\r\n"})");
  EXPECT_NE(sql("SELECT 1", R"(,"format":"xml")").find("'format' must be"), std::string::npos);
}

TEST_F(Sql, ErrorsNameTheNearestVisibleName) {
  EXPECT_NE(sql("SELECT nme FROM teams").find("Did you mean 'name'?"), std::string::npos);
  EXPECT_NE(sql("SELECT t.nme FROM teams t").find("(at position 8)"), std::string::npos);
  EXPECT_NE(sql("SELECT id FROM team").find("teams"), std::string::npos);
  EXPECT_NE(sql("SELECT id FRM teams").find("syntax error"), std::string::npos);
  EXPECT_EQ(sql(" "), "ERROR invalid_query: 'sql' holds no statement. Write one SELECT.");
}

TEST_F(Sql, AnAbsentHiddenOrDeniedNameHasOneAnswer) {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
    return text;
  };
  EXPECT_EQ(with(sql("SELECT 1 FROM vaults"), "vaults", "barrels"), sql("SELECT 1 FROM barrels"));
  EXPECT_EQ(with(sql("SELECT secret FROM orders"), "secret", "absent"),
            sql("SELECT absent FROM orders"));
  EXPECT_EQ(with(sql("SELECT password_hash FROM orders"), "password_hash", "password_hxsh"),
            sql("SELECT password_hxsh FROM orders"));
}

// Functions that fail on planted values, beside conditions that no visible row satisfies.
TEST_F(Sql, NoExpressionMeetsAHiddenRow) {
  EXPECT_EQ(rows("SELECT id FROM orders WHERE amount > 50 AND abs(amount - 99 - "
                 "9223372036854775807 - 1) > 0"),
            "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE amount > 50 AND json(customer) IS NULL"), "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE amount = 99 AND (WITH RECURSIVE c(x) AS (SELECT 1 "
                 "UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c) > 0"),
            "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE amount = 99 AND length(customer || replace(printf("
                 "'%.*c', 8000000, 'x'), 'x', 'yy')) > 0"),
            "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE CASE WHEN amount > 50 THEN customer LIKE 'Ev' ESCAPE "
                 "customer END"),
            "[]");
}

TEST_F(Sql, NothingLeavesTheScope) {
  EXPECT_EQ(rows("SELECT rowid FROM (SELECT id FROM orders)"), "[[null],[null]]");
  EXPECT_EQ(rows("SELECT count(*), sum(amount), max(customer) FROM orders"), R"([[2,30,"Bob"]])");
  EXPECT_EQ(rows("SELECT o.customer FROM teams t LEFT JOIN orders o ON o.team_id = t.id AND "
                 "o.amount > 50"),
            "[[null],[null]]");
  EXPECT_EQ(rows("SELECT customer FROM orders UNION SELECT customer FROM orders WHERE 1 OR "
                 "amount > 0"),
            R"([["Ada"],["Bob"]])");
  act_as(R"("tenant_id":"rival")");
  EXPECT_EQ(rows("SELECT id FROM orders"), "[[3]]");
  act_as("");
  EXPECT_NE(sql("SELECT id FROM orders").find("access_denied"), std::string::npos);
}

TEST_F(Sql, DatesAreInUtcAndNowStandsStill) {
  EXPECT_EQ(rows("SELECT date('2024-02-28', '+2 days'), strftime('%Y', 0, 'unixepoch'), "
                 "datetime(1700000000, 'unixepoch'), date(NULL)"),
            R"([["2024-03-01","1970","2023-11-14 22:13:20",null]])");
  EXPECT_EQ(rows("SELECT count(DISTINCT julianday('now')) FROM orders a, orders b, lines, lines c"),
            "[[1]]");
  EXPECT_EQ(rows("SELECT typeof(datetime()), typeof(CURRENT_DATE), unixepoch('now') > 1700000000"),
            R"([["text","text",1]])");
}

TEST_F(Sql, MemoryAndTimeAreLimited) {
  const std::string large =
      sql("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM "
          "(SELECT "
          "printf('%.*c', 1000000, 'x') t, x FROM c ORDER BY 1, 2)");
  EXPECT_NE(large.find("memory"), std::string::npos) << large;
  const auto reply = service_->run(
      R"({"op":"sql","args":{"sql":"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"}})",
      {Budget::for_ms(200), 4u << 20, rules_});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "timeout");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE id = 1"), "[[1]]");
}

TEST_F(Sql, FullScansAreRefusedWhereTheOperatorSaysSo) {
  ReadSettings settings;
  settings.refuse_collscan = true;
  configure(settings, JsonDialect::plain);
  EXPECT_NE(sql("SELECT size FROM lines").find("full scan of lines"), std::string::npos);
  EXPECT_NE(sql("SELECT id FROM big").find("full scan of big"), std::string::npos);
  EXPECT_NE(sql("SELECT 1 FROM teams t JOIN lines l ON l.size = t.id WHERE t.id = 1").find("lines"),
            std::string::npos);
  for (const char* text :
       {"SELECT count(*) FROM teams", "SELECT (SELECT count(*) FROM teams)",
        "SELECT 1 WHERE 5 < (SELECT count(*) FROM teams)",
        "SELECT count(*) FROM orders UNION ALL SELECT count(*) FROM teams",
        "SELECT count(*) FROM teams LIMIT 5", "SELECT DISTINCT name FROM teams LIMIT 1",
        "SELECT name FROM teams WHERE name > 'a' LIMIT 1",
        "SELECT name FROM teams ORDER BY name LIMIT 1"}) {
    EXPECT_NE(sql(text).find("full scan of teams"), std::string::npos) << text;
  }
  EXPECT_EQ(rows("WITH teams AS (SELECT 7 AS id) SELECT count(*) FROM teams"), "[[1]]");
  EXPECT_EQ(rows("SELECT name FROM teams ORDER BY id LIMIT 1"), R"([["red"]])");
  EXPECT_EQ(rows("SELECT name FROM teams LIMIT 1 OFFSET 1"), R"([["blue"]])");
  // As the plan of query_class does, this one explains why.
  EXPECT_NE(ask("explain", R"({"sql":"SELECT size FROM lines"})").find(R"("full_scan":true)"),
            std::string::npos);
  EXPECT_EQ(rows("SELECT name FROM teams WHERE id = 2"), R"([["blue"]])");
  EXPECT_EQ(rows("SELECT count(*) FROM orders"), "[[2]]");
  EXPECT_EQ(rows("SELECT count(*) FROM orders WHERE abs(amount) > 0"), "[[2]]");
}

TEST_F(Sql, ExplainTakesSql) {
  const auto explain = [this](const char* text) {
    return ask("explain", R"({"sql":)" + quoted(text) + "}");
  };
  EXPECT_NE(explain("SELECT name FROM teams WHERE id = ?").find(R"("full_scan":false)"),
            std::string::npos);
  EXPECT_NE(explain("SELECT name FROM teams").find(R"("full_scan":true)"), std::string::npos);
  EXPECT_EQ(explain("SELECT customer FROM orders").find("tenant"), std::string::npos);
  EXPECT_TRUE(explain("SELECT 1 FROM vaults").starts_with("ERROR access_denied"));
}

TEST_F(Sql, SchemasSayHowSqlNamesAClassWhereItIsNotItsName) {
  run_sql(
      "CREATE TABLE \"group\"(id INTEGER PRIMARY KEY); CREATE TABLE \"my \"\"table\"(id "
      "INTEGER PRIMARY KEY); CREATE TABLE Key_4(id INTEGER PRIMARY KEY)");
  const auto form = [this](const char* op, const std::string& cls) {
    const std::string answer = ask(op, R"({"class_name":")" + cls + R"("})");
    EXPECT_FALSE(answer.starts_with("ERROR")) << answer;
    const auto at = answer.find(R"("sql":)");
    return at == answer.npos ? "" : answer.substr(at, answer.find('}', at) + 1 - at);
  };
  for (const char* op : {"schema", "access"}) {
    for (const char* plain : {"orders", "teams", "lines", "big", "Key_4"}) {
      EXPECT_EQ(form(op, plain), "") << plain;
    }
    EXPECT_EQ(form(op, "group"), R"("sql":{"name":"\"group\""})");
    EXPECT_EQ(form(op, R"(my \"table)"), R"("sql":{"name":"\"my \"\"table\""})");
    EXPECT_EQ(form(op, "docs"), R"("sql":{"columns":["_id","objectId","document"]})");
  }
  EXPECT_EQ(rows("SELECT count(*) FROM \"my \"\"table\" JOIN \"group\" USING (id)"), "[[0]]");
  act_as(R"("tenant_id":"acme","sql":false)");
  open({});
  EXPECT_EQ(form("schema", "docs"), "");
}

TEST_F(Sql, CanBeTurnedOff) {
  ReadSettings settings;
  settings.sql = false;
  configure(settings, JsonDialect::plain);
  EXPECT_TRUE(sql("SELECT 1").starts_with("ERROR access_denied"));
  EXPECT_TRUE(ask("explain", R"({"sql":"SELECT 1"})").starts_with("ERROR access_denied"));
}

TEST_F(Sql, CanBeTurnedOffForOneAgent) {
  act_as(R"("tenant_id":"acme","sql":false)");
  EXPECT_TRUE(sql("SELECT 1").starts_with("ERROR access_denied: SQL is turned off"));
  EXPECT_TRUE(ask("explain", R"({"sql":"SELECT 1"})").starts_with("ERROR access_denied"));
  EXPECT_FALSE(parse_agent_scope(R"({"sql":0,"fingerprint":"0123456789abcdef"})"));
  open({});  // the agents of these tests share a fingerprint
  act_as(R"("tenant_id":"acme","sql":true)");
  EXPECT_EQ(rows("SELECT 1"), "[[1]]");
}

TEST_F(Sql, OneConnectionServesAgentsInTurn) {
  for (int i = 0; i < 20; ++i) {
    act_as(i % 2 == 0 ? R"("tenant_id":"acme")" : R"("tenant_id":"rival")");
    EXPECT_EQ(rows("SELECT count(*) FROM orders WHERE abs(amount) > " + std::to_string(i % 3)),
              i % 2 == 0 ? "[[2]]" : "[[1]]");
  }
}

}  // namespace
}  // namespace gantry::data
