// Rules and writes: rows of others, hidden fields, pointers to hidden objects.
#include "ops/change/tests/written_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kRuledShop = R"(
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, tenant TEXT, salary INTEGER);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, number TEXT UNIQUE, total REAL, secret TEXT,
    customer_id INTEGER REFERENCES customers(id), tenant TEXT, acl TEXT, wacl TEXT, status TEXT);
  CREATE TABLE payroll(id INTEGER PRIMARY KEY, amount INTEGER);
  CREATE TABLE boxes(id INTEGER PRIMARY KEY, payroll_id INTEGER REFERENCES payroll(id), owner TEXT);
  CREATE TABLE docs(doc TEXT);
  INSERT INTO customers VALUES (1,'Ann','acme',10),(2,'Bob','umbra',20);
  INSERT INTO orders VALUES
    (1,'A1',10,'s1',1,'acme','["u1"]','["u1"]','paid'),
    (2,'A2',20,'s2',1,'acme','["*"]','["u2"]','paid'),
    (3,'B1',30,'s3',2,'umbra','["*"]','["*"]','paid'),
    (4,'A4',40,'s4',1,'acme','["u2"]','["*"]','paid');
  INSERT INTO payroll VALUES (1,100);
  INSERT INTO boxes VALUES (1,1,'u1'),(2,1,'u2');
  INSERT INTO docs VALUES ('{"_id":"d1","tenant":"acme","a":1,"hush":5}'),
    ('{"_id":"d2","tenant":"umbra","a":2}');
)";
const char* const kOrder =
    R"({"class":"Order","table":"orders","agent_fields":["number","total","customer_id","status"],
        "tenant_scope":{"field":"tenant","bypass":"admin"},"acl":{"read":"acl","write":"wacl"}})";
const char* const kCustomer =
    R"({"class":"Customer","table":"customers","tenant_scope":{"field":"tenant"}})";
const char* const kPayroll = R"({"class":"Payroll","table":"payroll","hidden":true})";
const char* const kBoxes = R"({"class":"boxes","table":"boxes","class_permissions":
  {"find":["*"],"get":["*"],"update":["field:owner"],"create":["role:boss"]}})";
const char* const kRuledDocs =
    R"({"class":"docs","table":"docs","document":"doc","agent_fields":["a"],
        "tenant_scope":{"field":"tenant"}})";

class BoundaryTest : public WrittenDatabase {
 protected:
  void SetUp() override {
    WrittenDatabase::SetUp();
    make_ruled(kRuledShop, {kOrder, kCustomer, kPayroll, kBoxes, kRuledDocs});
    act_as(kSeller);
  }
  std::string update(const std::string& cls, const std::string& id, const std::string& data) {
    return ask("update", R"({"class_name":")" + cls + R"(","object_id":")" + id + R"(","data":)" +
                             data + "}");
  }
  std::string create(const std::string& cls, const std::string& data) {
    return ask("create", R"({"class_name":")" + cls + R"(","data":)" + data + "}");
  }
  static std::string without(std::string text, const std::string& id) {
    for (auto at = text.find(id); at != text.npos; at = text.find(id))
      text.replace(at, id.size(), "X");
    return text;
  }

  static constexpr const char* kSeller = R"("user":"u1","roles":["seller"],"tenant_id":"acme")";
};

TEST_F(BoundaryTest, Row57AHiddenObjectAndAnAbsentOneHaveTheAnswerOfARead) {
  const auto absent = without(ask("get", R"({"class_name":"Order","object_id":"99"})"), "99");
  for (const char* id : {"3", "4", "99", "x"}) {
    EXPECT_EQ(
        without(update("Order", id, R"({"total":1})"), "'" + std::string(id) + "'"),
        without(ask("get", R"({"class_name":"Order","object_id":")" + std::string(id) + "\"}"),
                "'" + std::string(id) + "'"));
    EXPECT_THAT(ask("delete", R"({"class_name":"Order","object_id":")" + std::string(id) +
                                  R"(","dry_run":true})"),
                StartsWith("ERROR access_denied: Object"));
  }
  EXPECT_EQ(without(update("docs", "d2", R"({"a":1})"), "d2"),
            without(update("docs", "d9", R"({"a":1})"), "d9"));
}

TEST_F(BoundaryTest, Row57ImagesHaveNoHiddenField) {
  const auto shown = ask("update", R"({"class_name":"Order","object_id":"1","data":{"total":11},
    "dry_run":true})");
  EXPECT_THAT(shown, HasSubstr(R"("after":[{"objectId":1,"number":"A1","total":11.0)"));
  for (const char* hidden : {"s1", "secret", "acme", "u1", "wacl"}) {
    EXPECT_THAT(shown, Not(HasSubstr(hidden)));
  }
}

TEST_F(BoundaryTest, TheAccessListOfWritersDecidesAboutVisibleObjects) {
  EXPECT_THAT(update("Order", "1", R"({"total":11})"), HasSubstr(R"("total":11.0)"));
  EXPECT_THAT(update("Order", "2", R"({"total":11})"),
              StartsWith("ERROR access_denied: This agent"));
  EXPECT_EQ(details_, R"({"kind":"row_not_writable","class_name":"Order"})");
  EXPECT_EQ(sql("SELECT total FROM orders WHERE id=2"), "20.0");
}

TEST_F(BoundaryTest, Row59TenantAccessListsAndHiddenFieldsAreNotWritten) {
  for (const char* field : {"secret", "no_such", "tenant", "acl", "wacl"}) {
    const std::string name = field;
    EXPECT_EQ(update("Order", "1", "{\"" + name + "\":\"x\"}"),
              ask("query", R"({"class_name":"Order","keys":[")" + name + "\"]}"));
    EXPECT_EQ(create("Order", "{\"" + name + "\":\"x\"}"),
              ask("query", R"({"class_name":"Order","keys":[")" + name + "\"]}"));
  }
  EXPECT_THAT(update("Customer", "1", R"({"tenant":"umbra"})"), HasSubstr("cannot be written"));
  EXPECT_THAT(update("docs", "d1", R"({"hush":1})"), StartsWith("ERROR access_denied: Field"));
}

TEST_F(BoundaryTest, ANewObjectBelongsToTheTenantAndItsMaker) {
  EXPECT_THAT(create("Order", R"({"number":"N"})"), HasSubstr(R"("number":"N")"));
  EXPECT_EQ(sql("SELECT tenant||acl||wacl FROM orders WHERE number='N'"), R"(acme["u1"]["u1"])");
  EXPECT_THAT(create("docs", R"({"_id":"n","a":3})"), HasSubstr(R"("a":3)"));
  EXPECT_EQ(sql("SELECT doc->>'tenant' FROM docs WHERE doc->>'_id'='n'"), "acme");
}

TEST_F(BoundaryTest, ADocumentKeepsTheMembersHiddenFromTheAgent) {
  EXPECT_THAT(update("docs", "d1", R"({"a":9})"), Not(HasSubstr("hush")));
  EXPECT_EQ(sql("SELECT doc FROM docs"), R"({"_id":"d1","tenant":"acme","a":9,"hush":5})");
}

TEST_F(BoundaryTest, Row59AnObjectIsNotMovedOutOfTheAgentsFilter) {
  act_as(std::string(kSeller) + R"(,"filters":[{"Order":{"status":"paid"}}])");
  EXPECT_THAT(update("Order", "1", R"({"status":"draft"})"), HasSubstr("would not be one"));
  EXPECT_EQ(details_, R"({"kind":"row_boundary","class_name":"Order"})");
  EXPECT_THAT(create("Order", R"({"status":"draft"})"), HasSubstr("would not be one"));
  EXPECT_THAT(create("Order", R"({"status":"paid"})"), HasSubstr(R"("rows":1)"));
  EXPECT_EQ(sql("SELECT count(*) FROM orders WHERE status='draft'"), "0");
}

TEST_F(BoundaryTest, Row56APointerToAHiddenObjectIsRefusedAsOneToNothing) {
  const auto hidden = update("Order", "1", R"({"customer_id":2})");
  const std::string hidden_details = details_;
  const auto absent = update("Order", "1", R"({"customer_id":77})");
  EXPECT_EQ(hidden, absent);
  EXPECT_EQ(hidden_details, details_);
  EXPECT_THAT(absent, HasSubstr("does not exist"));
  act_as(R"("permissions":"admin")");
  const auto box = update("boxes", "1", R"({"payroll_id":1})");
  EXPECT_EQ(box, update("boxes", "1", R"({"payroll_id":2})"));
  EXPECT_THAT(box, HasSubstr("does not exist"));
}

TEST_F(BoundaryTest, Row29AListOperationDoesNotTellWhichHiddenObjectAListHas) {
  const auto pointer = [](const std::string& cls, const std::string& id) {
    return R"({"__type":"Pointer","className":")" + cls + R"(","objectId":")" + id + "\"}";
  };
  const std::string fill = "UPDATE docs SET doc=json_set(doc,'$.a',json('[" +
                           pointer("Payroll", "1") + "," + pointer("boxes", "1") +
                           "]')) WHERE doc->>'_id'='d1'";
  run_sql(fill.c_str());
  for (const char* op : {"AddUnique", "Remove", "Add"}) {
    const auto changed = [&](const std::string& object) {
      return ask("update", R"({"class_name":"docs","object_id":"d1","dry_run":true,"data":{"a":)"
                           R"({"__op":")" +
                               std::string(op) + R"(","objects":[)" + object + "]}}}");
    };
    const auto guessed = changed(pointer("Payroll", "1"));
    EXPECT_EQ(guessed, changed(pointer("Payroll", "2"))) << op;
    EXPECT_THAT(guessed, HasSubstr("does not see")) << op;
    EXPECT_EQ(guessed, changed("{\"x\":[" + pointer("Payroll", "1") + "]}")) << op;
    EXPECT_THAT(changed(pointer("boxes", "1")), HasSubstr(R"("rows":1)")) << op;
  }
}

TEST_F(BoundaryTest, ClassPermissionsDecideAboutEachOperation) {
  EXPECT_THAT(update("boxes", "1", R"({"payroll_id":null})"), HasSubstr(R"("rows":1)"));
  EXPECT_THAT(update("boxes", "2", R"({"payroll_id":null})"), StartsWith("ERROR access_denied"));
  EXPECT_THAT(update("boxes", "1", R"({"owner":"u2"})"), HasSubstr("would not be one"));
  EXPECT_THAT(create("boxes", R"({"owner":"u1"})"), StartsWith("ERROR access_denied"));
  EXPECT_THAT(ask("delete", R"({"class_name":"boxes","object_id":"1"})"),
              StartsWith("ERROR access_denied: The permissions of class 'boxes'"));
  EXPECT_THAT(update("Payroll", "1", R"({"amount":1})"),
              StartsWith("ERROR access_denied: Class 'Payroll' is not accessible"));
}

TEST_F(BoundaryTest, Row11ANewClassIsRefusedAlikeForHiddenAndReservedNames) {
  const std::string fields = R"(","fields":{"a":"String"}})";
  const auto hidden = ask("create_class", R"({"class_name":"Payroll)" + fields);
  EXPECT_EQ(without(hidden, "Payroll"),
            without(ask("create_class", R"({"class_name":"_Session)" + fields), "_Session"));
  EXPECT_EQ(without(hidden, "Payroll"),
            without(ask("create_class", R"({"class_name":"payroll)" + fields), "payroll"));
}

TEST_F(BoundaryTest, Row11ANewClassOutsideTheAgentsListIsRefusedWhetherItExistsOrNot) {
  const auto made = [&](const std::string& name) {
    return without(
        ask("create_class", R"({"class_name":")" + name + R"(","fields":{"a":"String"}})"), name);
  };
  act_as(R"("classes":{"except":["boxes","crates"]})");
  const auto taken = made("boxes");
  EXPECT_THAT(taken, HasSubstr("is taken or reserved"));
  for (const char* name : {"crates", "Crates", "BOXES"}) EXPECT_EQ(made(name), taken) << name;
  act_as(R"("classes":{"only":["Order","mine"]})");
  for (const char* name : {"boxes", "crates", "Mine"}) EXPECT_EQ(made(name), taken) << name;
  EXPECT_THAT(made("mine"), HasSubstr(R"("fields":["objectId")"));
}

TEST_F(BoundaryTest, AVersionTellsNothingOfHiddenFields) {
  const auto version = [&] {
    return text_in(ask("get", R"({"class_name":"Order","object_id":"1","version":true})"),
                   "version");
  };
  const auto before = version();
  run_sql("UPDATE orders SET secret='other', wacl='[\"u1\",\"u9\"]' WHERE id=1");
  EXPECT_EQ(version(), before);
  run_sql("UPDATE orders SET status='open' WHERE id=1");
  EXPECT_NE(version(), before);
}

}  // namespace
}  // namespace gantry::data
