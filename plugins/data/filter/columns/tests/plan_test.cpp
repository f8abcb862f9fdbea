#include <gtest/gtest.h>

#include "people.hpp"
#include "sql/compose.hpp"

namespace gantry::data::testing::plan_test {
namespace {

class WherePlan : public ::testing::Test {
 protected:
  Fragment query(std::string_view where, std::string_view cls = "Person") {
    const Clauses clauses{compile(people_.scope(), cls, where), {}, 0, {}};
    return select_rows(*people_.scope().open(cls), "n", clauses);
  }
  void searches(std::string_view where, std::string_view index, std::string_view cls = "Person") {
    const Fragment sql = query(where, cls);
    const std::string plan = people_.db().plan(sql.text, sql.binds);
    EXPECT_NE(plan.find("SEARCH"), std::string::npos) << where << ": " << plan;
    EXPECT_EQ(plan.find("SCAN"), std::string::npos) << where << ": " << plan;
    EXPECT_NE(plan.find(index), std::string::npos) << where << ": " << plan;
  }
  People people_;
};

TEST_F(WherePlan, IndexesServeTypedComparisons) {
  searches(R"({"name":"ann"})", "i_name");
  searches(R"({"name":{"$gt":"a","$lt":"b"}})", "i_name");
  searches(R"({"name":{"$in":["a","b","c"]}})", "i_name");
  searches(R"({"name":null})", "i_name");
  searches(R"({"age":5})", "i_age");
  searches(R"({"age":{"$gte":5}})", "i_age");
  searches(R"({"age":{"$in":[5,6,null]}})", "i_age");
  searches(R"({"score":{"$lt":5.5}})", "i_score");
  searches(R"({"active":true})", "i_active");
  searches(R"({"mixed":"x"})", "i_mixed");
  searches(R"({"label":"abc"})", "i_label");
  searches(R"({"label":{"$gt":"abc"}})", "i_label");
  searches(R"({"name":{"$not":{"$ne":"ann"}}})", "i_name");
}

TEST_F(WherePlan, IndexesServePrefixesOfPatterns) {
  searches(R"({"name":{"$regex":"^ann"}})", "i_name");
  searches(R"({"name":{"$regex":"^ann.*l$"}})", "i_name");
}

TEST_F(WherePlan, IndexesServeDatesInEveryForm) {
  for (const char* column : {"born", "ms", "sec", "jd"}) {
    const std::string name = column;
    searches("{\"" + name + "\":\"2026-11-21\"}", "i_" + name);
    searches("{\"" + name + "\":{\"$gte\":\"2026-11-21\",\"$lt\":\"2026-12-01\"}}", "i_" + name);
    searches("{\"" + name + "\":{\"$in\":[\"2026-11-21\",\"2026-12-01\"]}}", "i_" + name);
  }
}

TEST_F(WherePlan, KeysServeIdsAndPointers) {
  searches(R"({"objectId":"3"})", "PRIMARY KEY");
  searches(R"({"objectId":{"$in":["3","4"]}})", "PRIMARY KEY");
  searches(R"({"objectId":"x,1"})", "PRIMARY KEY", "Part");
  searches(R"({"objectId":{"$in":["x,1","x,2"]}})", "PRIMARY KEY", "Part");
  searches(R"({"team":"10"})", "i_team");
  searches(R"({"team":{"$in":["10","20"]}})", "i_team");
  searches(R"({"team":{"$inQuery":{"className":"Team","where":{"objectId":"10"}}}})", "i_team");
}

TEST_F(WherePlan, OneShapeIsOneText) {
  EXPECT_EQ(query(R"({"name":"ann","age":{"$gt":1}})").text,
            query(R"({"name":"bob","age":{"$gt":2}})").text);
  EXPECT_EQ(query(R"({"age":{"$in":[1,2,3]}})").text, query(R"({"age":{"$in":[4,5,6,7]}})").text);
  EXPECT_EQ(query(R"({"meta.k":"v"})").text, query(R"({"meta.other":{"$gt":5}})").text);
  EXPECT_EQ(query(R"({"name":"'; DROP TABLE person; --"})").text, query(R"({"name":"x"})").text);
}

TEST_F(WherePlan, AConjunctionWithNeverIsNever) {
  const Predicate some{{"`n` = 1", {}}, {}};
  EXPECT_TRUE(Predicate(some).also(Predicate::never()).is_never());
  EXPECT_TRUE(Predicate::never().also(some).is_never());
  EXPECT_FALSE(Predicate(some).also(some).is_never());
}

TEST_F(WherePlan, AMatcherBesideAConditionOfNoRowIsStillAMatcher) {
  const Predicate matcher{{}, {"gantry_match(?, `n`)", {}}};
  const Predicate any = any_of({matcher, Predicate::never()});
  EXPECT_TRUE(any.plain.empty()) << any.plain.text;
  EXPECT_FALSE(any.matched.empty());
}

// A class's boundary stands before everything, and again before what only a matcher decides.
TEST_F(WherePlan, NoMatcherMeetsARowBeyondTheBoundary) {
  ClassView cls = *people_.scope().open("Person");
  cls.boundary = {"`n` < ?", {std::int64_t{3}}};
  const Clauses clauses{
      compile(people_.scope(), "Person", R"({"name":{"$gt":"a"},"tags":"a"})"), {}, 0, {}};
  const Fragment sql = select_rows(cls, "n", clauses);
  EXPECT_EQ(
      sql.text.substr(0, sql.text.find("gantry_match(?, `tags`)")),
      "SELECT n FROM `person` WHERE (`n` < ?) AND ((`name` > ? AND typeof(`name`)='text') AND "
      "gantry_match(?, `name`)) AND CASE WHEN (`n` < ?) THEN ");
  EXPECT_EQ(joined(people_.db().rows(sql.text, sql.binds)), "1");
  const Fragment counted = count_rows(cls, {});
  EXPECT_EQ(joined(people_.db().rows(counted.text, counted.binds)), "2");
  const Fragment some = count_rows(cls, {{}, {}, 1, 5});
  EXPECT_EQ(joined(people_.db().rows(some.text, some.binds)), "1");
}

}  // namespace
}  // namespace gantry::data::testing::plan_test
