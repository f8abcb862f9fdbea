// What rules leave of answers, beside rules_test.cpp: plans, and JSON in texts.
#include <gmock/gmock.h>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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

TEST_F(LeaksTest, Row17KeysThatPointToAHiddenClassAreNoIds) {
  run_sql(R"(
    CREATE TABLE slips(payroll_id INTEGER PRIMARY KEY REFERENCES payroll(id), n INTEGER);
    CREATE TABLE shares(payroll_id INTEGER REFERENCES payroll(id), part INTEGER,
                        PRIMARY KEY(payroll_id, part));
    CREATE TABLE notes(id INTEGER PRIMARY KEY, slip_id INTEGER REFERENCES slips(payroll_id));
    INSERT INTO payroll VALUES (770, 5);
    INSERT INTO slips VALUES (770, 1);
    INSERT INTO shares VALUES (770, 2);
    INSERT INTO notes VALUES (3, 770);)");
  for (const char* args :
       {R"({"class_name":"slips"})", R"({"class_name":"shares"})", R"({"class_name":"notes"})"}) {
    for (const char* op : {"query", "samples"}) {
      const auto answer = ask(op, args);
      EXPECT_THAT(answer, HasSubstr("__redacted")) << op << args;
      EXPECT_THAT(answer, Not(HasSubstr("770"))) << op << args;
      configure(ReadSettings(), JsonDialect::parse);
      EXPECT_THAT(ask(op, args), Not(HasSubstr("770"))) << op << args;
      configure(ReadSettings(), JsonDialect::plain);
    }
  }
  for (const char* cls : {"slips", "shares"}) {
    const std::string name = R"({"class_name":")" + std::string(cls) + "\"";
    EXPECT_THAT(ask("schema", name + "}"), Not(HasSubstr("objectId"))) << cls;
    EXPECT_THAT(ask("aggregate", name + R"(,"pipeline":[]})"), Not(HasSubstr("770"))) << cls;
    EXPECT_THAT(ask("query", name + R"(,"where":{"objectId":"770"}})"), StartsWith("ERROR")) << cls;
    // One answer for an id that is there and one that is not.
    const auto answer = ask("get", name + R"(,"object_id":"770"})");
    EXPECT_THAT(answer, HasSubstr("has no ids")) << cls;
    EXPECT_EQ(ask("get", name + R"(,"object_id":"771"})"), answer);
  }
  EXPECT_THAT(ask("query", R"({"class_name":"notes","where":{"slip_id":770}})"),
              StartsWith("ERROR"));
  EXPECT_THAT(ask("query", R"({"class_name":"notes","include":["slip_id"]})"),
              Not(HasSubstr("770")));
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

TEST_F(LeaksTest, Row29TextsAreSortedByTheirShownPart) {
  run_sql(R"(UPDATE customers SET name='{"password":"z","n":1}' WHERE id=1;
             UPDATE customers SET name='{"password":"a","n":1}' WHERE id=3;
             INSERT INTO customers VALUES (4,'}','acme'),(5,'Zoe','acme'))");
  const char* const kSorted = R"([{"id":5},{"id":1},{"id":3},{"id":4}])";
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(ask("query", R"({"class_name":"customers","keys":["id"],"order":"name"})"),
                StartsWith(kSorted));
    EXPECT_THAT(ask("aggregate", R"({"class_name":"customers","pipeline":[
        {"$sort":{"name":1,"id":1}},{"$project":{"id":1}}]})"),
                StartsWith(kSorted));
  }
  EXPECT_THAT(ask("query", R"({"class_name":"customers","keys":["id"],"where":{"id":{"$select":{
      "query":{"className":"customers","order":"name","limit":2},"key":"id"}}}})"),
              StartsWith(R"([{"id":1},{"id":5}])"));
  run_sql("DELETE FROM customers WHERE id IN (1, 3)");
  EXPECT_THAT(ask("query", R"({"class_name":"customers","keys":["id"],"order":"-name"})"),
              StartsWith(R"([{"id":4},{"id":5}])"));
}

// An index over a hidden column may decide which of two rows fails first.
TEST_F(LeaksTest, AFailureUnderRulesDoesNotTellWhichRowCameFirst) {
  run_sql("INSERT INTO customers VALUES (7, x'00ffff', 'acme')");
  const std::string args =
      R"({"class_name":"customers","where":{"$expr":{"$toInt":"$name"},"id":{"$gte":)";
  const std::string of_text = ask("count", args + "1}}}"), of_bytes = ask("count", args + "7}}}");
  EXPECT_THAT(of_text, HasSubstr("fails on the values of an object"));
  EXPECT_EQ(of_text, of_bytes);
  EXPECT_THAT(ask("count", R"({"class_name":"boxes","where":{"$expr":{"$toInt":"$label"}}})"),
              HasSubstr("of type string"));
}

TEST_F(LeaksTest, AnAgentOutsideOfAllGroupsReadsNothing) {
  TearDown();
  make_ruled(
      "CREATE TABLE tasks(id INTEGER PRIMARY KEY, owner TEXT); INSERT INTO tasks VALUES (1,'u1');",
      {R"({"class":"tasks","class_permissions":{"find":["role:boss"],"count":["field:owner"]}})"});
  const std::string refused = "ERROR access_denied";
  act_as(R"("user":"u1","roles":["seller"])");
  EXPECT_EQ(ask("query", R"({"class_name":"tasks"})").substr(0, refused.size()), refused);
  EXPECT_EQ(ask("count", R"({"class_name":"tasks"})"), R"({"count":1})");
  act_as(R"("roles":["seller"])");
  EXPECT_EQ(ask("count", R"({"class_name":"tasks"})").substr(0, refused.size()), refused)
      << "it owns nothing without a user";
}

TEST_F(LeaksTest, AUserIsNeverAGroupOfAnAcl) {
  TearDown();
  make_ruled(R"(CREATE TABLE letters(id INTEGER PRIMARY KEY, acl TEXT);
                INSERT INTO letters VALUES (1,'["role:boss"]'),(2,'["u1"]'),(3,NULL);)",
             {R"({"class":"letters","acl":{"read":"acl","write":"acl"}})"});
  const char* const kCount = R"({"class_name":"letters"})";
  act_as(R"("user":"role:boss")");
  EXPECT_EQ(ask("count", kCount), R"({"count":0})");
  act_as(R"("user":"u1")");
  EXPECT_EQ(ask("count", kCount), R"({"count":1})");
}

class DocumentLeaksTest : public RuledDatabase {
 protected:
  void make_docs(const std::string& rules) {
    make_ruled(R"(CREATE TABLE payroll(id INTEGER PRIMARY KEY);
      CREATE TABLE docs(doc TEXT);
      INSERT INTO docs VALUES
        ('{"_id":"d1","n":1,"owner":"u1","acl":["u1"],"sessionToken":"t77",
           "p":{"__type":"Pointer","className":"payroll","objectId":"id77"}}'),
        ('{"_id":"d2","n":9,"owner":"u2","acl":["u2"]}'),
        ('{"_id":"d3","n":9}');)",
               {R"({"class":"docs","document":"doc")" + rules + "}",
                R"({"class":"payroll","hidden":true})"});
  }
  std::string count() { return ask("count", R"({"class_name":"docs"})"); }
};

TEST_F(DocumentLeaksTest, OwnersAclsAndFiltersHideDocuments) {
  make_docs(R"(,"class_permissions":{"count":["field:owner"]})");
  act_as(R"("user":"u1")");
  EXPECT_EQ(count(), R"({"count":1})") << "the owner's";
  TearDown();
  make_docs(R"(,"acl":{"read":"acl","write":"acl"})");
  act_as(R"("user":"u1")");
  EXPECT_EQ(count(), R"({"count":1})") << "the ACL's";
  act_as(R"("filters":[{"docs":{"n":{"$lt":5}}}])");
  EXPECT_EQ(count(), R"({"count":1})") << "the filter's";
  act_as(R"("filters":[{"default":{"n":{"$lt":5}}}])");
  EXPECT_EQ(count(), R"({"count":1})") << "the default filter's";
  act_as("");
  EXPECT_EQ(count(), R"({"count":3})");
}

TEST_F(DocumentLeaksTest, LoseInternalNamesAndHiddenPointers) {
  make_docs("");
  act_as("");
  for (const char* op : {"query", "samples"}) {
    const auto rows = ask(op, R"({"class_name":"docs"})");
    EXPECT_THAT(rows, HasSubstr("__redacted")) << op;
    EXPECT_THAT(rows, Not(HasSubstr("77"))) << op;
  }
  EXPECT_EQ(ask("count", R"({"class_name":"docs","where":{"p.objectId":"id77"}})"),
            R"({"count":0})");
}

}  // namespace
}  // namespace gantry::data
