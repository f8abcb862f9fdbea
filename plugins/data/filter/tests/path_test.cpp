#include <gtest/gtest.h>

#include <set>
#include <string>

#include "filter/tests/filter.hpp"

namespace gantry::data::filter::path_test {
namespace {

TEST(Path, GoesThroughArraysOfObjects) {
  EXPECT_TRUE(passes(R"({"a.b":2})", R"({"a":[{"b":1},{"b":[2]}]})"));
  EXPECT_FALSE(passes(R"({"a.b":1})", R"({"a":[[{"b":1}]]})"));
  EXPECT_TRUE(passes(R"({"a.b":null})", R"({"a":[{"b":1},{}]})"));
  EXPECT_FALSE(passes(R"({"a.b":null})", R"({"a":[1,2]})"));
  EXPECT_TRUE(passes(R"({"a.b":{"$exists":false}})", R"({"a":[1,2]})"));
}

TEST(Path, TakesANumberAsPlaceAndAsName) {
  EXPECT_TRUE(passes(R"({"a.0":1})", R"({"a":[1,2]})"));
  EXPECT_TRUE(passes(R"({"a.0":1})", R"({"a":{"0":1}})"));
  EXPECT_TRUE(passes(R"({"a.1.b":2})", R"({"a":[{"b":1},{"b":2}]})"));
  EXPECT_TRUE(passes(R"({"a.0.0":1})", R"({"a":[[1]]})"));
  EXPECT_FALSE(passes(R"({"a.00":1})", R"({"a":[1]})"));
  // An index gives the element as a whole.
  EXPECT_FALSE(passes(R"({"a.0":1})", R"({"a":[[1,2]]})"));
}

TEST(Path, IsReadUpToTheFirstPlace) {
  expr::Variables variables;
  const auto filter = json(R"({"a.b":1,"c.0.d":2,"$or":[{"e":1}],"7":1})");
  std::set<std::string> paths;
  parse_condition(filter, variables)->add_paths(paths);
  EXPECT_EQ(paths, (std::set<std::string>{"a.b", "c", "e", "7"}));
}

TEST(Elements, MatchDocumentsAndArraysByPlace) {
  EXPECT_TRUE(passes(R"({"a":{"$elemMatch":{"x":1,"y":2}}})", R"({"a":[{"x":1},{"x":1,"y":2}]})"));
  EXPECT_FALSE(passes(R"({"a":{"$elemMatch":{"x":1,"y":2}}})", R"({"a":[{"x":1},{"y":2}]})"));
  EXPECT_TRUE(passes(R"({"a":{"$elemMatch":{"1":5}}})", R"({"a":[[4,5]]})"));
  EXPECT_FALSE(passes(R"({"a":{"$elemMatch":{"$gt":1}}})", R"({"a":[[2]]})"));
  EXPECT_FALSE(passes(R"({"a":{"$elemMatch":{"x":1}}})", R"({"a":{"x":1}})"));
}

TEST(Elements, NotNegatesAllOfItsOperators) {
  EXPECT_TRUE(passes(R"({"a":{"$not":{"$gt":1,"$lt":5}}})", R"({"a":7})"));
  EXPECT_TRUE(passes(R"({"a":{"$not":{"$gt":1}}})", R"({})"));
  EXPECT_FALSE(passes(R"({"a":{"$not":{"$regex":"^x"}}})", R"({"a":"xy"})"));
  EXPECT_TRUE(passes(R"({"a":{"$elemMatch":{"$not":{"$gt":1}}}})", R"({"a":[0,5]})"));
}

TEST(Elements, SizeCountsWholeArraysOnly) {
  EXPECT_TRUE(passes(R"({"a":{"$size":2.0}})", R"({"a":[1,[2,3]]})"));
  EXPECT_FALSE(passes(R"({"a":{"$size":2}})", R"({"a":[[1,2]]})"));
  EXPECT_NE(refusal(R"({"a":{"$size":-1}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$size":1.5}})"), "");
  EXPECT_NE(refusal(R"({"a":{"$size":1e20}})"), "");
}

}  // namespace
}  // namespace gantry::data::filter::path_test
