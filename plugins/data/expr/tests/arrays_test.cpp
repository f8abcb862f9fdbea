#include <gtest/gtest.h>

#include "expr/tests/evaluation.hpp"

namespace gantry::data::expr::arrays_test {
namespace {

TEST(Arrays, ElementAtCountsFromBothEnds) {
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$a",-1]})", R"({"a":[1,2,3]})"), "3");
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$a",3]})", R"({"a":[1,2,3]})"), "missing");
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$b",0]})"), "null");
  EXPECT_TRUE(is_refused(R"({"$arrayElemAt":["$a",1.5]})", R"({"a":[1]})"));
  EXPECT_TRUE(is_refused(R"({"$arrayElemAt":["$a",0]})", R"({"a":1})"));
}

TEST(Arrays, ConcatIsNullWhenOneIs) {
  EXPECT_EQ(evaluated(R"({"$concatArrays":["$a",[3],[]]})", R"({"a":[1,2]})"), "[1,2,3]");
  EXPECT_EQ(evaluated(R"({"$concatArrays":["$a","$b"]})", R"({"a":[1]})"), "null");
  EXPECT_TRUE(is_refused(R"({"$concatArrays":["$a"]})", R"({"a":1})"));
}

TEST(Sets, AMissingOperandDecidesBeforeOneConstant) {
  EXPECT_EQ(evaluated(R"({"$setUnion":[5,"$b"]})"), "null");
  EXPECT_EQ(evaluated(R"({"$setUnion":["$b",5]})"), "null");
  EXPECT_EQ(evaluated(R"({"$setIntersection":[5,"$b"]})"), "null");
  EXPECT_EQ(evaluated(R"({"$bitOr":["x","$b"]})"), "null");
  EXPECT_TRUE(is_refused(R"({"$setUnion":[5,"$a"]})", R"({"a":[1]})"));
  EXPECT_TRUE(is_refused(R"({"$setUnion":["$b",[1],5]})"));
  EXPECT_EQ(evaluated(R"({"$setUnion":[[3],"$a",[1,2]]})", R"({"a":[2]})"), "[1,2,3]");
}

TEST(Arrays, FindElements) {
  EXPECT_EQ(evaluated(R"({"$in":[1.0,"$a"]})", R"({"a":[2,1]})"), "true");
  EXPECT_TRUE(is_refused(R"({"$in":[1,"$a"]})"));
  EXPECT_EQ(evaluated(R"({"$indexOfArray":["$a",5,2]})", R"({"a":[5,4,3,5]})"), "3");
  EXPECT_EQ(evaluated(R"({"$indexOfArray":["$a",5,1,3]})", R"({"a":[5,4,3,5]})"), "-1");
  EXPECT_EQ(evaluated(R"({"$indexOfArray":["$b",5]})"), "null");
  EXPECT_TRUE(is_refused(R"({"$indexOfArray":["$a",5,-1]})", R"({"a":[5]})"));
}

TEST(Arrays, RangeStopsBeforeItsEnd) {
  EXPECT_EQ(evaluated(R"({"$range":[0,5,2]})"), "[0,2,4]");
  EXPECT_EQ(evaluated(R"({"$range":[5,0,-2]})"), "[5,3,1]");
  EXPECT_EQ(evaluated(R"({"$range":[0,4,2]})"), "[0,2]");
  EXPECT_EQ(evaluated(R"({"$range":[3,3]})"), "[]");
  EXPECT_EQ(evaluated(R"({"$range":[0,5,-1]})"), "[]");
  EXPECT_TRUE(is_refused(R"({"$range":[0,5,0]})"));
  EXPECT_TRUE(is_refused(R"({"$range":[0,2147483647]})"));
}

TEST(Arrays, SliceTakesFromEitherEnd) {
  const char* doc = R"({"a":[1,2,3,4]})";
  EXPECT_EQ(evaluated(R"({"$slice":["$a",2]})", doc), "[1,2]");
  EXPECT_EQ(evaluated(R"({"$slice":["$a",-3]})", doc), "[2,3,4]");
  EXPECT_EQ(evaluated(R"({"$slice":["$a",-9]})", doc), "[1,2,3,4]");
  EXPECT_EQ(evaluated(R"({"$slice":["$a",-3,2]})", doc), "[2,3]");
  EXPECT_EQ(evaluated(R"({"$slice":["$a",9,2]})", doc), "[]");
  EXPECT_TRUE(is_refused(R"({"$slice":["$a",1,0]})", doc));
}

TEST(Arrays, SizeNeedsAnArray) {
  EXPECT_EQ(evaluated(R"({"$size":"$a"})", R"({"a":[1,[2,3]]})"), "2");
  EXPECT_TRUE(is_refused(R"({"$size":"$a"})"));
  EXPECT_EQ(evaluated(R"({"$isArray":"$a"})", R"({"a":[]})"), "true");
  EXPECT_EQ(evaluated(R"({"$reverseArray":"$a"})", R"({"a":[1,2]})"), "[2,1]");
}

TEST(Loops, MapMakesMissingNull) {
  EXPECT_EQ(evaluated(R"({"$map":{"input":"$a","in":"$$this.x"}})", R"({"a":[{"x":1},{}]})"),
            "[1,null]");
  EXPECT_EQ(
      evaluated(R"({"$map":{"input":"$a","as":"e","in":{"$add":["$$e",1]}}})", R"({"a":[1,2]})"),
      "[2,3]");
  EXPECT_EQ(evaluated(R"({"$map":{"input":"$b","in":1}})"), "null");
  EXPECT_TRUE(is_refused(R"({"$map":{"input":[1],"as":"E","in":1}})"));
  EXPECT_TRUE(is_refused(R"({"$map":{"input":[1],"in":"$$this","more":1}})"));
}

TEST(Loops, FilterStopsAtItsLimit) {
  const char* doc = R"({"a":[1,2,3,4]})";
  EXPECT_EQ(evaluated(R"({"$filter":{"input":"$a","cond":{"$gt":["$$this",1]},"limit":2}})", doc),
            "[2,3]");
  EXPECT_EQ(evaluated(R"({"$filter":{"input":"$a","cond":true,"limit":null}})", doc), "[1,2,3,4]");
  EXPECT_TRUE(is_refused(R"({"$filter":{"input":"$a","cond":true,"limit":0}})", doc));
}

TEST(Loops, ReduceCarriesItsValue) {
  EXPECT_EQ(evaluated(R"({"$reduce":{"input":"$a","initialValue":"",
                          "in":{"$concat":["$$value","$$this"]}}})",
                      R"({"a":["x","y"]})"),
            R"("xy")");
  EXPECT_EQ(evaluated(R"({"$reduce":{"input":[],"initialValue":7,"in":"$$this"}})"), "7");
  EXPECT_TRUE(is_refused(R"({"$reduce":{"input":[],"in":"$$this"}})"));
}

TEST(Loops, NestedOnesSeeTheOuterElement) {
  EXPECT_EQ(evaluated(R"({"$map":{"input":[1,2],"as":"x","in":{"$map":{"input":[10,20],"as":"y",
                          "in":{"$add":["$$x","$$y"]}}}}})"),
            "[[11,21],[12,22]]");
}

TEST(SortArray, ByTheWholeOrByFields) {
  EXPECT_EQ(evaluated(R"({"$sortArray":{"input":"$a","sortBy":-1}})", R"({"a":[1,"x",null,2]})"),
            R"(["x",2,1,null])");
  EXPECT_EQ(evaluated(R"({"$sortArray":{"input":"$a","sortBy":{"p.q":1,"r":-1}}})",
                      R"({"a":[{"p":{"q":1},"r":1},{"p":{"q":1},"r":2},{"r":0}]})"),
            R"([{"r":0},{"p":{"q":1},"r":2},{"p":{"q":1},"r":1}])");
  EXPECT_EQ(evaluated(R"({"$sortArray":{"input":"$b","sortBy":1}})"), "null");
  EXPECT_TRUE(is_refused(R"({"$sortArray":{"input":[],"sortBy":2}})"));
  EXPECT_TRUE(is_refused(R"({"$sortArray":{"input":[],"sortBy":{}}})"));
}

TEST(Zip, StopsAtTheShortestUnlessTold) {
  const char* doc = R"({"a":[1,2],"b":["x"]})";
  EXPECT_EQ(evaluated(R"({"$zip":{"inputs":["$a","$b"]}})", doc), R"([[1,"x"]])");
  EXPECT_EQ(evaluated(R"({"$zip":{"inputs":["$a","$b"],"useLongestLength":true}})", doc),
            R"([[1,"x"],[2,null]])");
  EXPECT_EQ(evaluated(R"({"$zip":{"inputs":["$a","$b"],"useLongestLength":true,
                          "defaults":[0,"-"]}})",
                      doc),
            R"([[1,"x"],[2,"-"]])");
  EXPECT_EQ(evaluated(R"({"$zip":{"inputs":["$a","$none"]}})", doc), "null");
  EXPECT_TRUE(is_refused(R"({"$zip":{"inputs":["$a","$b"],"defaults":[1,2]}})", doc));
  EXPECT_TRUE(is_refused(R"({"$zip":{"inputs":[]}})"));
}

}  // namespace
}  // namespace gantry::data::expr::arrays_test
