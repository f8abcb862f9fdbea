// Rows in the form `plain` whose stored values are at the edges of their columns.
#include <gmock/gmock.h>

#include "ops/tests/small_database.hpp"

namespace gantry::data::row_edges_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class RowEdges : public SmallDatabase {
 protected:
  void open(const char* sql) {
    make(sql);
    configure({}, JsonDialect::plain);
  }
  // The rows alone.
  std::string rows(const std::string& cls, const std::string& more = "") {
    const std::string answer =
        ask("query", R"({"class_name":")" + cls + "\"" + (more.empty() ? "" : "," + more) + "}");
    return answer.substr(0, answer.find(R"(]{"result_count")") + 1);
  }
};

TEST_F(RowEdges, NumbersKeepTheirDigitsAndInfinityItsName) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, r REAL);
             INSERT INTO t VALUES(1,9007199254740993,0.1),(2,-9223372036854775808,9e999),
               (3,9223372036854775807,-9e999),(4,0,-0.0),(5,NULL,1e22);)sql");
  EXPECT_EQ(rows("t"), R"([{"id":1,"n":9007199254740993,"r":0.1},)"
                       R"({"id":2,"n":-9223372036854775808,"r":"Infinity"},)"
                       R"({"id":3,"n":9223372036854775807,"r":"-Infinity"},)"
                       R"({"id":4,"n":0,"r":0.0},{"id":5,"r":1e+22}])");
  EXPECT_EQ(rows("t", R"("where":{"n":9007199254740993},"keys":["id"])"), R"([{"id":1}])");
  EXPECT_EQ(rows("t", R"("where":{"n":9007199254740992},"keys":["id"])"), "[]");
  EXPECT_EQ(rows("t", R"("where":{"n":{"$gt":9007199254740992.0}},"keys":["id"],"order":"id")"),
            R"([{"id":1},{"id":3}])");
}

TEST_F(RowEdges, ValuesOfAnotherTypeThanTheirColumnAreWhatTheyAre) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, s TEXT, d DATETIME, b BOOLEAN);
             INSERT INTO t VALUES(1,5,'five','2024-01-01T00:00:00Z',1),
               (2,'five',x'ff00',20240101,2),(3,1.5,'5','soon','yes');)sql");
  EXPECT_EQ(rows("t", R"("keys":["n"],"order":"id")"), R"([{"n":5},{"n":"five"},{"n":1.5}])");
  EXPECT_THAT(rows("t", R"("keys":["s"],"order":"id")"),
              AllOf(HasSubstr(R"({"s":"five"})"), HasSubstr(R"({"s":{"$base64":"/wA="}})"),
                    HasSubstr(R"({"s":"5"})")));
  EXPECT_THAT(rows("t", R"("keys":["b"],"order":"id")"),
              AllOf(HasSubstr(R"("b":2)"), HasSubstr(R"("b":"yes")")));
}

TEST_F(RowEdges, TextThatIsNotUtf8IsBytes) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT);
             INSERT INTO t VALUES(1,CAST(x'41ff' AS TEXT)),(2,CAST(x'c3' AS TEXT)),(3,'ok'),
               (4,CAST(x'610062' AS TEXT)),(5,'');)sql");
  EXPECT_EQ(rows("t", R"("order":"id")"),
            R"([{"id":1,"s":{"$base64":"Qf8="}},{"id":2,"s":{"$base64":"ww=="}},)"
            R"({"id":3,"s":"ok"},{"id":4,"s":"a\u0000b"},{"id":5,"s":""}])");
  EXPECT_EQ(rows("t", R"("where":{"s":{"$regex":"a"}},"keys":["id"])"), R"([{"id":4}])");
  EXPECT_EQ(rows("t", R"("where":{"s":"a"},"keys":["id"])"), "[]");
}

TEST_F(RowEdges, DatesBefore1970AndInEveryForm) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, iso DATETIME, s_at INTEGER, ms_at INTEGER);
             INSERT INTO t VALUES(1,'1969-12-31T23:59:59.999Z',-1,-1),
               (2,'2024-02-29 12:00:00',1709208000,1709208000000);)sql");
  EXPECT_THAT(rows("t", R"("keys":["iso"],"order":"id")"),
              R"([{"iso":"1969-12-31T23:59:59.999Z"},{"iso":"2024-02-29T12:00:00Z"}])");
  EXPECT_EQ(rows("t", R"("where":{"iso":{"$lt":"1970-01-01T00:00:00Z"}},"keys":["id"])"),
            R"([{"id":1}])");
  EXPECT_EQ(rows("t", R"("where":{"iso":{"__type":"Date","iso":"2024-02-29T12:00:00.000Z"}},)"
                      R"("keys":["id"])"),
            R"([{"id":2}])");
}

TEST_F(RowEdges, NullIsLeftOutUnlessItsFieldIsNamed) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b JSON);
             INSERT INTO t VALUES(1,NULL,NULL),(2,'','{"c":null}');)sql");
  EXPECT_EQ(rows("t", R"("order":"id")"), R"([{"id":1},{"id":2,"a":"","b":{"c":null}}])");
  EXPECT_EQ(rows("t", R"("order":"id","keys":["a"])"), R"([{"a":null},{"a":""}])");
  EXPECT_EQ(rows("t", R"("where":{"a":null},"keys":["id"])"), R"([{"id":1}])");
  EXPECT_EQ(rows("t", R"("where":{"a":{"$exists":true}},"keys":["id"])"), R"([{"id":2}])");
  EXPECT_EQ(rows("t", R"("where":{"a":{"$ne":""}},"keys":["id"])"), R"([{"id":1}])");
}

TEST_F(RowEdges, JsonThatIsNoneIsShownAsItsText) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, j JSON);
             INSERT INTO t VALUES(1,'{"a":[1, 2]}'),(2,'{"a":'),(3,'plain'),(4,'5'),
               (5,'{"a":1e999}');)sql");
  const std::string all = rows("t", R"("order":"id")");
  EXPECT_THAT(all,
              AllOf(StartsWith(R"([{"id":1,"j":{"a":[1, 2]}})"),
                    HasSubstr(R"({"id":2,"j":"{\"a\":"})"), HasSubstr(R"({"id":3,"j":"plain"})")));
  EXPECT_EQ(rows("t", R"("where":{"j.a":2},"keys":["id"])"), R"([{"id":1}])");
  EXPECT_EQ(rows("t", R"("keys":["j.a"],"where":{"id":1})"), R"([{"j":{"a":[1,2]}}])");
}

TEST_F(RowEdges, KeysOfSeveralColumnsLeadBackToTheirRow) {
  open(R"sql(CREATE TABLE t(a TEXT, b INTEGER, v TEXT, PRIMARY KEY(a, b)) WITHOUT ROWID;
             INSERT INTO t VALUES('x,y',1,'comma'),('100%',2,'percent'),('',3,'empty'),
               ('é"''`',-4,'quotes');)sql");
  const std::string all = rows("t", R"("order":"b","keys":["objectId","v"])");
  EXPECT_EQ(all, R"([{"objectId":"é\"'`,-4","v":"quotes"},{"objectId":"x%2Cy,1","v":"comma"},)"
                 R"({"objectId":"100%25,2","v":"percent"},{"objectId":",3","v":"empty"}])");
}

TEST_F(RowEdges, ATableWithoutAKeyHasItsRowNumberForAnId) {
  open(R"sql(CREATE TABLE t(v TEXT); INSERT INTO t(rowid,v) VALUES(-5,'a'),(7,'b');)sql");
  EXPECT_EQ(rows("t", R"("order":"v")"), R"([{"objectId":-5,"v":"a"},{"objectId":7,"v":"b"}])");
  EXPECT_THAT(ask("get", R"({"class_name":"t","object_id":"-5"})"), HasSubstr(R"("v":"a")"));
  for (const char* none : {"7.0", " 7", "07", "x", "", "9223372036854775808"}) {
    EXPECT_THAT(ask("get", R"({"class_name":"t","object_id":")" + std::string(none) + "\"}"),
                StartsWith("ERROR "))
        << none;
  }
}

TEST_F(RowEdges, AnEmptyClassHasNoRowsAndEveryFormatSaysSo) {
  open("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)");
  EXPECT_EQ(ask("query", R"({"class_name":"t"})"),
            R"([]{"result_count":0,"pagination":{"limit":100,"skip":0,"has_more":false}})");
  EXPECT_EQ(ask("count", R"({"class_name":"t"})"), R"({"count":0})");
  EXPECT_THAT(ask("query", R"({"class_name":"t","format":"csv"})"), HasSubstr(R"("row_count":0)"));
  EXPECT_THAT(ask("samples", R"({"class_name":"t"})"), StartsWith("[]"));
  EXPECT_THAT(ask("distinct", R"({"class_name":"t","field":"v"})"), StartsWith("[]"));
  EXPECT_THAT(ask("get_many", R"({"class_name":"t","ids":["1"]})"),
              HasSubstr(R"("missing":["1"])"));
  EXPECT_THAT(ask("explain", R"({"class_name":"t"})"), Not(HasSubstr("ERROR")));
}

TEST_F(RowEdges, PagesEndWithoutAnotherRow) {
  open(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY);
             INSERT INTO t VALUES(1),(2),(3),(4);)sql");
  EXPECT_THAT(ask("query", R"({"class_name":"t","limit":4})"), HasSubstr(R"("has_more":false)"));
  EXPECT_THAT(ask("query", R"({"class_name":"t","limit":3})"), HasSubstr(R"("has_more":true)"));
  EXPECT_THAT(ask("query", R"({"class_name":"t","limit":3,"skip":1})"),
              HasSubstr(R"("has_more":false)"));
  EXPECT_THAT(ask("query", R"({"class_name":"t","skip":4})"), StartsWith("[]"));
  EXPECT_THAT(ask("query", R"({"class_name":"t","skip":9007199254740993})"),
              AllOf(Not(HasSubstr("internal")), Not(HasSubstr(R"({"id":1})"))));
}

}  // namespace
}  // namespace gantry::data::row_edges_test
