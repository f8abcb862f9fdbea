#include <gtest/gtest.h>

#include "people.hpp"

namespace gantry::data::testing::semantics_test {
namespace {

struct Case {
  const char* where;
  const char* rows;
};

class Where : public ::testing::Test {
 protected:
  template <std::size_t N>
  void check(const Case (&cases)[N]) {
    for (const Case& one : cases) EXPECT_EQ(people_.select(one.where), one.rows) << one.where;
  }
  People people_;
};

TEST_F(Where, NothingAskedMatchesEveryRow) { check({{"{}", "1,2,3,4,5,6,7,8"}}); }

TEST_F(Where, TextComparesByBytesAndOnlyWithText) {
  check({{R"({"name":"ann"})", "1"},
         {R"({"name":{"$eq":"Ann"}})", "3"},
         {R"({"name":{"$ne":"ann"}})", "2,3,4,5,6,7,8"},
         {R"({"name":{"$gt":"ann"}})", "2,5,6,8"},
         {R"({"name":{"$gte":"ann","$lt":"bob"}})", "1,5,6"},
         {R"({"name":{"$lte":"Z"}})", "3"},
         {R"({"name":{"$in":["ann","bob","nobody"]}})", "1,2"},
         {R"({"name":{"$in":["ann",null]}})", "1,4"},
         {R"({"name":{"$nin":["ann",null]}})", "2,3,5,6,7,8"},
         {R"({"name":{"$in":[]}})", ""},
         {R"({"name":{"$nin":[]}})", "1,2,3,4,5,6,7,8"},
         {R"({"name":{"$not":{"$gt":"ann"}}})", "1,3,4,7"},
         {R"({"name":{"$all":["ann"]}})", "1"},
         {R"({"name":{"$all":[]}})", ""}});
}

TEST_F(Where, NullIsMissingInTypedColumns) {
  check({{R"({"name":null})", "4"},
         {R"({"name":{"$ne":null}})", "1,2,3,5,6,7,8"},
         {R"({"name":{"$exists":true}})", "1,2,3,5,6,7,8"},
         {R"({"name":{"$exists":false}})", "4"},
         {R"({"name":{"$gte":null}})", "4"},
         {R"({"name":{"$lte":null}})", "4"},
         {R"({"name":{"$gt":null}})", ""},
         {R"({"name":{"$not":{"$exists":false}}})", "1,2,3,5,6,7,8"},
         {R"({"age":{"$exists":1}})", "1,2,4,5,6,7,8"}});
}

TEST_F(Where, CollationsOfColumnsDoNotCount) {
  check({{R"({"nick":"ann"})", ""},
         {R"({"nick":"Ann"})", "1"},
         {R"({"nick":{"$in":["ANN","Y","bOb"]}})", "3,6"},
         {R"({"nick":{"$gte":"Y","$lt":"c"}})", "2,6,8"},
         {R"({"nick":{"$regex":"^an"}})", ""},
         {R"({"nick":{"$regex":"^an","$options":"i"}})", "1,3"}});
}

TEST_F(Where, NumbersCompareByValueAndOnlyWithNumbers) {
  check({{R"({"age":40})", "2,8"},
         {R"({"age":40.0})", "2,8"},
         {R"({"age":9007199254740993})", "4"},
         {R"({"age":9007199254740992})", ""},
         {R"({"age":{"$gt":30}})", "2,4,8"},
         {R"({"age":{"$gte":-3,"$lte":0}})", "5,6"},
         {R"({"age":{"$ne":40}})", "1,3,4,5,6,7"},
         {R"({"age":{"$in":[30,40,null]}})", "1,2,3,8"},
         {R"({"age":{"$lt":1e30}})", "1,2,4,5,6,8"},
         {R"({"age":{"$lt":18446744073709551615}})", "1,2,4,5,6,8"},
         {R"({"score":{"$gte":2}})", "2,5,8"},
         {R"({"score":{"$gt":-1}})", "1,2,3,5,6,8"},
         {R"({"score":{"$lt":0.5}})", "3,6"},
         {R"({"score":-0.0})", "6"},
         {R"({"score":{"$lt":"Infinity"}})", "1,2,3,5,6,8"},
         {R"({"age":{"$mod":[10,0]}})", "1,2,6,8"},
         {R"({"age":{"$mod":[2,-1]}})", "5"},
         {R"({"age":{"$mod":[-1,0]}})", "1,2,4,5,6,8"},
         {R"({"score":{"$mod":[2.9,1.2]}})", "1"},
         {R"({"age":{"$not":{"$mod":[10,0]}}})", "3,4,5,7"}});
}

TEST_F(Where, BooleansAreNeitherNumbersNorTexts) {
  check({{R"({"active":true})", "1,4,8"},
         {R"({"active":false})", "2,5"},
         {R"({"active":{"$ne":true}})", "2,3,5,6,7"},
         {R"({"active":{"$gt":false}})", "1,4,8"},
         {R"({"active":{"$gte":false}})", "1,2,4,5,8"},
         {R"({"active":{"$lt":false}})", ""},
         {R"({"active":{"$lte":true}})", "1,2,4,5,8"},
         {R"({"active":{"$in":[true,null]}})", "1,3,4,8"},
         {R"({"active":{"$nin":[true,false]}})", "3,6,7"}});
}

TEST_F(Where, DatesInTextAreInstantsInEveryFormat) {
  check({{R"({"born":"2026-11-21T20:00:00Z"})", "1,2,8"},
         {R"({"born":{"__type":"Date","iso":"2026-11-21T21:00:00.000+01:00"}})", "1,2,8"},
         {R"({"born":{"$date":"2026-11-21T20:00:00Z"}})", "1,2,8"},
         {R"({"createdAt":"2026-11-21T20:00:00Z"})", "1,2,8"},
         {R"({"born":{"$gt":"2026-11-21T20:00:00Z"}})", "3"},
         {R"({"born":{"$gte":"2026-11-21"}})", "1,2,3,8"},
         {R"({"born":{"$lt":"2026-11-21"}})", "6"},
         {R"({"born":{"$lte":"2026-11-21T20:00:00Z"}})", "1,2,6,8"},
         {R"({"born":{"$ne":"2026-11-22"}})", "1,2,4,5,6,7,8"},
         {R"({"born":{"$in":["2026-11-22","2019-01-01",null]}})", "3,4,6"},
         {R"({"born":{"$in":[null]}})", "4"},
         {R"({"born":{"$nin":["2026-11-22","2019-01-01"]}})", "1,2,4,5,7,8"},
         {R"({"born":null})", "4"},
         {R"({"born":{"$gt":"9999-12-31"}})", ""},
         {R"({"born":{"$gt":"0000-01-01"}})", "1,2,3,6,8"},
         {R"({"born":{"$type":"date"}})", "1,2,3,6,8"},
         {R"({"born":{"$type":"string"}})", "5"}});
}

TEST_F(Where, DatesInNumbersAreComparedByTheirForm) {
  check({{R"({"ms":"2026-11-21T20:00:00Z"})", "1,8"},
         {R"({"ms":{"$gt":"2026-11-21T20:00:00Z"}})", "2"},
         {R"({"ms":{"$lte":"1970-01-01"}})", "3,6"},
         {R"({"ms":{"$in":["2026-11-21T20:00:00.001Z","1970-01-01",null]}})", "2,3,4"},
         {R"({"ms":{"$type":"date"}})", "1,2,3,6,8"},
         {R"({"sec":"2026-11-21T20:00:00Z"})", "1,8"},
         {R"({"sec":{"$gt":"2026-11-21T20:00:00Z"}})", "2"},
         {R"({"sec":{"$gte":"2026-11-21T20:00:00.001Z"}})", "2"},
         {R"({"sec":{"$lt":"2026-11-21T20:00:00.999Z"}})", "1,3,6,8"},
         {R"({"sec":{"$in":["1970-01-01","2026-11-21T20:00:01Z"]}})", "2,3"},
         {R"({"jd":"2026-11-21T20:00:00Z"})", "1"},
         {R"({"jd":{"$gte":"2026-11-21T20:00:00.001Z"}})", "2"},
         {R"({"jd":{"$lt":"2026-11-22"}})", "1"},
         {R"({"jd":{"$in":["2026-11-22",null]}})", "2,3,4,5,8"}});
}

TEST_F(Where, BytesAndMixedColumnsKeepTheirTypes) {
  check({{R"({"photo":{"__type":"Bytes","base64":"AP8="}})", "1"},
         {R"({"photo":{"__type":"Bytes","base64":""}})", "6"},
         {R"({"photo":{"$ne":{"__type":"Bytes","base64":"AQ=="}}})", "1,3,4,5,6,7,8"},
         {R"({"mixed":5})", "1"},
         {R"({"mixed":"5"})", "2"},
         {R"({"mixed":{"$gt":2}})", "1,4,8"},
         {R"({"mixed":{"$lt":"b"}})", "2,6,7"},
         {R"({"mixed":{"$in":[5,"5",2.5,null,{"__type":"Bytes","base64":"BQ=="}]}})", "1,2,3,4,5"},
         {R"({"mixed":{"$mod":[5,0]}})", "1"},
         {R"({"mixed":{"$regex":"n"}})", "6"},
         {R"({"mixed":{"$type":["string","binData"]}})", "2,5,6,7"},
         {R"({"mixed":{"$type":"double"}})", "4"},
         {R"({"mixed":{"$type":"long"}})", "8"},
         {R"({"mixed":{"$type":16}})", "1"},
         {R"({"mixed":{"$type":"number"}})", "1,4,8"},
         {R"({"mixed":{"$type":"null"}})", "3"}});
}

TEST_F(Where, TextInANumericColumnIsNeverTurnedIntoANumber) {
  check({{R"({"label":"abc"})", "1"},
         {R"({"label":"10"})", ""},
         {R"({"label":{"$in":["10","abd"]}})", "3"},
         {R"({"label":{"$gt":"1"}})", "1,3,8"},
         {R"({"label":{"$lt":"abd"}})", "1,6"},
         {R"({"label":{"$regex":"^ab"}})", "1,3"},
         {R"({"label":{"$regex":"^1"}})", ""},
         {R"({"label":{"$type":"int"}})", "2,5,7"}});
}

TEST_F(Where, RegularExpressionsArePcre) {
  check({{R"({"name":{"$regex":"^ann"}})", "1,5,6"},
         {R"({"name":{"$regex":"^ann$"}})", "1"},
         {R"({"name":{"$regex":"^ann.*"}})", "1,5,6"},
         {R"({"name":{"$regex":"^annx?"}})", "1,5,6"},
         {R"({"name":{"$regex":"^ann|^b"}})", "1,2,5,6"},
         {R"({"name":{"$regex":"ANN","$options":"i"}})", "1,3,5,6"},
         {R"({"name":{"$options":"i","$regex":"^ANN$"}})", "1,3"},
         {R"({"name":{"$regex":"a n n # letters","$options":"x"}})", "1,5,6"},
         {R"({"name":{"$regex":"(?<=zo)ë"}})", "8"},
         {R"({"name":{"$regex":"^zo\\w$"}})", ""},
         {R"({"name":{"$regex":"(*UCP)^zo\\w$"}})", "8"},
         {R"({"name":{"$regex":"\\%"}})", "6"},
         {R"({"name":{"$regex":"^ann\\%"}})", "6"},
         {R"({"name":{"$regex":""}})", "1,2,3,5,6,8"},
         {R"({"name":{"$not":{"$regex":"n"}}})", "2,4,7,8"},
         {R"({"name":{"$regex":"^a","$ne":"ann"}})", "5,6"},
         {R"({"tags":{"$regex":"^A$","$options":"i"}})", "1,6"},
         {R"({"meta.k":{"$regex":"w"}})", "3"}});
}

TEST_F(Where, ArraysMatchByAnyElementOrWhole) {
  check({{R"({"tags":"a"})", "1,6"},
         {R"({"tags":["a","b"]})", "1"},
         {R"({"tags":["b","a"]})", ""},
         {R"({"tags":[]})", "2"},
         {R"({"tags":[3,4]})", "3"},
         {R"({"tags":3})", ""},
         {R"({"tags":{"$gt":1}})", "3"},
         {R"({"tags":{"$lt":2,"$gt":1}})", "3"},
         {R"({"tags":{"$ne":"a"}})", "2,3,4,5,7,8"},
         {R"({"tags":{"$in":["b",2]}})", "1,3"},
         {R"({"tags":{"$nin":["b",2,null]}})", "2,5,6,7"},
         {R"({"tags":{"$all":["a","b"]}})", "1"},
         {R"({"tags":{"$all":["a"]}})", "1,6"},
         {R"({"tags":{"$all":[[3,4],1]}})", "3"},
         {R"({"tags":{"$size":0}})", "2"},
         {R"({"tags":{"$size":3}})", "3"},
         {R"({"tags":{"$size":2.0}})", "1"},
         {R"({"tags":{"$not":{"$size":0}}})", "1,3,4,5,6,7,8"},
         {R"({"tags.0":"a"})", "1"},
         {R"({"tags.2":[3,4]})", "3"},
         {R"({"tags.2":3})", ""},
         {R"({"tags.2.1":4})", "3"},
         {R"({"tags":null})", "4,8"},
         {R"({"tags":true})", "8"},
         {R"({"tags":{"$exists":false}})", "4"},
         {R"({"tags":"not json"})", "5"},
         {R"({"tags":{"a":1,"b":2}})", "7"},
         {R"({"tags":{"b":2,"a":1}})", ""},
         {R"({"tags":{"a":1.0,"b":2}})", "7"},
         {R"({"tags":{"$type":"array"}})", "1,2,3,8"},
         {R"({"tags":{"$type":"string"}})", "1,5,6"},
         {R"({"tags":{"$type":["bool","null"]}})", "8"},
         {R"({"tags":{"$containedBy":["a","b","c"]}})", "1,2"},
         {R"({"tags":{"$containedBy":[1,2,[3,4]]}})", "2,3"}});
}

TEST_F(Where, ElementsMatchTogether) {
  check({{R"({"tags":{"$elemMatch":{"s":"p","q":5}}})", "8"},
         {R"({"tags":{"$elemMatch":{"s":"p","q":1}}})", ""},
         {R"({"tags.s":"p","tags.q":1})", "8"},
         {R"({"tags":{"$elemMatch":{"$gt":1,"$lt":3}}})", "3"},
         {R"({"tags":{"$elemMatch":{"$in":["b"]}}})", "1"},
         {R"({"tags":{"$elemMatch":{"$not":{"$gt":0}}}})", "1,3,8"},
         {R"({"tags":{"$elemMatch":{"$or":[{"s":"r"},{"q":9}]}}})", "8"},
         {R"({"tags":{"$elemMatch":{"0":3}}})", "3"},
         {R"({"tags":{"$elemMatch":{"$elemMatch":{"$eq":4}}}})", "3"},
         {R"({"tags":{"$all":[{"$elemMatch":{"s":"p"}},{"$elemMatch":{"q":1}}]}})", "8"},
         {R"({"tags":{"$elemMatch":{}}})", "3,8"},
         {R"({"meta":{"$elemMatch":{"k":{"$exists":false}}}})", "5"}});
}

TEST_F(Where, PathsGoThroughObjectsAndArrays) {
  check({{R"({"meta.k":"v"})", "1,3,5,6"},
         {R"({"meta.k":["v","w"]})", "3"},
         {R"({"meta.n":1})", "1,5"},
         {R"({"meta.n":"1"})", "6"},
         {R"({"meta.n":{"$gt":1}})", "3"},
         {R"({"meta.n":null})", "2,4,5,7,8"},
         {R"({"meta.k":null})", "2,4,5,7,8"},
         {R"({"meta.n":{"$exists":true}})", "1,2,3,5,6"},
         {R"({"meta.n":{"$exists":false}})", "4,7,8"},
         {R"({"meta.n":{"$type":"null"}})", "2"},
         {R"({"meta.deep.z":2})", "1"},
         {R"({"meta.deep.z.1":2})", "1"},
         {R"({"meta.deep.z":{"$size":2}})", "1"},
         {R"({"meta.deep":{"z":[1,2]}})", "1"},
         {R"({"meta.0.k":"v"})", "5"},
         {R"({"meta.list.0.1":2})", "8"},
         {R"({"meta.list":3})", ""},
         {R"({"meta.list":[3]})", "8"},
         {R"({"meta.ok":true})", "8"},
         {R"({"meta.ok":1})", ""},
         {R"({"meta.when":{"$gt":{"__type":"Date","iso":"2025-06-01"}}})", "8"},
         {R"({"meta.when":{"$type":"date"}})", "8"},
         {R"({"meta.when":{"$date":"2026-01-01T00:00:00Z"}})", "8"},
         {R"({"meta.when.iso":"2026-01-01"})", ""},
         {R"({"meta.absent.far":{"$exists":true}})", ""},
         {R"({"meta":{"b":2,"a":1}})", "7"},
         {R"({"meta":{"a":1,"b":2}})", ""},
         {R"({"meta.n":{"$mod":[2,0]}})", "3"},
         {R"({"meta.n":{"$in":[null,2.5]}})", "2,3,4,5,7,8"}});
}

TEST_F(Where, ConditionsCombine) {
  check({{R"({"$or":[{"name":"ann"},{"age":40}]})", "1,2,8"},
         {R"({"$and":[{"age":40},{"active":true}]})", "8"},
         {R"({"$nor":[{"name":"ann"},{"age":{"$gt":0}}]})", "3,5,6,7"},
         {R"({"$nor":[{"$nor":[{"age":40}]}]})", "2,8"},
         {R"({"name":{"$not":{"$not":{"$eq":"ann"}}}})", "1"},
         {R"({"age":{"$not":{"$gte":0,"$lt":35}}})", "2,3,4,5,7,8"},
         {R"({"$or":[{"tags":"a"},{"meta.n":1}],"age":{"$lt":10}})", "5,6"},
         {R"({"$or":[{}]})", "1,2,3,4,5,6,7,8"},
         {R"({"$nor":[{}]})", ""}});
}

TEST_F(Where, PlacesInJsonAreFoundByGeometry) {
  people_.db().run(R"(UPDATE person SET meta='{"at":[3,4]}' WHERE n=2;
                      UPDATE person SET meta='{"at":{"type":"Point","coordinates":[30,40]}}' WHERE n=3)");
  check({{R"({"meta.at":{"$geoWithin":{"$center":[[0,0],6]}}})", "2"},
         {R"({"meta.at":{"$geoWithin":{"$centerSphere":[[30,40],0.1]}}})", "3"},
         {R"({"meta.at":{"$not":{"$geoWithin":{"$box":[[0,0],[9,9]]}}},"n":{"$lt":4}})", "1,3"}});
}

TEST_F(Where, PointersInJsonAreEqualInAnyMemberOrder) {
  people_.db().run(
      R"(UPDATE person SET meta='{"p":{"objectId":"7","className":"Team","__type":"Pointer"}}' WHERE n=2)");
  const std::string pointer = R"({"__type":"Pointer","className":"Team","objectId":"7"})";
  const std::string swapped = R"({"className":"Team","__type":"Pointer","objectId":"7"})";
  EXPECT_EQ(people_.select(R"({"meta.p":)" + pointer + "}"), "2");
  EXPECT_EQ(people_.select(R"({"meta.p":{"$in":[1,)" + swapped + "]}}"), "2");
}

TEST_F(Where, PointersMatchByIdOrPointer) {
  check({{R"({"team":"10"})", "1,5,7"},
         {R"({"team":10})", "1,5,7"},
         {R"({"team":{"__type":"Pointer","className":"Team","objectId":"20"}})", "2,8"},
         {R"({"team":{"$in":["10",{"__type":"Pointer","className":"Team","objectId":"30"}]}})",
          "1,4,5,7"},
         {R"({"team":{"$ne":"10"}})", "2,3,4,6,8"},
         {R"({"team":null})", "3"},
         {R"({"team":{"$nin":["10",null]}})", "2,4,6,8"},
         {R"({"team":{"$exists":true}})", "1,2,4,5,6,7,8"},
         {R"({"team":{"$type":"object"}})", "1,2,4,5,6,7,8"}});
}

TEST_F(Where, IdsAreTheKeysAsStrings) {
  check({{R"({"objectId":"3"})", "3"},
         {R"({"_id":"3"})", "3"},
         {R"({"objectId":{"$in":["3","1","77"]}})", "1,3"},
         {R"({"objectId":{"$ne":"3"}})", "1,2,4,5,6,7,8"},
         {R"({"objectId":{"$gt":"6"}})", "7,8"},
         {R"({"objectId":{"$type":"string"}})", "1,2,3,4,5,6,7,8"},
         {R"({"objectId":null})", ""}});
}

TEST_F(Where, CompositeIdsComeApart) {
  const auto ids = [&](std::string_view where) {
    return select(people_.db(), people_.scope(), "Part", where);
  };
  EXPECT_EQ(ids(R"({"objectId":"x,2"})"), "2");
  EXPECT_EQ(ids(R"({"objectId":"y%2Cz,1"})"), "3");
  EXPECT_EQ(ids(R"({"objectId":{"$in":["50%25,1","x,1",null]}})"), "4,1");
  EXPECT_EQ(ids(R"({"objectId":{"$ne":"x,2"}})"), "4,1,3");
  EXPECT_EQ(ids(R"({"objectId":{"$exists":true}})"), "4,1,2,3");
}

TEST_F(Where, SubQueriesReadOtherClasses) {
  check(
      {{R"({"team":{"$inQuery":{"className":"Team","where":{"size":{"$gte":3}}}}})", "1,2,5,7,8"},
       {R"({"team":{"$notInQuery":{"className":"Team","where":{"name":"red"}}}})", "2,3,4,6,8"},
       {R"({"team":{"$inQuery":{"className":"Team","order":"-size","limit":1}}})", "2,8"},
       {R"({"team":{"$inQuery":{"className":"Team","skip":1,"limit":1}}})", "2,8"},
       {R"({"team":{"$inQuery":{"className":"Team","where":{}}}})", "1,2,4,5,7,8"},
       {R"({"age":{"$select":{"query":{"className":"Person","where":{"name":"bob"}},"key":"age"}}})",
        "2,8"},
       {R"({"age":{"$dontSelect":{"query":{"className":"Person","where":{}},"key":"age"}}})",
        "3,7"},
       {R"({"name":{"$select":{"query":{"className":"Person","where":{}},"key":"nick"}}})",
        "2,3"}});
}

TEST_F(Where, OrdersAsMongoDbDoes) {
  EXPECT_EQ(people_.select("{}", "name"), "4,3,1,6,5,2,8,7");
  EXPECT_EQ(people_.select("{}", "-name"), "7,8,2,5,6,1,3,4");
  EXPECT_EQ(people_.select("{}", "-age,name"), "7,4,2,8,1,6,5,3");
  EXPECT_EQ(people_.select("{}", "-objectId"), "8,7,6,5,4,3,2,1");
  EXPECT_EQ(people_.select("{}", " age , -name "), "3,5,6,1,8,2,4,7");
  // null and missing, numbers, strings, arrays (an element at a time), booleans
  EXPECT_EQ(people_.select("{}", "meta.n"), "2,4,5,7,8,1,3,6");
  EXPECT_EQ(people_.select("{}", "-meta.n"), "6,3,5,1,8,7,4,2");
  EXPECT_EQ(people_.select("{}", "tags"), "2,4,8,3,1,6,5,7");
  EXPECT_EQ(people_.select("{}", "-tags"), "8,3,7,5,1,6,4,2");
}

TEST_F(Where, AnEndlessPatternIsAnErrorThatNamesTheLimit) {
  people_.db().run("UPDATE person SET name = printf('%.*c', 40, 'a') WHERE n = 1");
  const std::string answer = people_.select(R"({"name":{"$regex":"^(a+)+(b|c)$"}})");
  EXPECT_NE(answer.find("match limit of 1000000"), std::string::npos) << answer;
}

}  // namespace
}  // namespace gantry::data::testing::semantics_test
