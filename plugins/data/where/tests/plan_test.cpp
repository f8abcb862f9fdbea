#include <gtest/gtest.h>

#include "people.hpp"

namespace gantry::data::testing::plan_test {
namespace {

class WherePlan : public ::testing::Test {
 protected:
  Fragment query(std::string_view where, std::string_view cls = "Person") {
    const auto predicate = compile(people_.scope(), cls, where);
    EXPECT_TRUE(predicate.is_ok()) << where;
    Fragment sql{"SELECT n FROM " + people_.scope().find_class(cls)->table + " WHERE ", {}};
    return sql.add(*predicate);
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

TEST_F(WherePlan, TheQualifierStandsBeforeEveryColumnOfTheClassItself) {
  const ClassInfo& cls = *people_.scope().find_class("Person");
  const auto sql =
      compile(people_.scope(), "Person", R"({"name":"ann","objectId":"1","tags":"a"})", {"t."});
  ASSERT_TRUE(sql.is_ok());
  Fragment query{"SELECT t.n FROM person AS t, person AS u WHERE u.n = 1 AND ", {}};
  query.add(*sql);
  EXPECT_EQ(joined(people_.db().rows(query.text, query.binds)), "1");
  EXPECT_EQ(compile_order("-name,meta.n", cls, people_.scope(), {"t."})->text,
            "t.`name` DESC, gantry_key(?, t.`meta`), t.`n`");
}

}  // namespace
}  // namespace gantry::data::testing::plan_test
