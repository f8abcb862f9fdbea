// Ways around the rules that were found by reading: each must stay closed.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <regex>

#include "ops/sql/tests/sql_shop.hpp"

namespace gantry::data {
namespace {

class SqlHoles : public SqlShop {};

// A query may have the name of a date function, and the database a table of that name.
TEST_F(SqlHoles, AQueryNamedAsAFunctionMeansNoTable) {
  run_sql(
      "CREATE TABLE date(secret); INSERT INTO date VALUES ('ruby');"
      "CREATE TABLE time(secret); INSERT INTO time VALUES ('gamma')");
  act_as(R"("tenant_id":"acme","classes":{"only":["orders"]})");
  EXPECT_EQ(rows("WITH date(secret) AS (SELECT 1), y AS (SELECT secret FROM date) SELECT * FROM y"),
            "[[1]]");
  EXPECT_EQ(rows("WITH \"time\" (secret) AS MATERIALIZED (SELECT 2) SELECT secret FROM time"),
            "[[2]]");
  EXPECT_EQ(rows("WITH 'time'(secret) AS NOT MATERIALIZED (SELECT 3) SELECT secret FROM time"),
            "[[3]]");
  EXPECT_TRUE(sql("SELECT secret FROM date").starts_with("ERROR access_denied"));
  EXPECT_EQ(rows("SELECT date('2024-02-28') AS date, (SELECT time('10:00')) AS time"),
            R"([["2024-02-28","10:00:00"]])");
}

// Columns that a join finds by their names are columns of all fields, not of those written alone.
TEST_F(SqlHoles, JoinsByNameUseAllFields) {
  run_sql(
      "CREATE TABLE left_side(k INTEGER PRIMARY KEY, a TEXT); CREATE TABLE right_side(k INTEGER "
      "PRIMARY KEY, b TEXT);"
      "INSERT INTO left_side VALUES (1, 'x'), (2, 'y');"
      "INSERT INTO right_side VALUES (2, 'z'), (3, 'w')");
  EXPECT_EQ(rows("SELECT a, b FROM left_side NATURAL JOIN right_side"), R"([["y","z"]])");
  EXPECT_EQ(rows("SELECT a, b FROM left_side JOIN right_side USING (k)"), R"([["y","z"]])");
}

// SQLite does not ask its authorizer about the columns that such a join compares, so that
// USING (name) would tell which tables there are.
TEST_F(SqlHoles, JoinsByNameDoNotReachTheSchema) {
  for (const char* text :
       {"SELECT 9 FROM sqlite_schema a NATURAL JOIN sqlite_schema b",
        "SELECT 9 FROM (SELECT 'payroll' AS name) JOIN sqlite_schema USING (name)",
        "SELECT 9 FROM (SELECT 'payroll' AS name) JOIN \"main\".[SQLITE_Master] USING (name)",
        "SELECT 9 FROM 'sqlite_temp_schema' JOIN `sqlite_temp_master` USING (name)",
        "WITH n(name) AS (VALUES ('x')) SELECT count(*) FROM n LEFT JOIN sqlite_master USING "
        "(name)"}) {
    EXPECT_TRUE(sql(text).starts_with("ERROR security_blocked")) << text << sql(text);
  }
}

TEST_F(SqlHoles, NamesOfOursCannotBeTaken) {
  for (const char* text :
       {"WITH \"gantry:1\"(id) AS (SELECT 9) SELECT id FROM orders",
        "WITH [GANTRY:1](id) AS (SELECT 9) SELECT id FROM orders", "SELECT * FROM `gantry:1`",
        "SELECT * FROM 'gantry:values'", "SELECT id AS \"gantry:x\" FROM orders"}) {
    EXPECT_TRUE(sql(text).starts_with("ERROR security_blocked")) << text << sql(text);
  }
}

TEST_F(SqlHoles, ParametersMayHaveTheNamesOfWords) {
  EXPECT_EQ(rows("SELECT id FROM orders WHERE amount > :limit", R"(,"params":{"limit":15})"),
            "[[2]]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE amount > @order LIMIT $limit",
                 R"(,"params":{"order":5,"limit":1})"),
            "[[1]]");
  EXPECT_EQ(rows("SELECT id AS limit$x FROM orders WHERE id = 1"), "[[1]]");
  EXPECT_NE(sql("SELECT $a(') FROM teams --')", ",\"params\":[1]").find("parameters are"),
            std::string::npos);
  EXPECT_NE(sql("SELECT $a::b", ",\"params\":[1]").find("parameters are"), std::string::npos);
}

TEST_F(SqlHoles, CommentsAtTheEndAreLeftOut) {
  EXPECT_EQ(rows("SELECT id FROM orders WHERE id = 1 /* never closed"), "[[1]]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE id = 1 -- closed by nothing"), "[[1]]");
  EXPECT_EQ(rows("SELECT 1 /*) UNION SELECT secret FROM orders*/; -- x"), "[[1]]");
}

// As in every other read, JSON in a column of texts shows no internal names and no hidden pointers.
TEST_F(SqlHoles, JsonInTextsIsPrunedUnderExpressionsToo) {
  run_sql(R"sql(UPDATE orders SET customer = '{"a":1,"_hashed_password":"x"}' WHERE id = 1;
                UPDATE teams SET name = ' {"_hashed_password":"y"}' WHERE id = 1)sql");
  EXPECT_EQ(rows("SELECT customer FROM orders WHERE id = 1"), R"([["{\"a\":1}"]])");
  EXPECT_EQ(rows("SELECT substr(customer, 1, 90), length(customer) FROM orders WHERE id = 1"),
            R"([["{\"a\":1}",7]])");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE customer LIKE '%hashed%'"), "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE customer = 'Bob'"), "[[2]]");
  EXPECT_EQ(rows("SELECT name FROM teams WHERE id = 1").find("hashed"), std::string::npos);
}

// What other parsers read as JSON, ours need not.
TEST_F(SqlHoles, TextsThatAreAlmostJsonArePrunedToo) {
  const std::string kPassword = R"("pass\u0077ord":"ruby")", kDeep(151, '[');
  for (const std::string& text :
       {R"({"x":"\ud800",)" + kPassword + "}", R"({"n":1e999,)" + kPassword + "}",
        "{" + kPassword + "} and more", "{" + kPassword, kDeep + "{" + kPassword + "}",
        std::string(R"({'password':'ruby'})"), std::string("{password: 'ruby'}"),
        std::string(
            R"({"p":{"__type":"Pointer","className":"vaults","objectId":"ruby"},"x":1e999})"),
        std::string(R"([{"__type":"Pointer","className":"vaults","objectId":"ruby")")}) {
    const std::string stored = "'" + std::regex_replace(text, std::regex("'"), "''") + "'";
    const std::string also_bytes = "CAST(" + stored + " AS BLOB)";
    for (const std::string& value : {stored, also_bytes, stored + "||char(0)||'{'",
                                     "CAST(x'7b22ff223a'||" + stored + " AS TEXT)"}) {
      const std::string both = "UPDATE orders SET customer=" + value + ",info=" + value;
      run_sql((both + " WHERE id = 1").c_str());
      open(ReadSettings{});
      for (const char* column : {"customer", "info"}) {
        const std::string name = column;
        const std::string answers =
            sql("SELECT " + name + ", " + name + "||'', CAST(" + name + " AS TEXT), hex(" + name +
                ") FROM orders") +
            sql("SELECT id FROM orders WHERE " + name + " LIKE '%rub%'") +
            ask("query", R"({"class_name":"orders"})") +
            ask("distinct", R"({"class_name":"orders","field":")" + name + "\"}") +
            ask("export", R"({"class_name":"orders","format":"csv"})");
        EXPECT_EQ(answers.find("ruby"), std::string::npos) << value << answers;
        EXPECT_EQ(answers.find("72756279"), std::string::npos) << value << answers;
        EXPECT_EQ(answers.find("cnVieS"), std::string::npos) << value << answers;
        EXPECT_EQ(answers.find("[[1]]"), std::string::npos) << value << answers;
      }
    }
  }
}

// A column of this type has numeric affinity, as SQLite reads its name.
TEST_F(SqlHoles, TextsOfEveryDeclaredTypeArePruned) {
  for (const char* type : {"MAP", "STRING", "UUID", "TEXT", "OBJECT", "ARRAY", "", "BLOB"}) {
    const std::string name = std::string("own_") + type;
    run_sql(("ALTER TABLE orders ADD COLUMN " + name + " " + type + "; UPDATE orders SET " + name +
             R"( = '{"password":"ruby"}' WHERE id = 1; UPDATE orders SET )" + name +
             " = 'plain' WHERE id = 2")
                .c_str());
    std::ofstream(model_ / "0.json")
        << R"({"class":"orders","tenant_scope":{"field":"tenant"},"agent_fields":["id",")" + name +
               "\"]}";
    open(ReadSettings{});
    const std::string answer =
        rows("SELECT " + name + ", " + name + "||'', substr(" + name + ", 1, 90), json_extract(" +
             name + ", '$.password') FROM orders WHERE id = 1");
    EXPECT_EQ(answer.find("ruby"), std::string::npos) << type << answer;
    EXPECT_EQ(rows("SELECT id FROM orders WHERE " + name + " = 'plain'"), "[[2]]") << type;
    run_sql(("UPDATE orders SET " + name + " = '0012' WHERE id = 2").c_str());
    EXPECT_EQ(rows("SELECT id FROM orders WHERE " + name + " = '0012'"), "[[2]]") << type;
  }
}

// Without rules too: a column whose sample shows JSON is never read as it is stored.
TEST_F(SqlHoles, JsonInTextsIsPrunedWithoutRules) {
  run_sql(R"(INSERT INTO lines VALUES ('{"password":"ruby","a":1}', 4))");
  open(ReadSettings{});
  EXPECT_EQ(
      rows("SELECT text, text||'', text->>'$.password', text->>'$.a' FROM lines WHERE size=4"),
      R"([["{\"a\":1}","{\"a\":1}",null,1]])");
  EXPECT_EQ(rows("SELECT size FROM lines WHERE text LIKE '%ruby%'"), "[]");
  EXPECT_EQ(rows("SELECT size FROM lines WHERE text = 'two'"), "[[2]]");
}

TEST_F(SqlHoles, AQuotedNameIsNoText) {
  EXPECT_NE(sql("SELECT \"nme\" FROM teams").find("Did you mean 'name'"), std::string::npos);
  EXPECT_TRUE(sql("SELECT id FROM orders WHERE \"secret\" = 'x'").starts_with("ERROR access"));
}

// The size of a hidden value is not told by a failure.
TEST_F(SqlHoles, HiddenValuesAreNotTooLarge) {
  run_sql("UPDATE orders SET customer = printf('%.*c', 9000000, 'x') WHERE id = 3");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE customer > 'a'"), "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE length(customer) > 100"), "[]");
  EXPECT_EQ(rows("SELECT id FROM orders WHERE customer LIKE '%y'"), "[]");
  EXPECT_EQ(rows("SELECT max(length(customer)) FROM orders"), "[[3]]");
}

std::string long_text(const std::string& of, int size) {
  return "printf('%.*c'," + std::to_string(size) + ",'" + of + "')";
}

double seconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// None of them can be stopped while it runs; SQLite's own would run for minutes.
TEST_F(SqlHoles, NoFunctionTakesLongerThanItsArguments) {
  const std::string hay = long_text("a", 8'000'000), needle = long_text("a", 4'000'000) + "||'b'";
  for (const std::string& call :
       {"instr(" + hay + "," + needle + ")", "length(replace(" + hay + "," + needle + ",''))",
        "length(trim(" + long_text("a", 100'000) + "," + needle + "))",
        "length(json_extract('['||" + hay + ",'$'))", std::string("printf('%.2147483647c','x')"),
        std::string("length(format('%5.2000000c%-.2147483647c','x','y'))"),
        std::string("printf('%.*c', 2147483647, 'x')")}) {
    EXPECT_LT(seconds_of([&] { (void)sql("SELECT " + call); }), 20) << call;
  }
  for (const char* like : {" LIKE ", " GLOB "}) {
    EXPECT_NE(sql("SELECT 'a'" + std::string(like) + long_text("a", 201)).find("too complex"),
              std::string::npos);
  }
}

TEST_F(SqlHoles, PrintfFormatsAsSqliteDoesWithinALimit) {
  EXPECT_EQ(
      rows("SELECT printf('%5.2f|%-4d|%04d|%.3c|%s|%%|%,d|%*d', 2.345, 7, 42, 'xy', 'a', 1234567, "
           "6, 5), format('%q', 'it''s'), printf(NULL), printf('%.3c%.2c','a','b')"),
      R"([[" 2.35|7   |0042|xxx|a|%|1,234,567|     5","it''s",null,"aaabb"]])");
  EXPECT_NE(sql("SELECT printf('%.9000000c','x')").find("8 MiB"), std::string::npos);
  EXPECT_EQ(rows("SELECT printf('%*d%%%-6.*c|', 4, 1, -3, 'x')"), R"([["   1%xxx   |"]])");
  EXPECT_NE(sql("SELECT printf('%d%*s%.*c', 1, 2, 'a', 9000000, 'x')").find("8 MiB"),
            std::string::npos);
  EXPECT_EQ(sql("SELECT printf('a')").find("gantry_"), std::string::npos);
}

// Compiling cannot be stopped either.
TEST_F(SqlHoles, NoStatementTakesLongToCompile) {
  std::string unions, joins, nested = "SELECT 1 a", deep = "1", or_list = "id = 0", windows;
  for (int i = 0; i < 20; ++i) {
    unions += (i == 0 ? "" : ", ") + std::string("(SELECT 1 UNION ALL SELECT 2)");
  }
  for (int i = 0; i < 60; ++i) {
    joins += (i == 0 ? "orders o0" : " JOIN orders o" + std::to_string(i) + " USING (id)");
  }
  for (int i = 0; i < 12; ++i) nested = "SELECT * FROM (" + nested + ") p, (" + nested + ") q";
  for (int i = 0; i < 90; ++i) deep = "(SELECT " + deep + ")";
  for (int i = 1; i < 90; ++i) or_list += " OR team_id = " + std::to_string(i);
  for (int i = 0; i < 300; ++i)
    windows += ", sum(id) OVER (ORDER BY id + " + std::to_string(i) + ")";
  const std::string texts[] = {"SELECT count(*) FROM " + unions + " WHERE 0",
                               "SELECT count(*) FROM " + joins,
                               nested,
                               "SELECT " + deep,
                               "SELECT id FROM orders WHERE " + or_list,
                               "SELECT 1" + windows + " FROM orders"};
  for (const std::string& text : texts) {
    std::string answer;
    EXPECT_LT(seconds_of([&] { answer = sql(text); }), 10) << text.substr(0, 100);
    EXPECT_EQ(answer.find("ERROR internal"), std::string::npos) << answer;
  }
}

TEST_F(SqlHoles, ValuesKeepTheirTypes) {
  EXPECT_EQ(rows("SELECT ?, typeof(?), ?, typeof(?), ?, ?",
                 R"(,"params":[9223372036854775807,1.0,{"$base64":"AP8="},{"$base64":""},)"
                 R"("2026-01-31T10:00:00Z",false])"),
            R"([[9223372036854775807,"real",{"$base64":"AP8="},"blob","2026-01-31T10:00:00Z",0]])");
  EXPECT_EQ(rows("SELECT ?, ?", R"(,"params":{"0":"a","1":2})"), R"([["a",2]])");
  EXPECT_NE(sql("SELECT ?", R"(,"params":{"0":"a","1":2})").find("'params' has 2 values"),
            std::string::npos);
  EXPECT_NE(sql("SELECT ?", R"(,"params":[9223372036854775808])").find("write it as text"),
            std::string::npos);
  EXPECT_NE(sql("SELECT ?", R"(,"params":[{"$base64":"?"}])").find("bytes as"), std::string::npos);
  EXPECT_NE(sql("SELECT ?", R"(,"params":[{"a":1}])").find("no other objects"), std::string::npos);
  EXPECT_NE(sql("SELECT ?", R"(,"params":[[1]])").find("may hold"), std::string::npos);
}

// The functions that stand in place of SQLite's say the same.
TEST_F(SqlHoles, TextFunctionsAnswerAsSqliteDoes) {
  EXPECT_EQ(rows("SELECT instr('abcabc','ca'), instr('äöü','ü'), instr(x'00ff01',x'ff01'), "
                 "instr('abc',''), instr(NULL,'a'), instr('abc','x'), instr(12345,34)"),
            "[[3,3,2,1,null,0,3]]");
  EXPECT_EQ(rows("SELECT replace('aaa','aa','b'), replace('abc','','x'), replace(5,'x','y'), "
                 "typeof(replace(5,'x','y')), replace('a',NULL,'b'), replace('a-b-c','-','')"),
            R"([["ba","abc","5","text",null,"abc"]])");
  EXPECT_EQ(rows("SELECT trim('  a '), ltrim('xyxa','xy'), rtrim('aöü','üö'), trim('abc',''), "
                 "trim(NULL), trim('a',NULL), trim(x'206120')"),
            R"([["a","a","a","abc",null,null,"a"]])");
  EXPECT_NE(
      sql("SELECT trim('a', (WITH RECURSIVE c(x) AS (SELECT 200 UNION ALL SELECT x + 1 FROM c "
          "LIMIT 200) SELECT group_concat(char(x), '') FROM c))")
          .find("100 different characters"),
      std::string::npos);
}

}  // namespace
}  // namespace gantry::data
