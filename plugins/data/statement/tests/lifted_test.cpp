// Which values of a statement's text become parameters, and which stay.
#include "statement/lifted.hpp"

#include <gtest/gtest.h>

#include <string>

#include "store/caller_statement.hpp"

namespace gantry::data {
namespace {

// The text, and behind it its values.
std::string lift(const std::string& sql) {
  const LiftedText found = lifted(sql, sql_words(sql));
  std::string all = found.text;
  for (const Bind& value : found.values) {
    const auto* const text = std::get_if<std::string>(&value);
    all +=
        text != nullptr ? " <" + *text + ">" : " " + std::to_string(std::get<std::int64_t>(value));
  }
  return all;
}

TEST(Lifted, ValuesThatFieldsAreEqualTo) {
  EXPECT_EQ(lift("SELECT * FROM t WHERE id = 4711"), "SELECT * FROM t WHERE id = ? 4711");
  EXPECT_EQ(lift("select a from t where name='it''s' and b >= 007 or c <= '' limit 5;"),
            "select a from t where name=? and b >= ? or c <= ? limit 5; <it's> 7 <>");
  EXPECT_EQ(lift("SELECT id = 1 FROM t JOIN u ON t.a = 2 WHERE (t.b == 3) AND u.c != 4-1"),
            "SELECT id = 1 FROM t JOIN u ON t.a = 2 WHERE (t.b == ?) AND u.c != ?-1 3 4");
  EXPECT_EQ(lift("SELECT a FROM t WHERE b = 999999999999999999"),
            "SELECT a FROM t WHERE b = ? 999999999999999999");
}

TEST(Lifted, NothingWhereALiteralMayMeanSomethingElse) {
  for (const char* sql : {
           "",
           "SELECT a FROM 'orders'",
           "SELECT a FROM t WHERE b = 't'.'c'",
           "SELECT a FROM t WHERE b = \"c\"",
           "SELECT a FROM t WHERE b = 2.5",
           "SELECT a FROM t WHERE b = .5",
           "SELECT a FROM t WHERE b = 2e5",
           "SELECT a FROM t WHERE b = 2e-5",
           "SELECT a FROM t WHERE b = 0x10",
           "SELECT a FROM t WHERE b = x'00'",
           "SELECT a FROM t WHERE b = -5",
           "SELECT a FROM t WHERE b = 9223372036854775808",
           "SELECT a FROM t WHERE b = 'open",
           "SELECT a FROM t WHERE b = 'open''",
           "SELECT a FROM t WHERE b > 5 AND c IN (1, 2) AND d -> 'e' LIKE 'f'",
           "SELECT a FROM t ORDER BY b = 5",
           "SELECT a FROM t WHERE b IS NULL ORDER BY c = 5",
           "SELECT a FROM t LIMIT 1 = 1",
           "SELECT count(*) FILTER (WHERE b = 5) FROM t",
       }) {
    EXPECT_EQ(lift(sql), sql);
  }
}

TEST(Lifted, NothingOfStatementsThatCompareExpressionsOrHaveParameters) {
  for (const char* sql : {
           "SELECT a FROM t WHERE b = 5 GROUP BY a",
           "SELECT DISTINCT a FROM t WHERE b = 5",
           "SELECT a, row_number() OVER () FROM t WHERE b = 5",
           "SELECT a FROM t WHERE b = 5 UNION SELECT 1",
           "SELECT a FROM t WHERE b = 5 AND c IN (SELECT d FROM u WHERE e = 1)",
           "SELECT a FROM t WHERE b = 5 AND c IN (VALUES (1))",
           "WITH u AS (SELECT 1) SELECT a FROM t WHERE b = 5",
           "VALUES (1)",
           "SELECT a FROM t WHERE b = 5 AND c = ?",
           "SELECT a FROM t WHERE b = 5 AND c = ?1",
           "SELECT a FROM t WHERE b = 5 AND c = :d",
       }) {
    EXPECT_EQ(lift(sql), sql);
  }
}

TEST(Lifted, NothingOfTextsThatNoStatementMayHave) {
  using namespace std::string_literals;
  EXPECT_EQ(lift("SELECT a FROM t WHERE b = 'c\0d'"s), "SELECT a FROM t WHERE b = 'c\0d'"s);
  const std::string large = "SELECT a FROM t WHERE b = '" + std::string(5000, 'x') + "'";
  EXPECT_EQ(lift(large), large);
}

TEST(Lifted, NoMoreThanAStatementMayHave) {
  std::string sql = "SELECT a FROM t WHERE b = 1";
  for (int i = 0; i < 120; ++i) sql += " OR b = 2";
  const LiftedText found = lifted(sql, sql_words(sql));
  EXPECT_EQ(found.values.size(), kMostStatementValues);
  EXPECT_TRUE(found.text.ends_with("b = ? OR b = 2" + sql.substr(sql.size() - 20 * 9)))
      << found.text;
}

}  // namespace
}  // namespace gantry::data
