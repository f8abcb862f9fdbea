// Conditions on values at the edges of their types, and on arrays that are empty or nested.
#include <gtest/gtest.h>

#include "filter/tests/filter.hpp"

namespace gantry::data::filter::edges_test {
namespace {

TEST(FilterEdges, LargeLongsAreComparedByEveryDigit) {
  const char* odd = R"({"a":9007199254740993})";
  EXPECT_TRUE(passes(R"({"a":9007199254740993})", odd));
  EXPECT_FALSE(passes(R"({"a":9007199254740992})", odd));
  EXPECT_FALSE(passes(R"({"a":9007199254740992.0})", odd));
  EXPECT_TRUE(passes(R"({"a":{"$gt":9007199254740992.0}})", odd));
  EXPECT_FALSE(passes(R"({"a":{"$in":[9007199254740992,9007199254740994]}})", odd));
  EXPECT_TRUE(passes(R"({"a":{"$lt":9223372036854775808.0}})",
                     R"({"a":{"$numberLong":"9223372036854775807"}})"));
  EXPECT_TRUE(passes(R"({"a":{"$gte":-9223372036854775808.0}})",
                     R"({"a":{"$numberLong":"-9223372036854775808"}})"));
}

TEST(FilterEdges, InfinityIsANumberAndNanIsOnlyItself) {
  EXPECT_TRUE(passes(R"({"a":{"$gt":1e308}})", R"({"a":{"$numberDouble":"Infinity"}})"));
  EXPECT_TRUE(passes(R"({"a":{"$lt":-1e308}})", R"({"a":{"$numberDouble":"-Infinity"}})"));
  EXPECT_TRUE(passes(R"({"a":{"$ne":1}})", R"({"a":{"$numberDouble":"NaN"}})"));
  EXPECT_TRUE(
      passes(R"({"a":{"$in":[{"$numberDouble":"NaN"}]}})", R"({"a":{"$numberDouble":"NaN"}})"));
  EXPECT_FALSE(passes(R"({"a":{"$gte":{"$numberDouble":"NaN"}}})", R"({"a":1})"));
  EXPECT_TRUE(passes(R"({"a":0})", R"({"a":-0.0})"));
}

TEST(FilterEdges, ModTakesWholePartsWithinLongs) {
  EXPECT_TRUE(passes(R"({"a":{"$mod":[9007199254740993,0]}})", R"({"a":9007199254740993})"));
  EXPECT_FALSE(passes(R"({"a":{"$mod":[2,0]}})", R"({"a":{"$numberDouble":"NaN"}})"));
  EXPECT_FALSE(passes(R"({"a":{"$mod":[2,0]}})", R"({"a":{"$numberDouble":"Infinity"}})"));
  EXPECT_FALSE(passes(R"({"a":{"$mod":[2,0]}})", R"({"a":1e300})"));
  EXPECT_TRUE(passes(R"({"a":{"$mod":[2,0]}})", R"({"a":-0.9})"));
  EXPECT_TRUE(passes(R"({"a":{"$mod":[-2,1]}})", R"({"a":3})"));
  EXPECT_FALSE(passes(R"({"a":{"$mod":[2,0]}})", R"({"a":null})"));
}

TEST(FilterEdges, DatesBefore1970AreInOrder) {
  const char* old = R"({"a":{"$date":"1969-12-31T23:59:59.999Z"}})";
  EXPECT_TRUE(passes(R"({"a":{"$lt":{"$date":"1970-01-01T00:00:00Z"}}})", old));
  EXPECT_TRUE(passes(R"({"a":{"$gt":{"$date":"1969-12-31T23:59:59.998Z"}}})", old));
  EXPECT_TRUE(passes(R"({"a":{"$date":{"$numberLong":"-1"}}})", old));
  EXPECT_FALSE(passes(R"({"a":-1})", old));
}

TEST(FilterEdges, TextsAreComparedByBytesAndMayHoldZeros) {
  EXPECT_TRUE(passes(R"({"a":{"$gt":"Z"}})", R"({"a":"a"})"));
  EXPECT_TRUE(passes(R"({"a":{"$gt":"z"}})", R"({"a":"é"})"));
  EXPECT_FALSE(passes(R"({"a":"é"})", R"({"a":"e\u0301"})"));
  EXPECT_TRUE(passes(R"({"a":"x\u0000y"})", R"({"a":"x\u0000y"})"));
  EXPECT_FALSE(passes(R"({"a":"x"})", R"({"a":"x\u0000y"})"));
  EXPECT_TRUE(passes(R"({"a":""})", R"({"a":""})"));
  EXPECT_FALSE(passes(R"({"a":""})", R"({"a":null})"));
}

TEST(FilterEdges, BytesAreComparedByLengthFirst) {
  const char* one = R"({"a":{"$binary":{"base64":"/w==","subType":"00"}}})";
  EXPECT_TRUE(passes(R"({"a":{"$lt":{"$binary":{"base64":"AAA=","subType":"00"}}}})", one));
  EXPECT_TRUE(passes(one, one));
  EXPECT_FALSE(passes(R"({"a":"/w=="})", one));
}

TEST(FilterEdges, AnEmptyArrayHasNoElementThatFailsOrPasses) {
  const char* empty = R"({"a":[]})";
  EXPECT_TRUE(passes(R"({"a":[]})", empty));
  EXPECT_TRUE(passes(R"({"a":{"$size":0}})", empty));
  EXPECT_TRUE(passes(R"({"a":{"$exists":true}})", empty));
  EXPECT_TRUE(passes(R"({"a":{"$ne":1}})", empty));
  EXPECT_TRUE(passes(R"({"a":{"$not":{"$gt":0}}})", empty));
  EXPECT_TRUE(passes(R"({"a":{"$containedBy":[]}})", empty));
  EXPECT_FALSE(passes(R"({"a":null})", empty));
  EXPECT_FALSE(passes(R"({"a":{"$elemMatch":{"$exists":true}}})", empty));
  EXPECT_FALSE(passes(R"({"a":{"$elemMatch":{}}})", empty));
  EXPECT_FALSE(passes(R"({"a":{"$gt":0}})", empty));
}

TEST(FilterEdges, NullAmongElementsIsNull) {
  EXPECT_TRUE(passes(R"({"a":null})", R"({"a":[1,null]})"));
  EXPECT_FALSE(passes(R"({"a":{"$ne":null}})", R"({"a":[1,null]})"));
  EXPECT_TRUE(passes(R"({"a":{"$all":[null,1]}})", R"({"a":[1,null]})"));
  EXPECT_TRUE(passes(R"({"a":{"$elemMatch":{"$eq":null}}})", R"({"a":[null]})"));
  EXPECT_TRUE(passes(R"({"a":{"$type":"null"}})", R"({"a":[1,null]})"));
}

TEST(FilterEdges, NegationsAreTrueWhereTheFieldIsMissing) {
  for (const char* condition : {R"({"$ne":1})", R"({"$nin":[1,2]})", R"({"$not":{"$eq":1}})",
                                R"({"$not":{"$regex":"x"}})", R"({"$not":{"$type":"int"}})",
                                R"({"$not":{"$elemMatch":{"$gt":1}}})", R"({"$exists":false})"}) {
    EXPECT_TRUE(passes(R"({"a.b":)" + std::string(condition) + "}", R"({"c":1})")) << condition;
  }
}

TEST(FilterEdges, NorIsTheOppositeOfOr) {
  for (const char* document :
       {"{}", R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})", R"({"a":[1],"b":null})"}) {
    EXPECT_NE(passes(R"({"$or":[{"a":1},{"b":2}]})", document),
              passes(R"({"$nor":[{"a":1},{"b":2}]})", document))
        << document;
  }
}

TEST(FilterEdges, SeveralConditionsOfOneFieldAllHold) {
  EXPECT_TRUE(passes(R"({"a":{"$gt":1,"$lt":5,"$ne":3}})", R"({"a":2})"));
  EXPECT_FALSE(passes(R"({"a":{"$gt":1,"$lt":5,"$ne":2}})", R"({"a":2})"));
  EXPECT_TRUE(passes(R"({"a":{"$regex":"^x","$ne":"xy"}})", R"({"a":"xz"})"));
  EXPECT_FALSE(passes(R"({"$and":[{"a":1},{"a":2}]})", R"({"a":1})"));
  EXPECT_TRUE(passes(R"({"$and":[{"a":1},{"a":2}]})", R"({"a":[1,2]})"));
}

TEST(FilterEdges, ExpressionsCompareFieldsOfTheDocument) {
  EXPECT_TRUE(passes(R"({"$expr":{"$gt":["$a","$b"]}})", R"({"a":2,"b":1})"));
  EXPECT_TRUE(passes(R"({"$expr":{"$gt":["$a","$b"]}})", R"({"a":2})"));
  EXPECT_FALSE(passes(R"({"$expr":"$a"})", R"({"a":0})"));
  EXPECT_TRUE(passes(R"({"$expr":"$a"})", R"({"a":""})"));
  EXPECT_TRUE(passes(R"({"$or":[{"x":1},{"$expr":{"$in":["$a",[1,2]]}}]})", R"({"a":2})"));
  EXPECT_TRUE(passes(R"({"$sampleRate":1})", "{}"));
  EXPECT_FALSE(passes(R"({"$sampleRate":0})", "{}"));
}

TEST(FilterEdges, FieldNamesMayBeAnythingThatIsNoOperator) {
  EXPECT_TRUE(passes(R"({"a b":1,"é`\"'":2})", R"({"a b":1,"é`\"'":2})"));
  EXPECT_TRUE(passes(R"({"":1})", R"({"":1})"));
  EXPECT_TRUE(passes(R"({"a.$id":1})", R"({"a":{"$id":1}})"));
}

}  // namespace
}  // namespace gantry::data::filter::edges_test
