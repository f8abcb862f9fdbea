// What rules leave of answers, beside rules_test.cpp: plans, and JSON in texts.
#include <gmock/gmock.h>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kStore = R"(
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, tenant TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT, tenant TEXT);
  CREATE TABLE payroll(id INTEGER PRIMARY KEY, amount INTEGER);
  CREATE TABLE boxes(id INTEGER PRIMARY KEY, payroll_id INTEGER REFERENCES payroll(id), label TEXT);
  INSERT INTO customers VALUES (1,'Ann','acme'),(2,'Bob','umbra'),(3,'Cy','acme');
  INSERT INTO orders VALUES (1,'A1','acme'),(2,'B1','umbra');
  INSERT INTO payroll VALUES (1,100),(2,200);
  INSERT INTO boxes VALUES (1,1,'x'),(2,2,'y'),(3,NULL,'z');
)";

class LeaksTest : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(kStore, {R"({"class":"Order","table":"orders","tenant_scope":{"field":"tenant"}})",
                        R"({"class":"customers","tenant_scope":{"field":"tenant"}})",
                        R"({"class":"Payroll","table":"payroll","hidden":true})"});
    act_as(R"("user":"u1","roles":["seller"],"tenant_id":"acme")");
  }
};

TEST_F(LeaksTest, Row38PlansAreShownWhereNoClassOfTheQueryHasRules) {
  run_sql("CREATE VIEW hidden_sums AS SELECT sum(amount) AS total FROM payroll");
  std::ofstream(model_ / "view.json") << R"({"class":"hidden_sums","visible":true})";
  std::ofstream(model_ / "boxes.json") << R"({"class":"boxes","visible":true})";
  for (const char* ruled : {"0.json", "1.json"}) std::filesystem::remove(model_ / ruled);
  ReadSettings settings;
  settings.expose_explain = true;
  open(settings);
  const auto plan = [&](const std::string& args) { return ask("explain", "{" + args + "}"); };
  EXPECT_THAT(plan(R"("class_name":"boxes","where":{"label":"x"})"), HasSubstr(R"("sql":)"));
  EXPECT_THAT(plan(R"("class_name":"boxes","where":{"label":"x"})"),
              HasSubstr(R"("estimated_rows":)"));
  EXPECT_THAT(plan(R"("class_name":"hidden_sums")"), Not(HasSubstr("payroll")));
}

TEST_F(LeaksTest, Row38ASubQueryOverARuledClassHidesThePlanToo) {
  ReadSettings settings;
  settings.expose_explain = true;
  configure(settings);
  EXPECT_THAT(ask("explain", R"({"class_name":"boxes"})"), HasSubstr(R"("plan":)"));
  const auto joined = ask("explain", R"({"class_name":"boxes","where":{"label":{"$select":{
      "query":{"className":"Order"},"key":"number"}}}})");
  EXPECT_THAT(joined, HasSubstr("full_scan"));
  EXPECT_THAT(joined, Not(HasSubstr("tenant")));
  EXPECT_THAT(joined, Not(HasSubstr(R"("sql":)")));
}

TEST_F(LeaksTest, Row29JsonInTextsLosesItsHiddenPointersAndInternalNames) {
  run_sql(R"(UPDATE customers SET name=
    '{"p":{"__type":"Pointer","className":"Payroll","objectId":"id77"},"password":"pw77","n":1}'
    WHERE id=1)");
  const char* const kAll = R"({"class_name":"customers"})";
  for (const char* op : {"query", "samples"}) {
    const auto answer = ask(op, kAll);
    EXPECT_THAT(answer, HasSubstr("__redacted")) << op;
    EXPECT_THAT(answer, Not(HasSubstr("77"))) << op;
  }
  for (const char* args :
       {R"({"class_name":"customers","format":"csv"})",
        R"({"class_name":"customers","pipeline":[{"$project":{"x":"$$ROOT"}}]})"}) {
    EXPECT_THAT(ask("export", args), Not(HasSubstr("77")));
  }
  EXPECT_THAT(ask("distinct", R"({"class_name":"customers","field":"name"})"),
              Not(HasSubstr("77")));
  const auto count = [&](const std::string& where) {
    return ask("count", R"({"class_name":"customers","where":)" + where + "}");
  };
  const char* const kStored =
      R"("{\"p\":{\"__type\":\"Pointer\",\"className\":\"Payroll\",\"objectId\":\"id77\"},\"password\":\"pw77\",\"n\":1}")";
  const std::string kNone = R"({"count":0})";
  EXPECT_EQ(count(R"({"name":{"$regex":"id77"}})"), kNone);
  EXPECT_EQ(count(R"({"name":{"$regex":"__redacted"}})"), R"({"count":1})");
  EXPECT_EQ(count(std::string(R"({"name":)") + kStored + "}"), kNone);
  EXPECT_EQ(count(std::string(R"({"name":{"$in":["x",)") + kStored + "]}}"), kNone);
  EXPECT_EQ(count(R"({"name":{"$gte":"{"}})"), kNone);
  EXPECT_EQ(count(R"({"name":{"$lt":"{\"z"}})"), R"({"count":1})") << "another customer";
  EXPECT_EQ(count(R"({"$expr":{"$regexMatch":{"input":"$name","regex":"pw77"}}})"), kNone);
}

}  // namespace
}  // namespace gantry::data
