#include "evaluation.hpp"

namespace gantry::data::expr::parse_test {
namespace {

std::string paths_of(std::string_view expression) {
  Variables variables;
  const ExpressionPtr parsed = parse_expression(value_of(expression), variables);
  std::set<std::string> paths;
  parsed->add_paths(paths);
  std::string text;
  for (const std::string& path : paths) text += "[" + path + "]";
  return text;
}

TEST(Paths, FollowObjectsAndGatherFromArrays) {
  EXPECT_EQ(evaluated(R"("$a.b")", R"({"a":{"b":1}})"), "1");
  EXPECT_EQ(evaluated(R"("$a.b")", R"({"a":[{"b":1},{"c":2},7,[{"b":3}],{"b":null}]})"),
            "[1,null]");
  EXPECT_EQ(evaluated(R"("$a.b.c")", R"({"a":[{"b":[{"c":1}]},{"b":{"c":2}}]})"), "[[1],2]");
  EXPECT_EQ(evaluated(R"("$a.0")", R"({"a":[5]})"), "[]");
  EXPECT_EQ(evaluated(R"("$a.b")", R"({"a":1})"), "missing");
  EXPECT_EQ(evaluated(R"("$a.$id")", R"({"a":{"$id":1}})"), "1");
}

TEST(Paths, AreRefusedWhenNamesAreEmptyOrBeginWithDollar) {
  for (const char* path : {R"("$")", R"("$a.")", R"("$a..b")", R"("$.a")", R"("$a.$b")", R"("$$")",
                           R"("$$.a")", R"("$$ROOT.")"}) {
    EXPECT_TRUE(is_refused(path)) << path;
  }
}

TEST(SystemVariables, AreTheDocumentTheTimeAndNothing) {
  EXPECT_EQ(evaluated(R"("$$ROOT")", R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(evaluated(R"("$$CURRENT.a")", R"({"a":1})"), "1");
  EXPECT_EQ(evaluated(R"("$$NOW")"), R"({"$date":"1970-01-01T00:00:00.000Z"})");
  EXPECT_EQ(evaluated(R"({"a":"$$REMOVE","b":1})"), R"({"b":1})");
  EXPECT_TRUE(is_refused(R"("$$CLUSTER_TIME")"));
  EXPECT_TRUE(is_refused(R"("$$nobody")"));
}

TEST(Literals, StandForThemselvesAndObjectsAreComputed) {
  EXPECT_EQ(evaluated(R"({"a":{"b":"$x"},"c":["$x","$y"]})", R"({"x":1})"),
            R"({"a":{"b":1},"c":[1,null]})");
  EXPECT_EQ(evaluated(R"({"$literal":{"$add":["$x"]}})"), R"({"$add":["$x"]})");
  EXPECT_EQ(evaluated("{}"), "{}");
}

TEST(Objects, RefuseDotsDollarsAndNamesGivenTwice) {
  EXPECT_TRUE(is_refused(R"({"a.b":1})"));
  EXPECT_TRUE(is_refused(R"({"a":1,"$eq":[1,1]})"));
  EXPECT_TRUE(is_refused(R"({"$eq":[1,1],"a":1})"));
  EXPECT_TRUE(is_refused(R"({"a":1,"a":2})"));
  EXPECT_TRUE(is_refused(R"({"":1})"));
}

TEST(UnknownOperators, AreRefusedWithTheNearestName) {
  EXPECT_NE(evaluated(R"({"$swich":1})").find("$switch"), std::string::npos);
  EXPECT_NE(evaluated(R"({"$function":{}})").find("runs code"), std::string::npos);
}

TEST(Constants, AreFoldedAndErrorsShowWithoutADocument) {
  Variables variables;
  const ExpressionPtr folded = parse_expression(value_of(R"({"$eq":[[1,2],[1,2]]})"), variables);
  ASSERT_NE(folded->constant(), nullptr);
  EXPECT_TRUE(folded->constant()->truth());
  EXPECT_THROW(parse_expression(value_of(R"({"a":["$b",{"$mergeObjects":1}]})"), variables),
               QueryError);
}

TEST(Constants, ThatFailInABranchNotTakenDoNotCount) {
  EXPECT_EQ(evaluated(R"({"$cond":[true,1,{"$mergeObjects":1}]})"), "1");
  EXPECT_TRUE(is_refused(R"({"$cond":["$a",1,{"$mergeObjects":1}]})", R"({"a":1})"));
  EXPECT_EQ(evaluated(R"({"$cond":["$a",1,{"$mergeObjects":"$a"}]})", R"({"a":1})"), "1");
  EXPECT_EQ(evaluated(R"({"$or":[{"$mergeObjects":"$a"},true]})", R"({"a":1})"), "true");
  EXPECT_TRUE(is_refused(R"({"$or":["$a",{"$mergeObjects":1}]})", R"({"a":1})"));
}

TEST(AddPaths, NamesFieldsOfTheDocumentOnly) {
  EXPECT_EQ(paths_of(R"({"a":"$x.y","b":["$z",{"$eq":["$$ROOT.w",1]}]})"), "[w][x.y][z]");
  EXPECT_EQ(paths_of(R"("$$ROOT")"), "[]");
  EXPECT_EQ(paths_of(R"({"$let":{"vars":{"v":"$x"},"in":"$$v.q"}})"), "[x]");
}

TEST(Depth, OfAnswersIsBounded) {
  const char* nested = R"({"$reduce":{"input":{"$range":[0,"$n"]},"initialValue":0,
                           "in":["$$value"]}})";
  EXPECT_FALSE(is_refused(nested, R"({"n":250})"));
  EXPECT_TRUE(is_refused(nested, R"({"n":251})"));
  EXPECT_TRUE(is_refused(nested, R"({"n":100000})"));
}

TEST(Depth, BeyondTwoHundredLevelsIsRefused) {
  std::string deep = "1";
  for (int i = 0; i < 99; ++i) deep = R"({"$not":[)" + deep + "]}";
  EXPECT_EQ(evaluated(deep), "false");
  Value value = Value::int32(1);
  for (int i = 0; i < 201; ++i) value = Value::array({value});
  Variables variables;
  EXPECT_THROW(parse_expression(value, variables), QueryError);
  EXPECT_NO_THROW(parse_expression(Value::int32(1), variables));
}

}  // namespace
}  // namespace gantry::data::expr::parse_test
