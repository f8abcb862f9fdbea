// $expr and similar operators, bits, numbers without a JSON form, and internal names inside JSON.
#include <gtest/gtest.h>

#include "people.hpp"

namespace gantry::data::testing::whole_row_test {
namespace {

struct Case {
  const char* where;
  const char* rows;
};

class WholeRow : public ::testing::Test {
 protected:
  template <std::size_t N>
  void check(const Case (&cases)[N]) {
    for (const Case& one : cases) EXPECT_EQ(people_.select(one.where), one.rows) << one.where;
  }
  template <std::size_t N>
  void refuse(const Case (&cases)[N]) {
    for (const Case& one : cases) {
      const std::string answer = people_.select(one.where);
      EXPECT_TRUE(answer.starts_with('!')) << one.where << " gave " << answer;
      EXPECT_NE(answer.find(one.rows), std::string::npos) << one.where << " gave " << answer;
    }
  }
  People people_;
};

TEST_F(WholeRow, ExpressionsCompareColumnsOfARow) {
  check({{R"({"$expr":{"$gt":["$age","$n"]}})", "1,2,4,7,8"},
         {R"({"$expr":{"$eq":["$nick",{"$toUpper":"$nick"}]}})", "3,6"},
         {R"({"$expr":{"$eq":["$meta.k","v"]}})", "1,6"},
         {R"({"$expr":{"$eq":["$team",10]}})", "1,5,7"},
         {R"({"$expr":{"$eq":["$n",4]}})", "4"},
         {R"({"$expr":{"$lt":["$$NOW","$createdAt"]}})", ""},
         {R"({"$expr":{"$gt":[{"$size":{"$objectToArray":"$$ROOT"}},14]}})", "1,2,5,6,7"},
         {R"({"$expr":{"$let":{"vars":{"a":"$n"},"in":{"$eq":["$$a",3]}}}})", "3"},
         {R"({"$expr":true})", "1,2,3,4,5,6,7,8"},
         {R"({"$expr":{"$eq":[1,2]}})", ""}});
}

TEST_F(WholeRow, StandsBesideOtherConditionsAndInsideThem) {
  check({{R"({"$expr":{"$gt":["$age","$n"]},"name":{"$gt":"b"}})", "2,8"},
         {R"({"$or":[{"$expr":{"$eq":["$n",7]}},{"name":"ann"}]})", "1,7"},
         {R"({"$nor":[{"$expr":{"$gt":["$n",2]}}]})", "1,2"},
         {R"({"team":{"$inQuery":{"className":"Team","where":{"$expr":{"$gt":["$size",4]}}}}})",
          "2,8"},
         {R"({"$comment":"why","n":{"$lte":2}})", "1,2"},
         {R"({"$comment":"why"})", "1,2,3,4,5,6,7,8"},
         {R"({"$alwaysTrue":1,"n":3})", "3"},
         {R"({"$alwaysFalse":1})", ""},
         {R"({"$sampleRate":0.0})", ""},
         {R"({"$sampleRate":1})", "1,2,3,4,5,6,7,8"}});
}

TEST_F(WholeRow, OtherConditionsLeaveRowsOutBeforeAnExpressionFailsOnThem) {
  check({{R"({"$expr":{"$gt":[{"$divide":[1,"$age"]},0.01]},"n":{"$lte":2}})", "1,2"}});
  refuse({{R"({"$expr":{"$divide":[1,{"$subtract":["$n",1]}]}})", "zero"}});
}

TEST_F(WholeRow, AppliesTheUsualRefusalsToExpressions) {
  refuse({{R"({"$expr":{"$function":{"body":"","args":[],"lang":"js"}}})", "security_blocked"},
          {R"({"$expr":{"$eq":["$nmae",1]}})", "has no field 'nmae'. Did you mean 'name'?"},
          {R"({"$expr":{"$eq":["$_hashed_password",1]}})", "access_denied"},
          {R"({"$expr":{"$eq":["$meta.password",1]}})", "access_denied"},
          {R"({"$expr":{"$eqq":[1,1]}})", "$eq"},
          {R"({"$expr":{"$add":"x"}})", "invalid_query"},
          {R"({"$or":[{"$where":"1"}]})", "security_blocked"},
          {R"({"tags":{"$elemMatch":{"$expr":true}}})", "top of a filter"},
          {R"({"age":{"$expr":true}})", "top of a filter"},
          {R"({"$alwaysTrue":0})", "$alwaysTrue"},
          {R"({"$sampleRate":2})", "from 0 to 1"}});
}

TEST_F(WholeRow, TestsTheBitsOfNumbersAndBytes) {
  check({{R"({"n":{"$bitsAllSet":3}})", "3,7"},
         {R"({"n":{"$bitsAllSet":[0,1]}})", "3,7"},
         {R"({"n":{"$bitsAnySet":6}})", "2,3,4,5,6,7"},
         {R"({"n":{"$bitsAllClear":6}})", "1,8"},
         {R"({"n":{"$bitsAnyClear":3}})", "1,2,4,5,6,8"},
         {R"({"n":{"$not":{"$bitsAllSet":1}}})", "2,4,6,8"},
         {R"({"age":{"$bitsAllSet":[63]}})", "5"},
         {R"({"score":{"$bitsAllClear":1}})", "2,6,8"},
         {R"({"photo":{"$bitsAnySet":{"__type":"Bytes","base64":"AQ=="}}})", "2,7"},
         {R"({"photo":{"$bitsAllSet":[8,15]}})", "1"},
         {R"({"mixed":{"$bitsAllSet":5}})", "1,5"},
         {R"({"meta.n":{"$bitsAllSet":1}})", "1,5"},
         {R"({"tags":{"$bitsAllSet":2}})", "3"},
         {R"({"tags":{"$elemMatch":{"q":{"$bitsAllSet":4}}}})", "8"},
         {R"({"tags":{"$elemMatch":{"$bitsAllClear":1,"$gt":1}}})", "3"}});
  refuse({{R"({"name":{"$bitsAllSet":1}})", "neither numbers nor binary data"},
          {R"({"objectId":{"$bitsAllSet":1}})", "neither numbers nor binary data"},
          {R"({"n":{"$bitsAllSet":-1}})", "not negative"},
          {R"({"n":{"$bitsAllSet":1.5}})", "whole"},
          {R"({"n":{"$bitsAllSet":"1"}})", "a mask as a number"},
          {R"({"n":{"$bitsAnySet":[-1]}})", "not negative"}});
}

TEST_F(WholeRow, KnowsNumbersThatJsonCannotSpell) {
  people_.db().run(
      "UPDATE person SET score=9e999 WHERE n=3; UPDATE person SET score=-9e999 "
      "WHERE n=4; UPDATE person SET meta='{\"n\":{\"$numberDouble\":\"NaN\"}}' "
      "WHERE n=5; UPDATE person SET meta='{\"n\":{\"$numberDouble\":\"Infinity\"}}' "
      "WHERE n=4");
  check({{R"({"score":{"$numberDouble":"Infinity"}})", "3"},
         {R"({"score":{"$lt":{"$numberDouble":"Infinity"}}})", "1,2,4,5,6,8"},
         {R"({"score":{"$gt":{"$numberDouble":"-Infinity"}}})", "1,2,3,5,6,8"},
         {R"({"score":{"$in":[{"$numberDouble":"-Infinity"},1.5]}})", "1,4"},
         {R"({"score":{"$numberDouble":"NaN"}})", ""},
         {R"({"score":{"$ne":{"$numberDouble":"NaN"}}})", "1,2,3,4,5,6,7,8"},
         {R"({"score":{"$gte":{"$numberDouble":"NaN"}}})", ""},
         {R"({"score":{"$in":[{"$numberDouble":"NaN"},1.5]}})", "1"},
         {R"({"score":{"$nin":[{"$numberDouble":"NaN"},1.5]}})", "2,3,4,5,6,7,8"},
         {R"({"age":{"$numberInt":"30"}})", "1"},
         {R"({"age":{"$numberLong":"9007199254740993"}})", "4"},
         {R"({"age":{"$gt":{"$numberLong":"9007199254740992"}}})", "4"},
         {R"({"meta.n":{"$numberDouble":"NaN"}})", "5"},
         {R"({"meta.n":{"$gte":{"$numberDouble":"NaN"}}})", "5"},
         {R"({"meta.n":{"$gt":{"$numberDouble":"NaN"}}})", ""},
         {R"({"meta.n":{"$lt":5}})", "1,3"},
         {R"({"meta.n":{"$gt":2}})", "3,4"},
         {R"({"meta":{"n":{"$numberDouble":"Infinity"}}})", "4"},
         {R"({"meta.n":{"$type":"double"}})", "3,4,5"},
         {R"({"tags":{"$size":{"$numberInt":"2"}}})", "1"}});
  EXPECT_EQ(people_.select(R"({"meta.n":{"$type":"double"}})", "meta.n"), "5,3,4");
  refuse({{R"({"name":{"$numberDouble":"NaN"}})", "got a number"},
          {R"({"age":{"$numberDouble":"many"}})", "$numberDouble"}});
}

class InternalJson : public WholeRow {
 protected:
  InternalJson() {
    people_.db().run(
        R"(UPDATE person SET meta='{"a":1,"Password":"x","in":[{"_session_token":"s","b":2}]}'
           WHERE n=1;
           UPDATE person SET meta='{"a":1,"in":[{"b":2}],"sessionToken":"a"}' WHERE n=2)");
  }
};

TEST_F(InternalJson, IsNotThereForAnyCondition) {
  check({{R"({"meta":{"a":1,"in":[{"b":2}]}})", "1,2"},
         {R"({"meta":{"a":1,"Password":"x","in":[{"_session_token":"s","b":2}]}})", ""},
         {R"({"meta.in":{"b":2}})", "1,2"},
         {R"({"meta.in":{"$elemMatch":{"b":2}}})", "1,2"},
         {R"({"$expr":{"$eq":[{"$size":{"$objectToArray":"$meta"}},2]},"n":{"$lte":2}})", "1,2"},
         {R"({"$expr":{"$gt":[{"$getField":{"field":"Password","input":"$meta"}},""]}})", ""}});
  EXPECT_EQ(people_.select(R"({"n":{"$lte":2}})", "-meta,n"), "1,2");
  EXPECT_EQ(people_.select(R"({"n":{"$lte":2}})", "meta,-n"), "2,1");
}

TEST_F(InternalJson, IsRefusedByNameAtAnyDepth) {
  refuse({{R"({"meta.Password":"x"})", "access_denied: Field 'meta.Password'"},
          {R"({"meta.in._session_token":{"$exists":true}})", "access_denied"},
          {R"({"meta.in":{"$elemMatch":{"_session_token":"s"}}})", "access_denied"},
          {R"({"meta.in":{"$elemMatch":{"x._auth_data_y":"s"}}})", "access_denied"},
          {R"({"$or":[{"meta.a":1},{"meta.sessionToken":"a"}]})", "access_denied"},
          {R"({"meta.in":{"$not":{"$elemMatch":{"$or":[{"b":1},{"password":"s"}]}}}})",
           "access_denied"},
          {R"({"meta.in":{"$all":[{"$elemMatch":{"b":{"$elemMatch":{"password":1}}}}]}})",
           "access_denied"},
          {R"({"nosuch.password":1})", "access_denied"}});
  EXPECT_NE(people_.select("{}", "meta.Password").find("!access_denied"), std::string::npos);
}

}  // namespace
}  // namespace gantry::data::testing::whole_row_test
