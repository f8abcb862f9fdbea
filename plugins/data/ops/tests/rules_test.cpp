// What rules leave of answers: named after the rows of the catalogue of leaks.
#include <gmock/gmock.h>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kShop = R"(
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, tenant TEXT, salary INTEGER);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT, total REAL, secret TEXT,
    customer_id INTEGER REFERENCES customers(id), tenant TEXT, acl TEXT, status TEXT);
  CREATE INDEX by_tenant ON orders(tenant);
  CREATE INDEX by_secret ON orders(secret);
  CREATE TABLE payroll(id INTEGER PRIMARY KEY, amount INTEGER, order_id INTEGER REFERENCES orders(id));
  CREATE TABLE boxes(id INTEGER PRIMARY KEY, payroll_id INTEGER REFERENCES payroll(id), label TEXT);
  CREATE TABLE docs(doc TEXT);
  INSERT INTO customers VALUES (1,'Ann','acme',10),(2,'Bob','umbra',20),(3,'Cy','acme',30);
  INSERT INTO orders VALUES
    (1,'A1',10,'s1',1,'acme','["u1","*"]','paid'),
    (2,'A2',20,'s2',3,'acme','["role:boss"]','draft'),
    (3,'A3',30,'s3',2,'acme','["*"]','paid'),
    (4,'B1',40,'s4',2,'umbra','["*"]','paid'),
    (5,'A4',50,'s5',1,'acme',NULL,'paid'),
    (6,'A5',60,'s6',1,'ACME','["*"]','paid');
  INSERT INTO payroll VALUES (1,100,1),(2,200,2);
  INSERT INTO boxes VALUES (1,1,'x'),(2,2,'y'),(3,NULL,'z');
  INSERT INTO docs VALUES
    ('{"_id":"d1","tenant":"acme","a":1,"hush":5}'),
    ('{"_id":"d2","tenant":"umbra","a":2,"hush":6,"only_there":1}'),
    ('no document'),
    ('{"_id":"d3","tenant":["acme"],"a":3}');
)";

const char* const kOrder =
    R"({"class":"Order","table":"orders","agent_fields":["number","total","customer_id","status"],
        "tenant_scope":{"field":"tenant","bypass":"admin"},"acl":{"read":"acl","write":"acl"}})";
const char* const kCustomer =
    R"({"class":"Customer","table":"customers","tenant_scope":{"field":"tenant","bypass":"admin"},
        "protected_fields":{"*":["salary"],"role:boss":[]}})";
const char* const kPayroll = R"({"class":"Payroll","table":"payroll","hidden":true})";
const char* const kDocs =
    R"({"class":"docs","table":"docs","document":"doc","agent_fields":["a"],
        "tenant_scope":{"field":"tenant"}})";

class RulesTest : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(kShop, {kOrder, kCustomer, kPayroll, kDocs});
    act_as(kSeller);
  }
  std::string numbers(const std::string& where = "{}") {
    return ask("query", R"({"class_name":"Order","keys":["number"],"where":)" + where + "}");
  }

  static constexpr const char* kSeller = R"("user":"u1","roles":["seller"],"tenant_id":"acme")";
};

TEST_F(RulesTest, AFilterOfAnAgentThatFitsNoClassIsToldToTheOperatorOnce) {
  std::vector<std::string> told;
  service_->warn_with([&](const std::string& sentence) { told.push_back(sentence); });
  configure({}, JsonDialect::plain);
  act_as(std::string(kSeller) +
         R"(,"filters":[{"Customer":{"nmae":{"$ne":"Ann"}},"docs":{"a":1}}])");
  EXPECT_EQ(ask("count", R"({"class_name":"Customer"})"), R"({"count":0})");
  ask("query", R"({"class_name":"Customer"})");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], StartsWith("a row filter does not fit class 'Customer', so agents with it "
                                  "see none of its rows: Class 'Customer' has no field 'nmae'."));
  act_as(std::string(kSeller) + R"(,"filters":[{"default":{"nmae":"Ann"}}])");
  ask("query", R"({"class_name":"Customer"})");
  EXPECT_EQ(told.size(), 1u) << "a default filter need not fit every class";
}

TEST_F(RulesTest, RowsOfOtherTenantsAndOfOthersAclsAreNotThere) {
  EXPECT_THAT(numbers(), StartsWith(R"([{"number":"A1"},{"number":"A3"}])"));
  EXPECT_EQ(ask("count", R"({"class_name":"Order"})"), R"({"count":2})");
  act_as(R"("user":"u9","roles":["boss"],"tenant_id":"acme")");
  EXPECT_EQ(ask("count", R"({"class_name":"Order"})"), R"({"count":3})");
  act_as(R"("tenant_id":"acme")");
  EXPECT_EQ(ask("count", R"({"class_name":"Order"})"), R"({"count":4})") << "a master has no ACL";
  act_as(R"("permissions":"admin")");
  EXPECT_EQ(ask("count", R"({"class_name":"Order"})"), R"({"count":6})") << "the bypass tier";
}

TEST_F(RulesTest, EachRowOfALookupIsJoinedToVisibleRowsAlone) {
  EXPECT_THAT(ask("aggregate", R"({"class_name":"boxes","pipeline":[
    {"$lookup":{"from":"Order","localField":"id","foreignField":"_id","as":"o"}}]})"),
              ::testing::MatchesRegex(R"re(\[.*"id":1,.*"o":\[\{[^]]*"number":"A1"[^]]*\]\},.*)re"
                                      R"re("id":2,.*"o":\[\]\},)re"
                                      R"re(.*"id":3,.*"o":\[\{[^]]*"number":"A3"[^]]*\]\}\].*)re"));
}

TEST_F(RulesTest, AnAgentWithoutATenantIsRefusedBeforeItsArgumentsAreRead) {
  act_as(R"("user":"u1")");
  const auto refused = ask("query", R"({"class_name":"Order","where":{"no_such":1}})");
  EXPECT_THAT(refused, StartsWith("ERROR access_denied: Class 'Order' is read within a tenant"));
  EXPECT_THAT(ask("aggregate", R"({"class_name":"boxes","pipeline":[
    {"$lookup":{"from":"Order","localField":"id","foreignField":"objectId","as":"o"}}]})"),
              StartsWith("ERROR access_denied"));
}

TEST_F(RulesTest, Row10AnAbsentClassAHiddenOneAndOneThatIsNotListedHaveOneAnswer) {
  const auto of = [&](const std::string& cls) {
    std::string answer = ask("query", R"({"class_name":")" + cls + R"("})");
    for (auto at = answer.find(cls); at != answer.npos; at = answer.find(cls)) {
      answer.replace(at, cls.size(), "X");
    }
    return answer;
  };
  act_as(std::string(kSeller) + R"(,"classes":{"except":["boxes"]})");
  EXPECT_EQ(of("Payroll"), of("Qqqqqqq"));
  EXPECT_EQ(of("boxes"), of("Qqqqqqq"));
  EXPECT_THAT(ask("schemas", "{}"), Not(HasSubstr("Payroll")));
}

TEST_F(RulesTest, Row12DeniedFieldsAreRefusedInEveryOperatorAndPlaceAsAbsentOnesAre) {
  for (const char* name : {"secret", "no_such", "tenant", "acl", "id"}) {
    const std::string field = name;
    const std::string denied = "ERROR access_denied: Field '" + field + "' of class 'Order'";
    for (const std::string& where :
         {"{\"" + field + "\":1}", R"({"$or":[{"$and":[{")" + field + R"(":{"$gt":1}}]}]})",
          "{\"" + field + ".sub\":1}", R"({"$expr":{"$eq":["$)" + field + R"(",1]}})",
          "{\"" + field + "\":{\"$exists\":true}}"}) {
      EXPECT_THAT(numbers(where), StartsWith(denied)) << where;
    }
    const std::string cls = R"({"class_name":"Order",)";
    EXPECT_THAT(ask("query", cls + R"("order":"-)" + field + "\"}"), StartsWith(denied));
    EXPECT_THAT(ask("query", cls + R"("keys":[")" + field + "\"]}"), StartsWith(denied));
    EXPECT_THAT(ask("group_by", cls + R"("field":")" + field + "\"}"), StartsWith(denied));
    EXPECT_THAT(ask("distinct", cls + R"("field":")" + field + "\"}"), StartsWith(denied));
    EXPECT_THAT(ask("export", cls + R"("columns":[")" + field + "\"]}"), StartsWith(denied));
    for (const std::string& stage :
         {R"({"$sort":{")" + field + R"(":1}})", R"({"$project":{"x":"$)" + field + R"("}})",
          R"({"$group":{"_id":null,"m":{"$max":"$)" + field + R"("}}})",
          R"({"$match":{")" + field + R"(":"s1"}})"}) {
      EXPECT_THAT(ask("aggregate", cls + R"("pipeline":[)" + stage + "]}"), StartsWith(denied))
          << stage;
    }
  }
}

TEST_F(RulesTest, Row15WholeDocumentsHoldPermittedFieldsOnly) {
  for (const char* stage :
       {R"({"$project":{"x":"$$ROOT"}})", R"({"$project":{"x":{"$objectToArray":"$$ROOT"}}})",
        R"({"$group":{"_id":"$$CURRENT"}})", R"({"$replaceRoot":{"newRoot":"$$ROOT"}})",
        R"({"$project":{"x":{"$getField":{"$concat":["sec","ret"]}}}})",
        R"({"$project":{"x":{"$mergeObjects":["$$ROOT",{"a":1}]}}})",
        R"({"$addFields":{"x":1}})"}) {
    const auto answer =
        ask("aggregate", R"({"class_name":"Order","pipeline":[)" + std::string(stage) + "]}");
    EXPECT_THAT(answer, Not(HasSubstr("s1"))) << stage;
    EXPECT_THAT(answer, Not(HasSubstr("acme"))) << stage;
  }
}

TEST_F(RulesTest, TheDeniedKeyIsShownAsObjectId) {
  const auto answer = ask("get", R"({"class_name":"Order","object_id":"1"})");
  EXPECT_THAT(answer, HasSubstr(R"("objectId":1)"));
  EXPECT_THAT(answer, Not(HasSubstr(R"("id":)")));
  EXPECT_THAT(ask("schema", R"({"class_name":"Order"})"), HasSubstr(R"("id_field":"objectId")"));
  EXPECT_THAT(ask("schema", R"({"class_name":"Payroll"})"), StartsWith("ERROR access_denied"));
}

TEST_F(RulesTest, ProtectedFieldsOfSeveralGroupsIntersect) {
  const char* const query = R"({"class_name":"Customer"})";
  EXPECT_THAT(ask("query", query), Not(HasSubstr("salary")));
  act_as(R"("user":"u1","roles":["seller","boss"],"tenant_id":"acme")");
  EXPECT_THAT(ask("query", query), HasSubstr("\"salary\":10"));
}

TEST_F(RulesTest, MissesByIdHaveOneAnswerInATenantsClass) {
  const auto of = [&](const std::string& id) {
    std::string answer = ask("get", R"({"class_name":"Order","object_id":")" + id + "\"}");
    return answer.replace(answer.find("'" + id), id.size() + 1, "'X");
  };
  EXPECT_THAT(of("99"), StartsWith("ERROR access_denied"));
  EXPECT_EQ(of("4"), of("99")) << "another tenant";
  EXPECT_EQ(of("2"), of("99")) << "an ACL";
  EXPECT_EQ(of("x"), of("99")) << "no id at all";
  EXPECT_THAT(ask("get_many", R"({"class_name":"Order","ids":["1","4","99"]})"),
              HasSubstr(R"("missing":["4","99"])"));
}

TEST_F(RulesTest, TheCallersOwnTenantIsComparedAtTheTopOnly) {
  const auto count = [&](const std::string& where) {
    return ask("count", R"({"class_name":"Customer","where":)" + where + "}");
  };
  EXPECT_EQ(count(R"({"tenant":"acme"})"), R"({"count":2})");
  EXPECT_EQ(count(R"({"$or":[{"tenant":"umbra"},{"name":"Ann"}]})"), R"({"count":1})");
  EXPECT_THAT(count(R"({"tenant":"umbra"})"), StartsWith("ERROR access_denied"));
  EXPECT_THAT(count(R"({"$and":[{"tenant":{"$in":["acme","umbra"]}}]})"),
              StartsWith("ERROR access_denied"));
  EXPECT_THAT(ask("aggregate", R"({"class_name":"Customer","pipeline":[
    {"$match":{"tenant":{"$eq":"umbra"}}}]})"),
              StartsWith("ERROR access_denied"));
}

TEST_F(RulesTest, Row17PointersToHiddenClassesAreNeitherShownNorCompared) {
  EXPECT_THAT(ask("query", R"({"class_name":"boxes"})"), HasSubstr("__redacted"));
  EXPECT_THAT(ask("query", R"({"class_name":"boxes","where":{"payroll_id":1}})"),
              StartsWith("ERROR"));
  EXPECT_THAT(ask("query", R"({"class_name":"boxes","order":"payroll_id"})"), StartsWith("ERROR"));
  EXPECT_EQ(ask("count", R"({"class_name":"boxes","where":{"payroll_id":null}})"),
            R"({"count":1})");
  EXPECT_THAT(ask("group_by", R"({"class_name":"boxes","field":"payroll_id"})"),
              HasSubstr(R"("group_count":2,)"));
  EXPECT_THAT(ask("schema", R"({"class_name":"boxes"})"), Not(HasSubstr("Payroll")));
}

TEST_F(RulesTest, Row23AnIncludedPointerToAHiddenRowStaysAPointer) {
  const auto answer =
      ask("query", R"({"class_name":"Order","include":["customer_id"],"keys":["customer_id"]})");
  EXPECT_THAT(answer, HasSubstr(R"("customer_id":2)"));
  EXPECT_THAT(answer, HasSubstr("Ann"));
  EXPECT_THAT(answer, Not(HasSubstr("Bob")));
  EXPECT_THAT(answer, Not(HasSubstr("salary")));
}

TEST_F(RulesTest, Rows24To27JoinsReadOtherClassesUnderTheirRules) {
  for (const char* stage :
       {R"({"$lookup":{"from":"Order","pipeline":[],"as":"o"}})",
        R"({"$lookup":{"from":"Order","localField":"id","foreignField":"customer_id","as":"o"}})",
        R"({"$unionWith":"Order"})",
        R"({"$facet":{"f":[{"$unionWith":{"coll":"Order","pipeline":[]}}]}})",
        R"({"$graphLookup":{"from":"Order","startWith":"$id","connectFromField":"customer_id",
            "connectToField":"customer_id","as":"o"}})"}) {
    const auto answer =
        ask("aggregate", R"({"class_name":"Customer","pipeline":[)" + std::string(stage) + "]}");
    EXPECT_THAT(answer, Not(HasSubstr("B1"))) << stage;
    EXPECT_THAT(answer, Not(HasSubstr("A2"))) << stage;
    EXPECT_THAT(answer, Not(HasSubstr("s1"))) << stage;
    EXPECT_THAT(answer, Not(HasSubstr("Bob"))) << stage;
    EXPECT_THAT(answer, HasSubstr("A1")) << stage;
  }
}

TEST_F(RulesTest, Row28SubQueriesReadUnderTheRulesOfTheirClass) {
  const auto count = [&](const std::string& where) {
    return ask("count", R"({"class_name":"Order","where":)" + where + "}");
  };
  EXPECT_EQ(count(R"({"customer_id":{"$inQuery":{"className":"Customer","where":{}}}})"),
            R"({"count":1})");
  EXPECT_EQ(count(R"({"customer_id.name":"Bob"})"), R"({"count":0})");
  EXPECT_THAT(count(R"({"number":{"$select":{"query":{"className":"Customer"},"key":"salary"}}})"),
              StartsWith("ERROR access_denied: Field 'salary'"));
  EXPECT_THAT(count(R"({"number":{"$select":{"query":{"className":"Payroll"},"key":"id"}}})"),
              StartsWith("ERROR access_denied: Class 'Payroll'"));
}

TEST_F(RulesTest, Row20AFailingConditionMeetsVisibleRowsOnly) {
  run_sql("UPDATE orders SET number='0' WHERE id IN (2,4)");
  const char* const pipeline = R"({"class_name":"Order","where":
    {"$expr":{"$gt":[{"$divide":[1,{"$toInt":{"$cond":[{"$eq":["$number","0"]},"0","1"]}}]},0]}}})";
  EXPECT_EQ(ask("count", pipeline), R"({"count":2})");
}

TEST_F(RulesTest, Rows2And21DocumentsOfOthersAndUnreadableRowsAreNotThere) {
  EXPECT_THAT(ask("query", R"({"class_name":"docs"})"),
              StartsWith(R"([{"objectId":"d1","_id":"d1","a":1}]{"result_count":1,)"));
  EXPECT_EQ(ask("count", R"({"class_name":"docs"})"), R"({"count":1})");
  EXPECT_THAT(ask("schema", R"({"class_name":"docs"})"), Not(HasSubstr("only_there")));
  EXPECT_THAT(ask("query", R"({"class_name":"docs","where":{"hush":{"$gt":1}}})"),
              StartsWith("ERROR access_denied: Field 'hush'"));
  EXPECT_THAT(ask("aggregate", R"({"class_name":"docs","pipeline":[{"$project":{"x":"$$ROOT"}}]})"),
              Not(HasSubstr("hush")));
}

TEST_F(RulesTest, Row4EstimatesCountTheVisibleRows) {
  EXPECT_THAT(ask("schema", R"({"class_name":"Order"})"), HasSubstr(R"("estimated_rows":2)"));
}

TEST_F(RulesTest, Row5IndexesOfDeniedFieldsAreNotNamed) {
  const auto schema = ask("schema", R"({"class_name":"Order"})");
  EXPECT_THAT(schema, Not(HasSubstr("by_secret")));
  EXPECT_THAT(schema, Not(HasSubstr("by_tenant")));
}

TEST_F(RulesTest, Row38PlansAndStatementsAreNotShownWhereRowsAreRuled) {
  ReadSettings settings;
  settings.expose_explain = true;
  configure(settings);
  const auto plan = ask("explain", R"({"class_name":"Order"})");
  EXPECT_THAT(plan, Not(HasSubstr("sql")));
  EXPECT_THAT(plan, Not(HasSubstr("estimated_rows")));
  EXPECT_THAT(plan, HasSubstr("full_scan"));
}

TEST_F(RulesTest, ATenantIsFoundByItsIndex) {
  ReadSettings settings;
  settings.refuse_collscan = true;
  configure(settings);
  EXPECT_THAT(ask("explain", R"({"class_name":"Order","order":"number"})"),
              HasSubstr(R"("full_scan":false)"));
  EXPECT_EQ(ask("count", R"({"class_name":"Order"})"), R"({"count":2})");
}

TEST_F(RulesTest, ATenantIsComparedByBytesInEveryColumn) {
  TearDown();
  make_ruled(R"(
    CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT COLLATE NOCASE);
    CREATE TABLE b(id INTEGER PRIMARY KEY, t NUMERIC);
    CREATE TABLE c(id INTEGER PRIMARY KEY, t TEXT COLLATE RTRIM);
    INSERT INTO a VALUES (1,'10'),(2,'Acme'),(3,'acme');
    INSERT INTO b VALUES (1,'10'),(2,10.0),(3,'1e1'),(4,'010'),(5,'acme'),(6,x'61636d65');
    INSERT INTO c VALUES (1,'acme'),(2,'acme ');
  )",
             {R"({"class":"a","table":"a","tenant_scope":{"field":"t"}})",
              R"({"class":"b","table":"b","tenant_scope":{"field":"t"}})",
              R"({"class":"c","table":"c","tenant_scope":{"field":"t"}})"});
  const auto count = [&](const std::string& cls) {
    return ask("count", R"({"class_name":")" + cls + R"("})");
  };
  act_as(R"("tenant_id":"acme")");
  EXPECT_EQ(count("a"), R"({"count":1})");
  EXPECT_EQ(count("b"), R"({"count":1})");
  EXPECT_EQ(count("c"), R"({"count":1})");
  act_as(R"("tenant_id":"1e1")");
  EXPECT_EQ(count("b"), R"({"count":0})");
}

TEST_F(RulesTest, Row41AnswersOfOneAgentAreNotGivenToAnother) {
  for (int i = 0; i < 3; ++i) (void)numbers();
  act_as(R"("user":"u1","roles":["seller"],"tenant_id":"umbra")");
  EXPECT_THAT(numbers(), StartsWith(R"([{"number":"B1"}])"));
}

TEST_F(RulesTest, FiltersOfTheAgentAreAndedAndMayUseFieldsThatItCannotSee) {
  act_as(std::string(kSeller) +
         R"(,"filters":[{"Order":{"secret":"s1"}},{"default":{"total":{"$lt":100}}}])");
  EXPECT_THAT(numbers(), StartsWith(R"([{"number":"A1"}])"));
  EXPECT_EQ(ask("count", R"({"class_name":"boxes"})"), R"({"count":0})")
      << "a missing field is below no number";
  act_as(std::string(kSeller) + R"(,"filters":[{"Order":{"no_such":1}}])");
  EXPECT_THAT(numbers(), StartsWith("[]")) << "a filter that does not fit hides all";
}

TEST_F(RulesTest, CapsBoundTheRowsOfAnAnswer) {
  act_as(std::string(kSeller) + R"(,"caps":{"rows":1})");
  EXPECT_THAT(numbers(), HasSubstr(R"("has_more":true)"));
  const auto of = [&](const char* op, const std::string& more) {
    return ask(op, R"({"class_name":"Order",)" + more + "}");
  };
  EXPECT_THAT(of("aggregate", R"("pipeline":[{"$limit":5}])"), HasSubstr(R"("result_count":1)"));
  EXPECT_THAT(of("distinct", R"("field":"number")"), HasSubstr(R"("truncated":true)"));
  EXPECT_THAT(of("group_by", R"("field":"number")"), HasSubstr(R"("group_count":1,)"));
  const std::string exported = of("export", R"("columns":["number"])");
  EXPECT_THAT(exported, HasSubstr(R"("row_count":1,)"));
  EXPECT_THAT(exported, HasSubstr("This agent gets no more in one export"));
  EXPECT_THAT(exported, Not(HasSubstr("Raise row_cap"))) << "which would not help";
  EXPECT_THAT(of("query", R"("format":"csv")"), HasSubstr(R"("row_count":1,)"));
  EXPECT_THAT(of("samples", R"("limit":5,"keys":["number"])"), StartsWith(R"([{"number":"A1"}])"));
  EXPECT_THAT(of("get_many", R"("ids":["1","3"])"), HasSubstr("2 distinct ids; at most 1 "));
}

TEST_F(RulesTest, AccessListsTheFieldsThatTheAgentSees) {
  EXPECT_THAT(ask("access", R"({"class_name":"Order"})"),
              HasSubstr(R"("fields":["objectId","number","total","customer_id","status"])"));
  EXPECT_EQ(ask("access", R"({"class_name":"Payroll"})"),
            ask("query", R"({"class_name":"Payroll"})"));
  EXPECT_THAT(ask("access", R"({"class_name":"docs"})"), HasSubstr(R"("fields":[])"));
  act_as(R"("user":"u1")");
  EXPECT_EQ(ask("access", R"({"class_name":"Order","tool":"query_class"})"),
            ask("query", R"({"class_name":"Order"})"))
      << "no tenant";
  EXPECT_THAT(ask("access", "{}"), StartsWith("ERROR invalid_argument"));
}

}  // namespace
}  // namespace gantry::data
