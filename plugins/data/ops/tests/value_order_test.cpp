// An `order` sorts as a $sort does: values, not their stored texts.
#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include "ops/tests/small_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;

class ValueOrder : public SmallDatabase {
 protected:
  // The ids of the rows, in the order of the answer.
  std::string ids(const std::string& op, const std::string& args) {
    const std::string answer = ask(op, args);
    if (answer.starts_with("ERROR")) return answer;
    std::string ids;
    for (auto at = answer.find(R"("n":)"); at != std::string::npos;
         at = answer.find(R"("n":)", at + 1)) {
      const auto from = at + 4;
      ids += (ids.empty() ? "" : " ") +
             answer.substr(from, answer.find_first_not_of("-0123456789", from) - from);
    }
    return ids;
  }
  std::string ordered(const std::string& order, const std::string& more = "") {
    return ids("query", R"({"class_name":"ev","keys":["n"],"order":")" + order + "\"" + more + "}");
  }
  std::string sorted(const std::string& field, int direction) {
    return ids("aggregate", R"({"class_name":"ev","pipeline":[{"$sort":{")" + field +
                                "\":" + std::to_string(direction) + R"(,"n":1}}]})");
  }
};

TEST_F(ValueOrder, DatesOfDifferentShapesSortByTime) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME);
    INSERT INTO ev VALUES (1, '2024-01-01T10:00:00Z'), (2, '2024-01-01T12:00:00+05:00'),
                          (3, '2024-01-01T08:00:00Z'), (4, '2024-01-01 09:00:00'), (5, NULL);
  )sql");
  EXPECT_EQ(ordered("at"), "5 2 3 4 1");
  EXPECT_EQ(ordered("-at"), "1 4 3 2 5");
  EXPECT_EQ(ordered("at"), sorted("at", 1));
  EXPECT_EQ(ordered("-at", R"(,"limit":2,"skip":1)"), "4 3");
}

TEST_F(ValueOrder, DatesOfTwoZonesSortByTime) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME);
    CREATE INDEX ev_at ON ev(at);
    INSERT INTO ev VALUES (1, '2024-01-01T10:00:00+01:00'), (2, '2024-01-01T12:00:00+05:00'),
                          (3, '2024-01-01T08:00:00+00:00');
  )sql");
  EXPECT_EQ(ordered("at"), "2 3 1");
  EXPECT_EQ(sorted("at", 1), "2 3 1");
}

// The sampled rows have one shape; behind them comes another.
TEST_F(ValueOrder, ALateDateOfAnotherShapeIsNoticed) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME);
    CREATE INDEX ev_at ON ev(at);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO ev SELECT i, strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + i, 'unixepoch') FROM n;
    INSERT INTO ev VALUES (500, '2023-11-14 22:13:20'), (501, '2023-11-14T23:13:19+01:00');
  )sql");
  EXPECT_EQ(ordered("at", R"(,"limit":4)"), "501 500 1 2");
  EXPECT_EQ(ordered("-at", R"(,"limit":2)"), "400 399");
}

TEST_F(ValueOrder, DatesOfOneShapeAreSortedByTheirIndex) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME, local TEXT, micros TEXT);
    CREATE INDEX ev_at ON ev(at);
    CREATE INDEX ev_local ON ev(local);
    CREATE INDEX ev_micros ON ev(micros);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO ev SELECT i, strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + i, 'unixepoch'),
      strftime('%Y-%m-%dT%H:%M:%S+05:30', 1700000000 + i, 'unixepoch'),
      strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + i, 'unixepoch') || '.123456+00:00' FROM n;
  )sql");
  configure({.expose_explain = true});
  for (const std::string field : {"at", "local", "micros"}) {
    EXPECT_EQ(ordered("-" + field, R"(,"limit":3)"), "400 399 398") << field;
    const std::string plan =
        ask("explain", R"({"op":"query","class_name":"ev","order":"-)" + field + R"(","limit":3})");
    EXPECT_THAT(plan, HasSubstr("ev_" + field)) << plan;
    EXPECT_THAT(plan, ::testing::Not(HasSubstr("TEMP B-TREE"))) << plan;
  }
}

TEST_F(ValueOrder, ValuesThatAreNoDatesKeepTheirPlace) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME, ok BOOLEAN, raw BLOB);
    INSERT INTO ev VALUES (1, '2024-01-01T10:00:00Z', 1, x'02'), (2, '2023-01-01T10:00:00Z', 0, x'0101'),
      (3, '2022-01-01T10:00:00Z', 2, x'01'), (4, '2021-01-01', 0, NULL), (5, '2020-01-01', 1, x''),
      (6, '2019-01-01', 1, x'00'), (7, '2018-01-01', 1, x'03'), (8, '2017-01-01', 1, x'04'),
      (9, '2016-01-01', 1, x'05'), (10, 'soon', 1, x'06');
  )sql");
  for (const std::string field : {"at", "ok", "raw"}) {
    EXPECT_EQ(ordered(field), sorted(field, 1)) << field;
  }
}

TEST_F(ValueOrder, EpochSecondsAmongOtherNumbersSortAsInASort) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, created_at INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 197)
    INSERT INTO ev SELECT i, 1700000000 - i FROM n;
    INSERT INTO ev VALUES (301, -99999999999999), (302, 999999999999999), (303, NULL);
  )sql");
  EXPECT_EQ(ordered("created_at", R"(,"limit":200)"), sorted("created_at", 1));
}

TEST_F(ValueOrder, APathThroughAPointerSortsByTime) {
  make(R"sql(
    CREATE TABLE author(id INTEGER PRIMARY KEY, born DATETIME);
    INSERT INTO author VALUES (1, '1970-01-01T10:00:00+05:00'), (2, '1970-01-01T08:00:00Z');
    CREATE TABLE ev(n INTEGER PRIMARY KEY, author INTEGER REFERENCES author(id));
    INSERT INTO ev VALUES (1, 2), (2, 1), (3, NULL);
  )sql");
  EXPECT_EQ(ordered("author.born"), "3 2 1");
  EXPECT_EQ(ordered("-author.born"), "1 2 3");
}

TEST_F(ValueOrder, APathThroughAPointerNoticesALateDate) {
  make(R"sql(
    CREATE TABLE author(id INTEGER PRIMARY KEY, born DATETIME);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO author SELECT i, strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + i, 'unixepoch') FROM n;
    INSERT INTO author VALUES (500, '2023-11-14 23:59:59');
    CREATE TABLE ev(n INTEGER PRIMARY KEY, author INTEGER REFERENCES author(id));
    INSERT INTO ev VALUES (1, 500), (2, 1), (3, 400);
  )sql");
  EXPECT_EQ(ordered("author.born"), "2 3 1");
}

// Two answers of one state have one order.
TEST_F(ValueOrder, MicrosecondsSortAlikeWithAndWithoutALateDate) {
  make(R"sql(
    CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
    INSERT INTO ev SELECT i, '2024-01-01T10:00:00.0000' || printf('%02d', 99 - i % 100) FROM n;
  )sql");
  const std::string before = ordered("at", R"(,"limit":5)");
  run_sql("INSERT INTO ev VALUES (500, '2025-01-01 10:00:00')");
  EXPECT_EQ(ordered("at", R"(,"limit":5)"), before);
}

// Rows in every form of a date, in random order: the same as the engine's own sort.
TEST_F(ValueOrder, RandomDatesSortAsInASort) {
  std::mt19937 random(7);
  const char* const forms[] = {"'%Y-%m-%dT%H:%M:%SZ'", "'%Y-%m-%d %H:%M:%S'", "'%Y-%m-%d'",
                               "'%Y-%m-%dT%H:%M:%S+02:00'", "'%Y-%m-%dT%H:%MZ'"};
  for (int round = 0; round < 20; ++round) {
    const std::size_t kinds = 1 + random() % std::size(forms);
    std::string sql = "BEGIN; CREATE TABLE ev(n INTEGER PRIMARY KEY, at DATETIME);";
    for (int n = 0; n < 60; ++n) {
      const std::string seconds = std::to_string(1700000000 + random() % 400000);
      sql += "INSERT INTO ev VALUES (" + std::to_string(n) + ", strftime(" +
             forms[random() % kinds] + "," + seconds + ",'unixepoch'));";
    }
    sql += "COMMIT;";
    make(sql.c_str());
    EXPECT_EQ(ordered("at", R"(,"limit":100)"), sorted("at", 1)) << sql;
    service_.reset();
  }
}

}  // namespace
}  // namespace gantry::data
