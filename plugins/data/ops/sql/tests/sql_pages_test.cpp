// Pages of a statement's rows: together they are the whole answer, and where they would not be, no
// next_call is offered.
#include <gtest/gtest.h>

#include "ops/sql/tests/sql_shop.hpp"

namespace gantry::data {
namespace {

constexpr const char* kPaged = R"sql(
  CREATE TABLE codes(code TEXT PRIMARY KEY, city TEXT);
  CREATE TABLE places(a TEXT NOT NULL, b INTEGER NOT NULL, size REAL, PRIMARY KEY(a, b));
  CREATE TABLE people(id INTEGER PRIMARY KEY, mail TEXT UNIQUE, nick TEXT COLLATE NOCASE UNIQUE,
                      city TEXT, height REAL, born DATE, tall BOOLEAN CHECK (tall IN (0, 1)),
                      info JSON, raw BLOB);
  INSERT INTO codes VALUES (NULL, 'x'), (NULL, 'y'), ('a', 'x'), ('b', NULL), ('c', 'y');
  INSERT INTO places VALUES ('x', 1, 2.5), ('x', 2, NULL), ('y', 1, 2.5), ('z', 1, 1e300),
                            ('z', 2, -0.0);
  INSERT INTO people VALUES
    (1, 'm1', 'Ann', 'Bern', 1.5, '2020-01-02', 1, '{"a":1}', x'01'),
    (2, NULL, 'bob', 'Bern', NULL, '2020-01-02', 0, '{"a":1}', x'01'),
    (3, 'm3', 'Cy',  NULL,   1.7, NULL, NULL, NULL, NULL),
    (4, NULL, 'dan', 'Chur', 1.7, '2019-05-06', 1, '[1]', x'FF'),
    (5, 'M1', 'Eve', NULL,   9007199254740993.0, '2021-01-01', 0, '7', x''),
    (9223372036854775807, 'm6', 'fay', 'chur', 0.1, '2021-01-01', NULL, NULL, x'00');
)sql";

class SqlPages : public SqlShop {
 protected:
  void SetUp() override {
    SqlShop::SetUp();
    run_sql(kPaged);
  }

  // The arguments of next_call; empty: there is none.
  static std::string next_of(const std::string& answer) {
    constexpr std::string_view kBegin = R"("next_call":{"tool":"query_sql","arguments":)";
    const auto at = answer.find(kBegin);
    if (at == answer.npos) return {};
    const std::string rest = answer.substr(at + kBegin.size());
    return rest.substr(0, rest.rfind("}}"));
  }
  static std::string rows_of(const std::string& answer) {
    const auto end = answer.find(R"({"columns")");
    return answer.substr(1, end - 2);  // without brackets
  }

  struct Paged {
    std::string rows;  // of all pages
    int pages = 0;
    bool is_whole = false;  // the last page is the last one
  };
  Paged paged(const std::string& text, int limit, const std::string& more = "") {
    Paged all;
    std::string arguments =
        R"({"sql":)" + quoted(text) + more + R"(,"limit":)" + std::to_string(limit) + "}";
    for (; all.pages < 100; ++all.pages) {
      const std::string answer = ask("sql", arguments);
      EXPECT_FALSE(answer.starts_with("ERROR")) << answer << text;
      const std::string rows = rows_of(answer);
      all.rows += (all.rows.empty() || rows.empty() ? "" : ",") + rows;
      arguments = next_of(answer);
      all.is_whole = answer.find("truncated") == answer.npos;
      if (arguments.empty()) break;
    }
    return all;
  }
};

TEST_F(SqlPages, ANextCallRepeatsTheArgumentsAndSaysWhereToGoOn) {
  EXPECT_EQ(sql("SELECT name, id FROM teams ORDER BY id", R"(,"limit":1)"),
            R"([["red",1]]{"columns":["name","id"],"row_count":1,"truncated":true,)"
            R"("next_call":{"tool":"query_sql","arguments":{"limit":1,)"
            R"("sql":"SELECT name, id FROM teams ORDER BY id","after":"[1]"}}})");
  EXPECT_EQ(sql("SELECT name, id FROM teams ORDER BY id", R"(,"limit":1,"after":"[1]")"),
            R"([["blue",2]]{"columns":["name","id"],"row_count":1})");
  EXPECT_EQ(sql("SELECT name, id FROM teams ORDER BY id", R"(,"after":"[2]")"),
            R"([]{"columns":["name","id"],"row_count":0})");
}

TEST_F(SqlPages, TogetherAreTheWholeAnswer) {
  for (const char* text :
       {"SELECT id, city FROM people ORDER BY id",
        "SELECT * FROM people ORDER BY id DESC",
        "SELECT id, city FROM people ORDER BY city, id",
        "SELECT id, city FROM people ORDER BY city DESC, id DESC",
        "SELECT id, city FROM people ORDER BY city NULLS LAST, id",
        "SELECT id, city FROM people ORDER BY city DESC NULLS FIRST, 1",
        "SELECT id, city FROM people ORDER BY city COLLATE NOCASE, id",
        "SELECT id, height AS h FROM people ORDER BY h DESC, id",
        "SELECT id, height FROM people p ORDER BY p.height, p.id DESC",
        "SELECT id, tall, born FROM people ORDER BY tall, born DESC, id",
        "SELECT id AS \"The id\", nick FROM people ORDER BY \"The id\"",
        "SELECT id, upper(city) AS town FROM people ORDER BY town, id",
        "SELECT id, mail FROM people WHERE mail IS NOT NULL ORDER BY mail",
        "SELECT a, b, size FROM places ORDER BY size, a, b",
        "SELECT * FROM places ORDER BY b DESC, a",
        "SELECT objectId, text FROM lines ORDER BY 1",
        "SELECT objectId, city FROM people ORDER BY city, objectId",
        "SELECT p.objectId AS a, o.id AS b FROM orders o, people p ORDER BY p.objectId, b",
        "SELECT id, customer FROM orders ORDER BY id DESC",
        "SELECT id, customer FROM orders",
        "SELECT id, made FROM orders ORDER BY made DESC, id",
        "SELECT city, count(*) AS n FROM people GROUP BY city ORDER BY n DESC, city",
        "SELECT city, count(*) FROM people GROUP BY 1 ORDER BY 1 DESC",
        "SELECT substr(born, 1, 4) AS year, count(*) FROM people GROUP BY year ORDER BY year",
        "SELECT city, tall, max(id) FROM people GROUP BY city, tall ORDER BY 3, 2, 1",
        "SELECT DISTINCT city FROM people ORDER BY city",
        "SELECT DISTINCT city, tall FROM people ORDER BY 2, 1",
        "SELECT o.id, p.id AS person FROM orders o JOIN people p ORDER BY person, 1",
        "SELECT o.id, p.id AS person FROM orders o JOIN people p ORDER BY o.id, p.id",
        "SELECT orders.id AS k1, p.id AS k2, p.id FROM orders JOIN people AS p ORDER BY p.id, k1",
        "SELECT o.id AS a, p.id AS b FROM orders AS o, people p ORDER BY P.ID DESC, O.id",
        "SELECT t.name, t.id AS tid, p.id FROM teams t CROSS JOIN people p ORDER BY 3, tid",
        "WITH t AS (SELECT city, id FROM people) SELECT city, count(*) FROM t GROUP BY 1 ORDER BY "
        "1",
        "SELECT id, city FROM people ORDER BY id LIMIT 5 OFFSET 1",
        "SELECT id FROM people WHERE id > 1 ORDER BY id LIMIT 4",
        "SELECT date(born) AS day, id FROM people ORDER BY day, id",
        "SELECT id FROM people WHERE date(born) > '2019-12-31' ORDER BY id"}) {
    const Paged whole = paged(text, 1000);
    EXPECT_TRUE(whole.is_whole) << text;
    for (const int limit : {1, 2, 3}) {
      const Paged some = paged(text, limit);
      EXPECT_EQ(some.rows, whole.rows) << text << " by " << limit;
      EXPECT_TRUE(some.is_whole) << text << " by " << limit;
      if (limit == 1) {
        EXPECT_GT(some.pages, 0) << text;
      }
    }
  }
}

TEST_F(SqlPages, ParametersAndFormatsGoOnToo) {
  for (const char* more : {R"(,"params":[0,"zz"])", R"(,"params":{"1":0,"2":"zz"})",
                           R"(,"params":[0,"zz"],"format":"json")"}) {
    const Paged some =
        paged("SELECT id, city FROM people WHERE id > ? AND city < ? ORDER BY id", 2, more);
    EXPECT_EQ(some.rows, R"([1,"Bern"],[2,"Bern"],[4,"Chur"],[9223372036854775807,"chur"])");
  }
  const std::string csv = sql("SELECT id FROM teams ORDER BY id", R"(,"limit":1,"format":"csv")");
  EXPECT_EQ(ask("sql", next_of(csv)).find("truncated"), std::string::npos);
  EXPECT_NE(ask("sql", next_of(csv)).find(R"("output":"id\r\n2\r\n")"), std::string::npos) << csv;
  EXPECT_EQ(rows("SELECT id FROM people WHERE id > :least ORDER BY id",
                 R"(,"params":{"least":1},"limit":2,"after":"[3]")"),
            "[[4],[5]]");
}

// Ties would be lost or told twice: the order does not tell rows apart, or not surely.
TEST_F(SqlPages, WithoutATotalOrderThereIsAHint) {
  const std::pair<const char*, const char*> cases[] = {
      {"SELECT id, city FROM people", "Select id and end ORDER BY with it"},
      {"SELECT id, city FROM people ORDER BY city", "Select id and end ORDER BY with it"},
      {"SELECT city FROM people ORDER BY id", "Select id and end ORDER BY with it"},
      {"SELECT id, nick FROM people ORDER BY nick", "Select id and"},
      {"SELECT id, mail FROM people ORDER BY mail COLLATE NOCASE", "Select id and"},
      {"SELECT a FROM places ORDER BY a", "Select a, b and end ORDER BY with it"},
      {"SELECT size FROM lines ORDER BY size", "Select objectId and"},
      {"SELECT o.id FROM orders o JOIN people p ORDER BY o.id",
       "Select o.id AS k1, p.id AS k2 and end ORDER BY with k1, k2: then"},
      {"SELECT p.city FROM orders o JOIN people AS p ORDER BY p.city",
       "Select o.id AS k1, p.id AS k2 and end ORDER BY with k1, k2: then"},
      {"SELECT a.id, b.id FROM people a, people b ORDER BY a.id, b.id", "LIMIT and OFFSET"},
      {"SELECT substr(city, 1, 1) AS city, count(*) FROM people GROUP BY city ORDER BY city",
       "Select the columns of GROUP BY"},
      {"SELECT city, count(*) AS n FROM people GROUP BY city ORDER BY n",
       "Select the columns of GROUP BY"},
      {"SELECT DISTINCT city, id FROM people ORDER BY city", "Name all columns"},
      {"SELECT id FROM people UNION ALL SELECT id FROM people ORDER BY id", "LIMIT and OFFSET"},
      {"SELECT abs(id) FROM people ORDER BY abs(id)", "Select id and"},
      {"SELECT id, row_number() OVER (ORDER BY height) AS place FROM people ORDER BY id",
       "LIMIT and OFFSET"},
      {"VALUES (1), (2), (2)", "LIMIT and OFFSET"},
      {"SELECT * FROM big ORDER BY id", "LIMIT and OFFSET"}};
  for (const auto& [text, hint] : cases) {
    const std::string answer = sql(text, R"(,"limit":1)");
    EXPECT_EQ(next_of(answer), "") << text;
    EXPECT_NE(answer.find(hint), std::string::npos) << text << answer;
  }
}

// The order tells rows apart, but not from a NULL on; or the answer shows the value otherwise.
TEST_F(SqlPages, NoPageBeginsAfterAValueThatTellsNothing) {
  EXPECT_EQ(next_of(sql("SELECT code FROM codes ORDER BY code", R"(,"limit":1)")), "");
  EXPECT_NE(next_of(sql("SELECT code FROM codes ORDER BY code", R"(,"limit":3)")), "");
  EXPECT_EQ(paged("SELECT code FROM codes ORDER BY code DESC", 3).rows,
            R"(["c"],["b"],["a"],[null],[null])");
  EXPECT_EQ(next_of(sql("SELECT id, raw FROM people ORDER BY raw DESC, id", R"(,"limit":1)")), "");
  EXPECT_EQ(next_of(sql("SELECT id, info FROM people ORDER BY info DESC, id", R"(,"limit":1)")),
            "");
  const std::string longest(5000, 'x');
  run_sql(("INSERT INTO people(id, city) VALUES (50, '" + longest + "')").c_str());
  EXPECT_EQ(next_of(sql("SELECT id, city FROM people ORDER BY city DESC, id", R"(,"limit":1)")),
            "");
}

TEST_F(SqlPages, RowsThatDoNotFitTheAnswerAreTheNextPage) {
  run_sql(
      "WITH RECURSIVE c(x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM c LIMIT 300) "
      "INSERT INTO people(id, city) SELECT x, printf('%.*c', 500, 'y') FROM c");
  const auto answer_of = [this](const std::string& arguments) {
    const auto reply = service_->run(R"({"op":"sql","args":)" + arguments + "}",
                                     {Budget::for_ms(60'000), 64u << 10, rules_});
    return reply ? reply->rows + reply->meta : "ERROR " + reply.error().message;
  };
  std::string arguments = R"({"sql":"SELECT id, city FROM people ORDER BY id","limit":1000})";
  int pages = 0;
  std::string rows;
  for (; !arguments.empty() && pages < 20; ++pages) {
    const std::string answer = answer_of(arguments);
    ASSERT_FALSE(answer.starts_with("ERROR")) << answer;
    rows += rows_of(answer);
    arguments = next_of(answer);
  }
  EXPECT_GT(pages, 2);
  for (int id = 100; id < 400; ++id) {
    const std::string row = "[" + std::to_string(id) + ",";
    EXPECT_NE(rows.find(row), std::string::npos) << id;
    EXPECT_EQ(rows.find(row, rows.find(row) + 1), std::string::npos) << id;
  }
}

TEST_F(SqlPages, AWrongAfterIsRefused) {
  for (const char* after : {"x", "[]", "[1,2]", "{}", "[[1]]", "[1"}) {
    const std::string answer =
        sql("SELECT id FROM teams ORDER BY id", R"(,"after":)" + quoted(after));
    EXPECT_TRUE(answer.starts_with("ERROR invalid_argument: ")) << after << answer;
  }
  const std::string answer = sql("SELECT name FROM teams", R"(,"after":"[1]")");
  EXPECT_NE(answer.find("repeat the arguments of next_call unchanged"), std::string::npos)
      << answer;
}

// The condition of a page is one of the answer's columns: it reads no row or field beyond them.
TEST_F(SqlPages, NothingHiddenIsTold) {
  EXPECT_EQ(rows("SELECT id, customer FROM orders ORDER BY id", R"(,"after":"[2]")"), "[]");
  EXPECT_EQ(
      rows("SELECT id, customer FROM orders ORDER BY customer, id", R"(,"after":"[\"Eve\",0]")"),
      "[]");
  EXPECT_EQ(rows("SELECT id, vault_id FROM orders ORDER BY vault_id, id", R"(,"after":"[77,0]")"),
            R"([[1,{"className":"vaults","__redacted":true}]])");
  EXPECT_EQ(
      next_of(sql("SELECT id, vault_id FROM orders ORDER BY vault_id DESC, id", R"(,"limit":1)")),
      "");
  run_sql(R"(UPDATE people SET city = '{"_hashed_password":"x"}' WHERE id = 1)");
  const std::string answer =
      sql("SELECT id, city FROM people ORDER BY city DESC, id", R"(,"limit":1)");
  EXPECT_EQ(answer.find("hashed"), std::string::npos) << answer;
}

TEST_F(SqlPages, APageIsFoundByTheIndexOfItsFirstColumn) {
  const auto steps = [this](const std::string& more) {
    ReadSettings settings;
    settings.expose_explain = true;
    configure(settings, JsonDialect::plain);
    return ask("explain", R"({"sql":"SELECT b, a FROM places ORDER BY a, b")" + more + "}");
  };
  EXPECT_NE(steps("").find("SCAN"), std::string::npos);
  EXPECT_NE(steps(R"(,"after":"[\"x\",1]")").find("SEARCH"), std::string::npos)
      << steps(R"(,"after":"[\"x\",1]")");
}

}  // namespace
}  // namespace gantry::data
