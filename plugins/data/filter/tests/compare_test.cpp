#include <gtest/gtest.h>

#include "filter/tests/filter.hpp"

namespace gantry::data::filter {
namespace {

TEST(Compare, NullIsMissingToo) {
  EXPECT_TRUE(passes(R"({"a":null})", R"({"a":null})"));
  EXPECT_TRUE(passes(R"({"a":null})", R"({})"));
  EXPECT_TRUE(passes(R"({"a":{"$gte":null}})", R"({})"));
  EXPECT_FALSE(passes(R"({"a":{"$gt":null}})", R"({"a":1})"));
  EXPECT_FALSE(passes(R"({"a":{"$ne":null}})", R"({})"));
  EXPECT_FALSE(passes(R"({"a":null})", R"({"a":0})"));
}

TEST(Compare, OrdersOnlyWithinOneKind) {
  EXPECT_TRUE(passes(R"({"a":{"$gt":1}})", R"({"a":1.5})"));
  EXPECT_FALSE(passes(R"({"a":{"$gt":1}})", R"({"a":"2"})"));
  EXPECT_FALSE(passes(R"({"a":{"$lt":1}})", R"({"a":false})"));
  EXPECT_FALSE(passes(R"({"a":{"$lt":{"$date":"2030-01-01T00:00:00Z"}}})", R"({"a":1})"));
}

TEST(Compare, NaNEqualsItselfAndIsNotBelowAnything) {
  const char* nan = R"({"a":{"$numberDouble":"NaN"}})";
  EXPECT_TRUE(passes(nan, nan));
  EXPECT_TRUE(passes(R"({"a":{"$lte":{"$numberDouble":"NaN"}}})", nan));
  EXPECT_FALSE(passes(R"({"a":{"$lt":5}})", nan));
  EXPECT_FALSE(passes(R"({"a":{"$lte":5}})", nan));
}

TEST(Compare, ObjectsAreEqualWithTheirNamesInOrder) {
  EXPECT_TRUE(passes(R"({"a":{"x":1,"y":2}})", R"({"a":{"x":1.0,"y":2}})"));
  EXPECT_FALSE(passes(R"({"a":{"x":1,"y":2}})", R"({"a":{"y":2,"x":1}})"));
  EXPECT_TRUE(passes(R"({"a":{}})", R"({"a":{}})"));
}

TEST(Compare, AnArrayMatchesAsAWholeOrByAnElement) {
  EXPECT_TRUE(passes(R"({"a":2})", R"({"a":[1,2]})"));
  EXPECT_TRUE(passes(R"({"a":[1,2]})", R"({"a":[1,2]})"));
  EXPECT_TRUE(passes(R"({"a":[1,2]})", R"({"a":[[1,2],3]})"));
  EXPECT_FALSE(passes(R"({"a":[2,1]})", R"({"a":[1,2]})"));
  EXPECT_FALSE(passes(R"({"a":{"$ne":2}})", R"({"a":[1,2]})"));
  EXPECT_TRUE(passes(R"({"a":{"$gt":[1,2]}})", R"({"a":[1,3]})"));
}

TEST(Compare, ARangeMayBeMetByTwoElements) {
  EXPECT_TRUE(passes(R"({"a":{"$gt":5,"$lt":3}})", R"({"a":[1,9]})"));
  EXPECT_FALSE(passes(R"({"a":{"$elemMatch":{"$gt":5,"$lt":3}}})", R"({"a":[1,9]})"));
}

TEST(Lists, FindNullElementsAndWholes) {
  EXPECT_TRUE(passes(R"({"a":{"$in":[null,7]}})", R"({})"));
  EXPECT_TRUE(passes(R"({"a":{"$in":[[1,2]]}})", R"({"a":[1,2]})"));
  EXPECT_FALSE(passes(R"({"a":{"$in":[]}})", R"({"a":1})"));
  EXPECT_TRUE(passes(R"({"a":{"$nin":[1]}})", R"({})"));
  EXPECT_FALSE(passes(R"({"a":{"$nin":[1]}})", R"({"a":[2,1]})"));
}

TEST(Lists, AllWantsEachOne) {
  EXPECT_TRUE(passes(R"({"a":{"$all":[1,2]}})", R"({"a":[2,3,1]})"));
  EXPECT_TRUE(passes(R"({"a":{"$all":[1]}})", R"({"a":1})"));
  EXPECT_FALSE(passes(R"({"a":{"$all":[]}})", R"({"a":[]})"));
  EXPECT_TRUE(passes(R"({"a":{"$all":[{"$elemMatch":{"x":1}},{"$elemMatch":{"x":2}}]}})",
                     R"({"a":[{"x":1},{"x":2}]})"));
}

TEST(Lists, ContainedByWantsNoOther) {
  EXPECT_TRUE(passes(R"({"a":{"$containedBy":[1,2,3]}})", R"({"a":[3,1]})"));
  EXPECT_FALSE(passes(R"({"a":{"$containedBy":[1,2,3]}})", R"({"a":[3,4]})"));
  EXPECT_FALSE(passes(R"({"a":{"$containedBy":[1]}})", R"({"a":1})"));
}

TEST(Lists, RefuseOperatorsAmongValues) {
  EXPECT_NE(refusal(R"({"a":{"$in":[{"$gt":1}]}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$all":[1,{"$elemMatch":{"x":1}}]}})"), "");
  EXPECT_EQ(refusal(R"({"a":{"$in":5}})"), "$in needs an array of values, not an int.");
}

}  // namespace
}  // namespace gantry::data::filter
