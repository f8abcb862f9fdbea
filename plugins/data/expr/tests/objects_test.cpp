#include "evaluation.hpp"

namespace gantry::data::expr::objects_test {
namespace {

TEST(MergeObjects, KeepsPlacesAndTakesLaterValues) {
  EXPECT_EQ(evaluated(R"({"$mergeObjects":[{"a":1,"b":2},null,{"c":3,"a":4}]})"),
            R"({"a":4,"b":2,"c":3})");
  EXPECT_EQ(evaluated(R"({"$mergeObjects":"$none"})"), "{}");
  EXPECT_EQ(evaluated(R"({"$mergeObjects":"$x"})", R"({"x":[{"a":1},null,{"b":2}]})"),
            R"({"a":1,"b":2})");
  EXPECT_TRUE(is_refused(R"({"$mergeObjects":[{"a":1},2]})"));
  EXPECT_TRUE(is_refused(R"({"$mergeObjects":[{"a":1},[{"b":1}]]})"));
}

TEST(ObjectToArray, AndBack) {
  EXPECT_EQ(evaluated(R"({"$objectToArray":{"a":1}})"), R"([{"k":"a","v":1}])");
  EXPECT_EQ(evaluated(R"({"$objectToArray":"$none"})"), "null");
  EXPECT_EQ(evaluated(R"({"$arrayToObject":[[["a",1],["b",2],["a",3]]]})"), R"({"a":3,"b":2})");
  EXPECT_EQ(evaluated(R"({"$arrayToObject":"$x"})", R"({"x":[{"k":"a","v":null}]})"),
            R"({"a":null})");
  for (const char* bad : {"[1]", R"([["a"]])", R"([["a",1],{"k":"b","v":1}])", R"([[1,2]])",
                          R"([{"k":"a"}])", R"([{"k":"a","v":1,"w":2}])"}) {
    EXPECT_TRUE(is_refused(std::string(R"({"$arrayToObject":{"$literal":)") + bad + "}}")) << bad;
  }
}

TEST(GetField, ReadsNamesThatPathsCannot) {
  EXPECT_EQ(evaluated(R"({"$getField":"a.b"})", R"({"a.b":1,"a":{"b":2}})"), "1");
  EXPECT_EQ(evaluated(R"({"$getField":{"$literal":"$x"}})", R"({"$x":1})"), "1");
  EXPECT_EQ(evaluated(R"({"$getField":{"field":"a","input":null}})"), "null");
  EXPECT_EQ(evaluated(R"({"$getField":{"field":"a","input":5}})"), "missing");
  EXPECT_TRUE(is_refused(R"({"$getField":{"field":5,"input":{}}})"));
  EXPECT_TRUE(is_refused(R"({"$getField":{"input":{}}})"));
}

TEST(SetField, SetsAndTakesAway) {
  EXPECT_EQ(evaluated(R"({"$setField":{"field":"a.b","input":{"x":1},"value":2}})"),
            R"({"x":1,"a.b":2})");
  EXPECT_EQ(evaluated(R"({"$unsetField":{"field":"x","input":{"x":1,"y":2}}})"), R"({"y":2})");
  EXPECT_EQ(evaluated(R"({"$setField":{"field":"x","input":"$none","value":2}})"), "null");
  EXPECT_TRUE(is_refused(R"({"$setField":{"field":"$x","input":{},"value":2}})"));
  EXPECT_TRUE(is_refused(R"({"$setField":{"field":{"$cond":[1,"a","b"]},"input":{},"value":2}})"));
  EXPECT_TRUE(is_refused(R"({"$setField":{"field":"x","input":3,"value":2}})"));
  EXPECT_TRUE(is_refused(R"({"$setField":{"field":"x","input":{}}})"));
}

}  // namespace
}  // namespace gantry::data::expr::objects_test
