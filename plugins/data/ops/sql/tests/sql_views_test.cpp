// Statements over views of the database, and over tables as their authors left them.
#include <gmock/gmock.h>

#include "ops/tests/small_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SqlViews : public SmallDatabase {
 protected:
  std::string rows(const std::string& text, const std::string& more = "") {
    const std::string answer = ask("sql", R"({"sql":")" + text + "\"" + more + "}");
    return answer.substr(0, answer.find(R"({"columns")"));
  }
  std::string warnings(const std::string& text, const std::string& more = "") {
    const auto reply = service_->run(R"({"op":"sql","args":{"sql":")" + text + "\"" + more + "}}",
                                     {Budget::for_ms(60'000), 4u << 20, rules_});
    return reply ? reply->warnings : "ERROR " + reply.error().message;
  }
};

constexpr const char* kViews = R"sql(
  CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO p VALUES (1, 'a'), (2, 'b');
  CREATE VIEW v AS SELECT id, name FROM p;
  CREATE TABLE u(a, b);
  CREATE TABLE w(c, d);
  INSERT INTO u VALUES (1, 2);
  INSERT INTO w VALUES (3, 4);
  CREATE VIEW both AS SELECT * FROM u UNION ALL SELECT * FROM w;
  CREATE VIEW few AS SELECT a AS c1, b AS c2 FROM u ORDER BY a DESC LIMIT 2;
  CREATE VIEW wide AS SELECT u.a, w.c FROM u FULL JOIN w ON u.a = w.c;
  CREATE VIRTUAL TABLE f USING fts5(a);
  INSERT INTO f VALUES ('hello there');
  CREATE VIEW snip AS SELECT snippet(f, 0, '[', ']', '..', 5) AS s FROM f WHERE f MATCH 'hello';
  CREATE VIEW ver AS SELECT sqlite_version() AS v, id FROM p;
  CREATE VIEW filled AS SELECT hex(zeroblob(2)) AS z, id FROM p;
)sql";

// Other operations leave their statements on the connection.
TEST_F(SqlViews, AreReadAfterOtherOperations) {
  make(kViews);
  for (const std::string op : {R"("group_by")", R"("distinct")"}) {
    const std::string name = op.substr(1, op.size() - 2);
    EXPECT_THAT(ask(name, R"({"class_name":"v","field":"id"})"), Not(HasSubstr("ERROR")));
    EXPECT_EQ(rows("SELECT id FROM v ORDER BY id"), "[[1],[2]]") << op;
  }
  EXPECT_THAT(ask("aggregate", R"({"class_name":"v","pipeline":[{"$group":{"_id":"$name"}}]})"),
              Not(HasSubstr("ERROR")));
  EXPECT_EQ(rows("SELECT name FROM v ORDER BY name"), R"([["a"],["b"]])");
}

TEST_F(SqlViews, AreCountedWithoutReadingAColumn) {
  make(kViews);
  const std::pair<const char*, const char*> cases[] = {
      {"SELECT count(*) FROM both", "[[2]]"},
      {"SELECT count(*) + 1 FROM both", "[[3]]"},
      {"SELECT (SELECT count(*) FROM both)", "[[2]]"},
      {"SELECT count(*) FROM both s, both t", "[[4]]"},
      {"SELECT count(*) FROM few", "[[1]]"},
      {"SELECT 1 FROM few", "[[1]]"},
      {"SELECT EXISTS (SELECT 1 FROM few)", "[[1]]"},
      {"SELECT count(*) FROM wide s, wide t", "[[4]]"}};
  for (const auto& [text, answer] : cases) EXPECT_EQ(rows(text), answer) << text;
}

// What an agent's own text may call does not bind the author of a view.
TEST_F(SqlViews, MayCallFunctionsThatStatementsMayNot) {
  make(kViews);
  EXPECT_EQ(rows("SELECT * FROM snip"), R"([["[hello] there"]])");
  EXPECT_EQ(rows("SELECT id FROM ver ORDER BY 1"), "[[1],[2]]");
  EXPECT_EQ(rows("SELECT z FROM filled LIMIT 1"), R"([["0000"]])");
  EXPECT_THAT(rows("SELECT sqlite_version() FROM ver"), HasSubstr("ERROR"));
  EXPECT_THAT(rows("SELECT zeroblob(2) FROM filled"), HasSubstr("ERROR"));
}

TEST_F(SqlViews, TablesWithoutAKeyHaveNoColumnMoreThanTheirOwn) {
  make(R"sql(
    CREATE TABLE a(x INT, y INT);
    INSERT INTO a VALUES (9, 9), (1, 10), (1, 10), (2, 20);
    CREATE TABLE b(x INT, z TEXT);
    INSERT INTO b VALUES (1, 'one'), (2, 'two');
    CREATE TABLE c(x INT, y INT);
    INSERT INTO c VALUES (1, 10);
    CREATE TABLE one(x INT);
    INSERT INTO one VALUES (2);
  )sql");
  const std::pair<const char*, const char*> cases[] = {
      {"SELECT DISTINCT * FROM a ORDER BY 1", "[[1,10],[2,20],[9,9]]"},
      {"SELECT count(*) FROM (SELECT DISTINCT * FROM a)", "[[3]]"},
      {"SELECT x, z FROM a NATURAL JOIN b ORDER BY 1", R"([[1,"one"],[1,"one"],[2,"two"]])"},
      {"SELECT * FROM a INTERSECT SELECT * FROM c", "[[1,10]]"},
      {"SELECT * FROM a EXCEPT SELECT * FROM c ORDER BY 1", "[[2,20],[9,9]]"},
      {"SELECT * FROM a ORDER BY 2 LIMIT 1", "[[9,9]]"},
      {"SELECT x FROM a WHERE x IN one", "[[2]]"},
      {"SELECT count(*) FROM a WHERE (x, y) IN (SELECT * FROM c)", "[[2]]"},
      {"SELECT * FROM c UNION ALL VALUES (1, 2)", "[[1,10],[1,2]]"},
      {"SELECT objectId, x FROM a WHERE objectId = 1", "[[1,9]]"}};
  for (const auto& [text, answer] : cases) EXPECT_EQ(rows(text), answer) << text;
}

// An argument that is a constant stays what it is for the next row.
TEST_F(SqlViews, InstrTellsBytesFromTextsInEveryRow) {
  make("CREATE TABLE t(x); INSERT INTO t VALUES ('text'), (x'bb'), ('bb'), (x'aa');");
  EXPECT_EQ(rows("SELECT instr(x'aabb', x) FROM t"), "[[0],[2],[0],[1]]");
  EXPECT_EQ(rows("SELECT instr(x, x'bb') FROM t"), "[[0],[1],[0],[0]]");
}

TEST_F(SqlViews, AColumnWithoutANameIsNotForStatements) {
  make(R"sql(CREATE TABLE e(a INT, "" INT); INSERT INTO e VALUES (1, 2);)sql");
  EXPECT_EQ(rows("SELECT * FROM e"), "[[1]]");
  EXPECT_THAT(rows(R"(SELECT a, \"\" FROM e)"), HasSubstr("ERROR"));
}

constexpr const char* kTwoStatus = R"sql(
  CREATE TABLE users(id INTEGER PRIMARY KEY, status TEXT);
  INSERT INTO users VALUES (1, 'active'), (2, 'inactive');
  CREATE TABLE tx(id INTEGER PRIMARY KEY, user_id INT REFERENCES users(id), status TEXT,
                  day TEXT, made DATETIME);
  INSERT INTO tx VALUES (1, 2, 'success', 'Monday', '2021-01-01 10:00:00'),
                        (2, 2, 'failed', 'Friday', '2021-02-01 10:00:00');
)sql";

TEST_F(SqlViews, AConditionIsOfTheClassThatItNames) {
  make(kTwoStatus);
  for (const char* text :
       {"SELECT t.id FROM tx t JOIN users u ON t.user_id = u.id WHERE t.status = 'success' AND "
        "u.status = 'active'",
        "SELECT tx.id FROM tx, users WHERE tx.status = 'success' AND users.status = 'active' AND "
        "tx.user_id = users.id",
        "SELECT sum(CASE WHEN day IN ('Saturday', 'Sunday') THEN 1 END) FROM tx WHERE id > 5"}) {
    EXPECT_EQ(warnings(text), "") << text;
  }
  EXPECT_THAT(warnings("SELECT t.id FROM tx t JOIN users u ON t.user_id = u.id WHERE t.status = "
                       "'sucess' AND u.status = 'active'"),
              HasSubstr("did you mean 'success'?"));
}

TEST_F(SqlViews, ParametersAreLookedAtAsLiteralsAre) {
  make(kTwoStatus);
  EXPECT_THAT(warnings("SELECT id FROM users WHERE status = ?", R"(,"params":["Active"])"),
              HasSubstr("did you mean 'active'?"));
  EXPECT_THAT(warnings("SELECT id FROM tx WHERE id > ? AND status IN (?, ?)",
                       R"(,"params":[0, "Success", "x"])"),
              HasSubstr("did you mean 'success'?"));
  EXPECT_THAT(warnings("SELECT id FROM users WHERE status = :s", R"(,"params":{"s":"Active"})"),
              HasSubstr("did you mean 'active'?"));
  EXPECT_EQ(warnings("SELECT id FROM users WHERE status = ?", R"(,"params":["active"])"), "");
  EXPECT_EQ(warnings("SELECT id FROM users WHERE status = ?", R"(,"params":[7])"), "");
  EXPECT_EQ(warnings("SELECT '?', id FROM users WHERE id > ? AND status = ?",
                     R"(,"params":["none", "active"])"),
            "");
}

TEST_F(SqlViews, TextsOfDatesAreNoNumbers) {
  make(kTwoStatus);
  for (const char* condition : {"made > 20090101", "made = 2021", "made < 1230768000",
                                "made BETWEEN 20090101 AND 20091231", "2021 = tx.made"}) {
    EXPECT_THAT(warnings(std::string("SELECT id FROM tx WHERE ") + condition),
                HasSubstr("'made' is a text in SQL, such as '2026-"))
        << condition;
  }
  EXPECT_THAT(warnings("SELECT id FROM tx WHERE made = '2021-01-01'"),
              HasSubstr("compare date(made) with a day"));
  EXPECT_THAT(warnings("SELECT id FROM tx WHERE strftime('%Y', made) = 2021"),
              HasSubstr("strftime() gives a text"));
  for (const char* condition :
       {"made >= '2021-01-01'", "made = '2021-01-01 10:00:00'", "strftime('%Y', made) = '2021'",
        "CAST(strftime('%Y', made) AS INTEGER) = 2021", "unixepoch(made) > 1"}) {
    EXPECT_EQ(warnings(std::string("SELECT id FROM tx WHERE ") + condition), "") << condition;
  }
}

TEST_F(SqlViews, BytesGoInAsTheyComeOut) {
  make("CREATE TABLE bk(id BLOB PRIMARY KEY, v); INSERT INTO bk VALUES (x'0102', 1);");
  configure({}, JsonDialect::plain);
  const std::string shown = R"({"id":{"$base64":"AQI="},"v":1})";
  EXPECT_THAT(ask("query", R"({"class_name":"bk"})"), HasSubstr(shown));
  EXPECT_THAT(ask("query", R"({"class_name":"bk","where":{"id":{"$base64":"AQI="}}})"),
              HasSubstr(shown));
  EXPECT_THAT(ask("query", R"({"class_name":"bk","where":{"id":{"$in":[{"$base64":"AQI="}]}}})"),
              HasSubstr(shown));
  EXPECT_THAT(
      ask("aggregate", R"({"class_name":"bk","pipeline":[{"$match":{"id":{"$base64":"AQI="}}}]})"),
      HasSubstr(shown));
}

}  // namespace
}  // namespace gantry::data
