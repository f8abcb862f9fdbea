#include <gtest/gtest.h>

#include "people.hpp"

namespace gantry::data::testing {
namespace {

struct Case {
  const char* where;
  const char* said;  // code and words that the answer contains
};

class WhereErrors : public ::testing::Test {
 protected:
  template <std::size_t N>
  void check(const Case (&cases)[N]) {
    for (const Case& one : cases) {
      const std::string answer = people_.select(one.where);
      EXPECT_TRUE(answer.starts_with('!')) << one.where << " gave " << answer;
      EXPECT_NE(answer.find(one.said), std::string::npos) << one.where << " gave " << answer;
    }
  }
  People people_;
};

TEST_F(WhereErrors, UnknownFieldsNameTheNearest) {
  check({{R"({"nmae":"x"})",
          "invalid_query: Class 'Person' has no field 'nmae'. Did you mean 'name'?"},
         {R"({"zzz":1})", "Fields: objectId, createdAt, n, name, nick"},
         {R"({"$or":[{"tag.x":1}]})", "Did you mean 'tags'?"},
         {R"({"name.first":1})", "Nothing lies below field 'name'"},
         {R"({"team.name":1})", "Field 'name' is of type String"},
         {R"({"team.nam":"x"})", "Did you mean 'name'?"},
         {R"({"objectId.x":1})", "Nothing lies below field 'objectId'"},
         {R"({"updatedAt":"2026-01-01"})", "has no field 'updatedAt'"}});
}

TEST_F(WhereErrors, InternalFieldsAreDeniedWhetherTheyExistOrNot) {
  DataError error;
  try {
    (void)compile(people_.scope(), "Person", R"({"_hashed_password":"x"})");
  } catch (const QueryError& refused) {
    error = refused.error();
  }
  EXPECT_EQ(error.code, "access_denied");
  EXPECT_EQ(error.kind, "field_denied");
  EXPECT_EQ(error.denied_field, "_hashed_password");
  EXPECT_EQ(error.allowed_fields.size(), 18U);
}

TEST_F(WhereErrors, UnknownOperatorsNameTheNearest) {
  check({{R"({"age":{"$gtt":1}})",
          "invalid_query: There is no query operator $gtt; the nearest is $gt."},
         {R"({"age":{"$xor":1}})", "no query operator $xor"},
         {R"({"$annd":[{}]})", "the nearest is $and"},
         {R"({"$exprr":{}})", "the nearest is $expr"},
         {R"({"age":{"$and":[]}})", "$and stands at the top of a filter"},
         {R"({"$gt":1})", "behind a field's name"},
         {R"({"age":{"$gt":1,"x":2}})", "mixes operators and fields"},
         {R"({"name":{"eq":"x"}})", "'eq' is no operator; did you mean '$eq'?"},
         {R"({"age":{"gte":1,"lt":5}})", "did you mean '$gte'"},
         {R"({"born":{"lt":"2026-01-01"}})", "did you mean '$lt'"},
         {R"({"name":{"equal":"x"}})", "equality got an object"},
         {R"({"$where":"1"})", "security_blocked: $where runs code"},
         {R"({"age":{"$function":{}}})", "security_blocked: $function runs code"},
         {R"({"$text":{"$search":"x"}})", "search index"},
         {R"({"meta":{"$nearSphere":[1,2]}})", "needs a point column"}});
}

TEST_F(WhereErrors, OperandsOfTheWrongKindNameTheAcceptedForm) {
  check({{R"({"name":5})",
          "Field 'name' is of type String; equality got a number. Use a string. Instead of 5, "
          "did you mean '5'?"},
         {R"({"age":{"$gt":"5"}})",
          "$gt got a string. Use a number. Instead of '5', did you mean 5?"},
         {R"({"active":1})", "Use true or false. Instead of 1, did you mean true?"},
         {R"({"active":"true"})", "Use true or false."},
         {R"({"born":"yesterday"})", "ISO 8601"},
         {R"({"born":5})", "got a number"},
         {R"({"born":"2026-02-30"})", "ISO 8601"},
         {R"({"photo":"AP8="})", "base64"},
         {R"({"photo":{"__type":"Bytes","base64":"A"}})", "base64"},
         {R"({"mixed":true})", "got a boolean"},
         {R"({"name":["a"]})", "got an array"},
         {R"({"name":{"$in":["a",5]}})", "$in got a number"},
         {R"({"name":{"$in":"a"}})", "$in needs an array of values, not a string"},
         {R"({"name":{"$in":[{"$regex":"a"}]}})", "lists values"},
         {R"({"name":{"$eq":{"$gt":1}}})", "not with another operator"},
         {R"({"name":{"$exists":"yes"}})", "true or false"},
         {R"({"name":{"$regex":5}})", "$regex needs a pattern"},
         {R"({"name":{"$regex":"("}})", "not valid at byte 1"},
         {R"({"name":{"$regex":"a","$options":"g"}})", "$options knows"},
         {R"({"name":{"$options":"i"}})", "$options stands beside $regex"},
         {R"({"age":{"$regex":"1"}})", "holds no text"},
         {R"({"team":{"$regex":"1"}})", "holds no text"},
         {R"({"name":{"$mod":[2,0]}})", "holds no numbers"},
         {R"({"age":{"$mod":[0,1]}})", "a divisor other than 0"},
         {R"({"age":{"$mod":[2]}})", "two numbers"},
         {R"({"age":{"$mod":["2",0]}})", "two numbers"},
         {R"({"name":{"$size":1}})", "holds no arrays"},
         {R"({"tags":{"$size":-1}})", "from 0"},
         {R"({"tags":{"$size":1.5}})", "whole number"},
         {R"({"tags":{"$size":2147483648}})", "to 2147483647"},
         {R"({"tags":{"$size":1e17}})", "to 2147483647"},
         {R"({"tags":{"$size":"1"}})", "$size needs a number, not a string"},
         {R"({"name":{"$elemMatch":{}}})", "holds no arrays"},
         {R"({"tags":{"$elemMatch":1}})", "needs an object"},
         {R"({"tags":{"$all":1}})", "$all needs an array"},
         {R"({"tags":{"$all":[1,{"$elemMatch":{"a":1}}]}})", "throughout, nothing else"},
         {R"({"tags":{"$all":[{"$elemMatch":{"a":1},"$text":{"$search":"x"}}]}})", "$text"},
         {R"({"tags":{"$elemMatch":{"$inQuery":{"className":"Team"}}}})", "$inQuery"},
         {R"({"name":{"$containedBy":["a"]}})", "holds no arrays"},
         {R"({"age":{"$type":"integer"}})", "write one of double, string"},
         {R"({"age":{"$type":[]}})", "at least one"},
         {R"({"age":{"$not":5}})", "needs an object of operators"},
         {R"({"age":{"$not":{}}})", "$not needs at least one operator"},
         {R"({"$or":[]})", "at least one"},
         {R"({"$and":{}})", "needs an array"},
         {R"({"$or":[1]})", "filters as objects in its array"},
         {R"([])", "A where is an object"}});
}

TEST_F(WhereErrors, PointersAndIdsMustFit) {
  check({{R"({"team":{"__type":"Pointer","className":"Person","objectId":"1"}})",
          "it points to 'Team'"},
         {R"({"team":"red"})", "the given id cannot be one"},
         {R"({"team":true})", "got a boolean"},
         {R"({"team":{"$gt":"1"}})", "pointers have no order"},
         {R"({"objectId":"x"})", "the given id cannot be one"},
         {R"({"objectId":{"$regex":"1"}})", "holds no text"}});
  const std::string part = select(people_.db(), people_.scope(), "Part", R"({"objectId":"x"})");
  EXPECT_TRUE(part.starts_with('!')) << part;
  EXPECT_NE(part.find("a,b"), std::string::npos) << part;
}

TEST_F(WhereErrors, SubQueriesAreCheckedLikeTheRest) {
  check(
      {{R"({"team":{"$inQuery":{"className":"Taem"}}})",
        "access_denied: Class 'Taem' is not accessible to this agent; did you mean 'Team'?"},
       {R"({"team":{"$inQuery":{"className":"Person"}}})", "does not point to class 'Person'"},
       {R"({"team":{"$inQuery":{"where":{}}}})", "needs a className"},
       {R"({"team":{"$inQuery":{"className":"Team","wehre":{}}}})", "'wehre' is none"},
       {R"({"team":{"$inQuery":{"className":"Team","where":{"nmae":1}}}})",
        "Class 'Team' has no field"},
       {R"({"team":{"$inQuery":{"className":"Team","limit":-1}}})", "not negative"},
       {R"({"team":{"$inQuery":{"className":"Team","skip":"1"}}})", "'skip' of a sub-query"},
       {R"({"team":{"$inQuery":{"className":"Team","order":1}}})", "is a string"},
       {R"({"team":{"$inQuery":{"className":"Team","where":[]}}})", "is an object"},
       {R"({"team":{"$inQuery":{"className":7}}})", "'className' of a sub-query is a string"},
       {R"({"team":{"$inQuery":[]}})", "needs {"},
       {R"({"age":{"$inQuery":{"className":"Team"}}})", "needs a Pointer"},
       {R"({"tags":{"$inQuery":{"className":"Team"}}})", "is JSON"},
       {R"({"age":{"$select":{"className":"Team"}}})", "\"key\""},
       {R"({"age":{"$select":{"query":{"className":"Team"},"key":"name"}}})", "of one kind"},
       {R"({"age":{"$select":{"query":{"className":"Team"},"key":"nam"}}})", "Did you mean 'name'"},
       {R"({"age":{"$select":{"query":{"className":"Person"},"key":"tags"}}})",
        "one plain value"}});
}

TEST_F(WhereErrors, OrdersAreCheckedLikeTheRest) {
  EXPECT_NE(people_.select("{}", "nmae").find("Did you mean 'name'?"), std::string::npos);
  EXPECT_NE(people_.select("{}", "name,,age").find("one of them is empty"), std::string::npos);
  EXPECT_NE(people_.select("{}", "name,").find("one of them is empty"), std::string::npos);
  EXPECT_NE(people_.select("{}", "name.x").find("Nothing lies below"), std::string::npos);
  EXPECT_NE(people_.select("{}", "-").find("one of them is empty"), std::string::npos);
}

TEST_F(WhereErrors, SizeIsBounded) {
  std::string deep = "{}";
  for (int i = 0; i < 25; ++i) deep = R"({"$or":[)" + deep + "]}";
  EXPECT_NE(people_.select(deep).find("more than 20 deep"), std::string::npos);
  std::string inner = R"({"$gt":1})";
  for (int i = 0; i < 120; ++i) inner = R"({"$elemMatch":)" + inner + "}";
  EXPECT_NE(people_.select(R"({"tags":)" + inner + "}").find("100 conditions deep"),
            std::string::npos);
  std::string many = R"({"age":1})";
  for (int i = 0; i < 1000; ++i) many += R"(,{"age":1})";
  EXPECT_NE(people_.select(R"({"$or":[)" + many + "]}").find("1,000 conditions"),
            std::string::npos);
  std::string list = "0";
  for (int i = 1; i <= 10'000; ++i) list += "," + std::to_string(i);
  EXPECT_NE(people_.select(R"({"age":{"$in":[)" + list + "]}}").find("10,000 values"),
            std::string::npos);
}

TEST_F(WhereErrors, TheLargestAllowedRuns) {
  std::string many = R"({"age":40})";
  for (int i = 0; i < 990; ++i) many += R"(,{"age":{"$ne":1}})";
  EXPECT_EQ(people_.select(R"({"$and":[)" + many + "]}"), "2,8");
  std::string list = "40";
  for (int i = 1; i < 10'000; ++i) list += "," + std::to_string(i + 100);
  EXPECT_EQ(people_.select(R"({"age":{"$in":[)" + list + "]}}"), "2,8");
}

}  // namespace
}  // namespace gantry::data::testing
