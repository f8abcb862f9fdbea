// Arrays, sets and objects that are empty, hold nulls, equal numbers or very many members.
#include "evaluation.hpp"

namespace gantry::data::expr::array_edges_test {
namespace {

TEST(ArrayEdges, OfEmptyArraysAreNeitherNullNorRefused) {
  const char* document = R"({"e":[]})";
  EXPECT_EQ(evaluated(R"({"$size":"$e"})", document), "0");
  EXPECT_EQ(evaluated(R"({"$reverseArray":"$e"})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$e",0]})", document), "missing");
  EXPECT_EQ(evaluated(R"({"$first":"$e"})", document), "missing");
  EXPECT_EQ(evaluated(R"({"$slice":["$e",5]})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$in":[null,"$e"]})", document), "false");
  EXPECT_EQ(evaluated(R"({"$indexOfArray":["$e",1]})", document), "-1");
  EXPECT_EQ(evaluated(R"({"$map":{"input":"$e","in":1}})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$zip":{"inputs":["$e",[1]]}})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$sortArray":{"input":"$e","sortBy":1}})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$arrayToObject":"$e"})", document), "{}");
  EXPECT_EQ(evaluated(R"({"$concatArrays":[]})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$setUnion":["$e","$e"]})", document), "[]");
  EXPECT_EQ(evaluated(R"({"$setIsSubset":["$e","$e"]})", document), "true");
  EXPECT_EQ(evaluated(R"({"$anyElementTrue":["$e"]})", document), "false");
}

TEST(ArrayEdges, NullAmongElementsIsAnElement) {
  const char* document = R"({"a":[null,1,null]})";
  EXPECT_EQ(evaluated(R"({"$in":[null,"$a"]})", document), "true");
  EXPECT_EQ(evaluated(R"({"$indexOfArray":["$a",null,1]})", document), "2");
  EXPECT_EQ(evaluated(R"({"$setUnion":["$a",[null]]})", document), "[null,1]");
  EXPECT_EQ(evaluated(R"({"$filter":{"input":"$a","cond":{"$eq":["$$this",null]}}})", document),
            "[null,null]");
  EXPECT_EQ(evaluated(R"({"$max":"$a"})", document), "1");
  EXPECT_EQ(evaluated(R"({"$allElementsTrue":["$a"]})", document), "false");
  EXPECT_EQ(evaluated(R"({"$zip":{"inputs":["$a",[7]],"useLongestLength":true}})", document),
            "[[null,7],[1,null],[null,null]]");
}

TEST(ArrayEdges, PlacesTakeWholeDoublesAndNothingBeyond32Bits) {
  const char* document = R"({"a":["x","y","z"]})";
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$a",2.0]})", document), R"("z")");
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$a",-3]})", document), R"("x")");
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$a",-4]})", document), "missing");
  EXPECT_EQ(evaluated(R"({"$arrayElemAt":["$a",-2147483648]})", document), "missing");
  for (const char* place : {"2147483648", "9007199254740993", R"({"$numberDouble":"NaN"})"}) {
    EXPECT_EQ(unsaid(evaluated(R"({"$arrayElemAt":["$a",)" + std::string(place) + "]}", document),
                     {"$arrayElemAt", "32 bits"}),
              "");
  }
  EXPECT_EQ(unsaid(evaluated(R"({"$arrayElemAt":["$a","0"]})", document),
                   {"$arrayElemAt", "the place", "a string"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$slice":["$a",1,-1]})", document), {"$slice", "above 0"}), "");
}

TEST(ArrayEdges, EqualNumbersAreOneElementOfASet) {
  const char* document = R"({"a":[1,1.0,{"$numberLong":"1"},2.5]})";
  EXPECT_EQ(evaluated(R"({"$size":{"$setUnion":"$a"}})", document), "2");
  EXPECT_EQ(evaluated(R"({"$setDifference":["$a",[1]]})", document), "[2.5]");
  EXPECT_EQ(evaluated(R"({"$setIntersection":["$a",[2.5,1]]})", document), "[1,2.5]");
  EXPECT_EQ(evaluated(R"({"$setUnion":[[9007199254740993],[9007199254740992.0]]})"),
            "[9007199254740992.0,9007199254740993]");
}

TEST(ArrayEdges, SetsTellObjectsByTheOrderOfTheirMembers) {
  EXPECT_EQ(evaluated(R"({"$setEquals":[[{"a":1,"b":2}],[{"a":1,"b":2}]]})"), "true");
  EXPECT_EQ(evaluated(R"({"$setEquals":[[{"a":1,"b":2}],[{"b":2,"a":1}]]})"), "false");
  EXPECT_EQ(evaluated(R"({"$in":[{"b":2,"a":1},[{"a":1,"b":2}]]})"), "false");
}

TEST(ArrayEdges, NanIsEqualToItselfInSetsAndComparisons) {
  const char* document = R"({"n":{"$numberDouble":"NaN"}})";
  EXPECT_EQ(evaluated(R"({"$setUnion":[["$n"],["$n",1]]})", document),
            R"([{"$numberDouble":"NaN"},1])");
  EXPECT_EQ(evaluated(R"({"$eq":["$n","$n"]})", document), "true");
  EXPECT_EQ(evaluated(R"({"$lt":["$n",-1]})", document), "true");
  EXPECT_EQ(evaluated(R"({"$in":["$n",["$n"]]})", document), "true");
}

TEST(ArrayEdges, SortingKeepsEqualElementsInTheirPlaces) {
  EXPECT_EQ(
      evaluated(R"({"$sortArray":{"input":"$a","sortBy":{"k":1}}})",
                R"({"a":[{"k":2,"i":0},{"k":1,"i":1},{"k":1.0,"i":2},{"i":3},{"k":2,"i":4}]})"),
      R"([{"i":3},{"k":1,"i":1},{"k":1.0,"i":2},{"k":2,"i":0},{"k":2,"i":4}])");
  EXPECT_EQ(evaluated(R"({"$sortArray":{"input":"$a","sortBy":{"k":-1}}})",
                      R"({"a":[5,{"k":1},"x",{"k":2}]})"),
            R"([{"k":2},{"k":1},5,"x"])");
}

TEST(ArrayEdges, RangesEndAtTheEndsOfInts) {
  EXPECT_EQ(evaluated(R"({"$range":[2147483645,2147483647]})"), "[2147483645,2147483646]");
  EXPECT_EQ(evaluated(R"({"$range":[-2147483647,-2147483648,-1]})"), "[-2147483647]");
  EXPECT_EQ(evaluated(R"({"$size":{"$range":[0,5000000]}})"), "5000000");
  EXPECT_EQ(unsaid(evaluated(R"({"$range":[0,5000001]})"), {"$range", "5,000,000"}), "");
  EXPECT_EQ(evaluated(R"({"$range":[0,2147483647,2147483647]})"), "[0]");
}

// The object {f0: 0, f1: 1, …}.
std::string object_of(int members, int value_from = 0) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) {
    text += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":" + std::to_string(value_from + i);
  }
  return text + "}";
}

TEST(ObjectEdges, MergingManyMembersKeepsPlacesAndTakesTheLastValues) {
  for (const int members : {1, 15, 16, 17, 64, 65, 500}) {
    const std::string document =
        R"({"a":)" + object_of(members) + R"(,"b":)" + object_of(members, 1000) + "}";
    EXPECT_EQ(evaluated(R"({"$mergeObjects":["$a","$b"]})", document), object_of(members, 1000))
        << members;
    EXPECT_EQ(evaluated(R"({"$arrayToObject":{"$objectToArray":"$a"}})", document),
              object_of(members))
        << members;
  }
}

TEST(ObjectEdges, NamesMayBeEmptyDottedOrBeginWithADollar) {
  const char* document = R"({"o":{"":1,"a.b":2,"$c":3}})";
  EXPECT_EQ(evaluated(R"({"$objectToArray":"$o"})", document),
            R"([{"k":"","v":1},{"k":"a.b","v":2},{"k":"$c","v":3}])");
  EXPECT_EQ(evaluated(R"({"$getField":{"field":"","input":"$o"}})", document), "1");
  EXPECT_EQ(evaluated(R"({"$getField":{"field":{"$literal":"$c"},"input":"$o"}})", document), "3");
  EXPECT_EQ(evaluated(R"({"$unsetField":{"field":"a.b","input":"$o"}})", document),
            R"({"":1,"$c":3})");
  EXPECT_EQ(
      evaluated(R"({"$setField":{"field":{"$literal":"$c"},"input":"$o","value":null}})", document),
      R"({"":1,"a.b":2,"$c":null})");
}

TEST(ObjectEdges, AMemberIsTakenAwayByAMissingValue) {
  EXPECT_EQ(evaluated(R"({"$setField":{"field":"a","input":{"a":1,"b":2},"value":"$none"}})"),
            R"({"b":2})");
  EXPECT_EQ(evaluated(R"({"$mergeObjects":[{"a":1},{"a":"$none","b":null}]})"),
            R"({"a":1,"b":null})");
}

}  // namespace
}  // namespace gantry::data::expr::array_edges_test
