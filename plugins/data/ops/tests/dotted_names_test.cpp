// Fields whose names have dots, commas, dollars or are numbers, in every operation.
#include <gmock/gmock.h>

#include "ops/tests/small_database.hpp"

namespace gantry::data::dotted_names_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class DottedNames : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE t(id INTEGER PRIMARY KEY, "a.b" TEXT, a JSON, "x,y" INTEGER, "$d" TEXT,
                     "7" INTEGER, "-m" INTEGER, "p q" TEXT);
      INSERT INTO t VALUES(1,'dot','{"b":"path"}',5,'dollar',70,3,'blank'),
                          (2,'dot2','{"b":"path2"}',4,'dollar2',71,2,'blank2');)sql");
    configure({}, JsonDialect::plain);
  }
  std::string of(const std::string& op, const std::string& arguments) {
    return ask(op, R"({"class_name":"t",)" + arguments + "}");
  }
};

TEST_F(DottedNames, AreFieldsInQueriesAndExports) {
  EXPECT_THAT(of("query", R"("where":{"a.b":"dot"},"keys":["id","a.b"])"),
              StartsWith(R"([{"id":1,"a.b":"dot"}])"));
  EXPECT_THAT(of("query", R"("where":{"a.b":"path"})"), StartsWith("[]"));
  EXPECT_THAT(of("query", R"("keys":["a.b","a"],"order":"-a.b","limit":1)"),
              StartsWith(R"([{"a.b":"dot2","a":{"b":"path2"}}])"));
  EXPECT_THAT(of("export", R"("columns":["a.b","x,y","p q"])"),
              HasSubstr(R"("output":"a.b,\"x,y\",p q\r\ndot,5,blank\r\ndot2,4,blank2\r\n")"));
}

TEST_F(DottedNames, ArePathsInPipelinesWhereGetFieldReadsTheField) {
  const auto pipeline = [&](const std::string& stage) {
    return of("aggregate", R"("pipeline":[{)" + stage + "}]");
  };
  EXPECT_THAT(pipeline(R"("$match":{"a.b":"dot"})"), StartsWith("[]"));
  EXPECT_THAT(pipeline(R"("$match":{"a.b":"path"}},{"$project":{"id":1})"),
              StartsWith(R"([{"id":1}])"));
  EXPECT_THAT(pipeline(R"("$group":{"_id":"$a.b"})"),
              StartsWith(R"([{"_id":"path"},{"_id":"path2"}])"));
  EXPECT_THAT(pipeline(R"("$project":{"_id":0,"a.b":1,"v":{"$getField":"a.b"}})"),
              StartsWith(R"([{"a":{"b":"path"},"v":"dot"},{"a":{"b":"path2"},"v":"dot2"}])"));
  EXPECT_THAT(pipeline(R"("$project":{"v":{"$getField":"a.b"}})"),
              StartsWith(R"([{"id":1,"v":"dot"},{"id":2,"v":"dot2"}])"));
  EXPECT_THAT(of("count", R"("where":{"$expr":{"$eq":[{"$getField":"a.b"},"dot"]}})"),
              HasSubstr(R"("count":1)"));
}

TEST_F(DottedNames, AreFieldsToGroupBy) {
  EXPECT_THAT(of("distinct", R"("field":"a.b")"),
              AllOf(StartsWith(R"(["dot","dot2"])"), HasSubstr(R"({"field":"a.b","count":2)")));
  EXPECT_THAT(of("group_by", R"("field":"a.b","operation":"sum","value_field":"x,y")"),
              StartsWith(R"([{"key":"dot","value":5},{"key":"dot2","value":4}])"));
  EXPECT_THAT(
      of("group_by", R"("fields":["a.b","7"],"sort":"key_desc")"),
      StartsWith(R"([{"key":{"a.b":"dot2","7":71},"value":1},{"key":{"a.b":"dot","7":70})"));
  EXPECT_THAT(of("group_by", R"("field":"7","operation":"max","value_field":"a.b")"),
              StartsWith(R"([{"key":71,"value":"dot2"},{"key":70,"value":"dot"}])"));
  EXPECT_THAT(of("group_by", R"("field":"a.b","flatten_arrays":true,"limit":1)"),
              StartsWith(R"([{"key":"dot","value":1}])"));
  EXPECT_THAT(of("distinct", R"("field":"a.c")"), StartsWith("[]"));
}

TEST_F(DottedNames, AreToldApartAndRenamedOnceToGroupBy) {
  make(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, "a.b_c" TEXT, "a_b.c" TEXT, a_b_c TEXT,
                            "l.s" JSON, a_b_c_ TEXT);
             INSERT INTO t VALUES(1,'one','two','three','[1,2]','four');)sql");
  EXPECT_THAT(of("group_by", R"("fields":["a.b_c","a_b.c","a_b_c"])"),
              StartsWith(R"([{"key":{"a.b_c":"one","a_b.c":"two","a_b_c":"three"},"value":1}])"));
  EXPECT_THAT(of("group_by", R"("field":"l.s","flatten_arrays":true,"operation":"sum",)"
                             R"("value_field":"l.s","sort":"key_asc")"),
              StartsWith(R"([{"key":1,"value":1},{"key":2,"value":2}])"));
}

TEST_F(DottedNames, NumbersBlanksAndCommasAreLettersOfAName) {
  EXPECT_THAT(of("query", R"("where":{"7":70},"keys":["7"])"), StartsWith(R"([{"7":70}])"));
  EXPECT_THAT(of("aggregate", R"("pipeline":[{"$group":{"_id":"$7"}}])"),
              StartsWith(R"([{"_id":70},{"_id":71}])"));
  EXPECT_THAT(of("distinct", R"("field":"p q")"), StartsWith(R"(["blank","blank2"])"));
  EXPECT_THAT(of("group_by", R"("field":"x,y","sort":"key_asc")"),
              StartsWith(R"([{"key":4,"value":1},{"key":5,"value":1}])"));
  EXPECT_THAT(of("aggregate", R"("pipeline":[{"$set":{"x,y":1}},{"$project":{"x,y":1}}])"),
              StartsWith(R"([{"id":1,"x,y":1},{"id":2,"x,y":1}])"));
}

TEST_F(DottedNames, ASignBeforeANameInAnOrderIsADirection) {
  EXPECT_THAT(of("query", R"("keys":["-m"],"order":"--m")"), StartsWith(R"([{"-m":3},{"-m":2}])"));
  EXPECT_THAT(of("query", R"("keys":["-m"],"order":"-m")"),
              AllOf(StartsWith("ERROR invalid_argument"), HasSubstr("'m'"), HasSubstr("-m")));
}

TEST_F(DottedNames, ADollarMakesAnOperatorOfANameInAWhereAlone) {
  EXPECT_THAT(of("query", R"("keys":["$d"],"limit":1)"), StartsWith(R"([{"$d":"dollar"}])"));
  EXPECT_THAT(of("query", R"("where":{"$d":"dollar"})"),
              AllOf(StartsWith("ERROR invalid_query"), HasSubstr("operator $d")));
  EXPECT_THAT(of("group_by", R"("field":"$d")"), HasSubstr("without '$'"));
  EXPECT_THAT(of("export", R"("columns":["$d"])"), HasSubstr(R"("output":"$d\r\ndollar\r\n)"));
}

}  // namespace
}  // namespace gantry::data::dotted_names_test
