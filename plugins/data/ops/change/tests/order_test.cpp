// The order of checks: a write that is wrong in every way is refused for the first reason, and for
// the next one when that is gone. A later check that came first would tell of hidden things.
#include "ops/change/tests/written_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kShelves = R"(
  CREATE TABLE people(id INTEGER PRIMARY KEY, tenant TEXT);
  CREATE TABLE jobs(id INTEGER PRIMARY KEY, number TEXT UNIQUE, person_id INTEGER REFERENCES people(id),
    secret TEXT, status TEXT, acl TEXT, wacl TEXT);
  CREATE TABLE boxes(id INTEGER PRIMARY KEY, label TEXT, owner TEXT);
  CREATE TABLE payroll(id INTEGER PRIMARY KEY, amount INTEGER);
  INSERT INTO people VALUES (1,'acme'),(2,'umbra');
  INSERT INTO jobs VALUES (1,'A1',1,'s','paid','["u1"]','["u1"]'),
    (2,'A2',1,'s','paid','["*"]','["u2"]'),(3,'A3',1,'s','paid','["u2"]','["u1"]');
  INSERT INTO boxes VALUES (1,'x','u1');
  INSERT INTO payroll VALUES (1,100);
)";
const char* const kJobs =
    R"({"class":"jobs","table":"jobs","protected_fields":{"*":["secret"]},
        "acl":{"read":"acl","write":"wacl"}})";
const char* const kPeople =
    R"({"class":"people","table":"people","tenant_scope":{"field":"tenant"}})";
const char* const kHidden = R"({"class":"payroll","table":"payroll","hidden":true})";
const char* const kOwned = R"({"class":"boxes","table":"boxes","class_permissions":
  {"find":["*"],"get":["*"],"update":["role:boss"]}})";

class OrderOfChecksTest : public WrittenDatabase {
 protected:
  void SetUp() override {
    WrittenDatabase::SetUp();
    make_ruled(kShelves, {kJobs, kPeople, kHidden, kOwned});
    act_as(R"("user":"u1","tenant_id":"acme","filters":[{"jobs":{"status":"paid"}}])");
  }
  void serve(EditRights rights, WriteTier tier) {
    rights_ = rights;
    tier_ = tier;
    open({});
  }
  // The refusal of an update, with its details.
  std::string refused(const std::string& cls, const std::string& id, const std::string& data) {
    details_.clear();
    return ask("update", R"({"class_name":")" + cls + R"(","object_id":")" + id + R"(","data":)" +
                             data + "}") +
           " " + details_;
  }
  // The data is wrong in all later ways.
  static constexpr const char* kDeniedField =
      R"({"secret":1,"person_id":2,"number":"A2","status":"draft"})";
};

TEST_F(OrderOfChecksTest, TheGateComesBeforeTierAndClass) {
  serve({}, WriteTier::readonly);
  EXPECT_THAT(refused("payroll", "9", kDeniedField), HasSubstr(R"({"kind":"gate")"));
  serve({true, false}, WriteTier::readonly);
  EXPECT_THAT(refused("payroll", "9", kDeniedField), HasSubstr(R"({"kind":"tier")"));
  serve({true, false}, WriteTier::write);
  EXPECT_THAT(refused("payroll", "9", kDeniedField),
              StartsWith("ERROR access_denied: Class 'payroll' is not accessible"));
}

TEST_F(OrderOfChecksTest, ThePermissionOfTheClassComesBeforeTheObject) {
  const auto there = refused("boxes", "1", R"({"absent":1})");
  EXPECT_EQ(there, refused("boxes", "9", R"({"label":"y"})"));
  EXPECT_THAT(there, StartsWith("ERROR access_denied: The permissions of class 'boxes'"));
}

TEST_F(OrderOfChecksTest, TheObjectComesBeforeWritersAndFields) {
  EXPECT_THAT(refused("jobs", "3", kDeniedField),
              StartsWith("ERROR not_found: No object with id '3'"));
  EXPECT_THAT(refused("jobs", "2", kDeniedField), HasSubstr(R"({"kind":"row_not_writable")"));
  EXPECT_THAT(refused("jobs", "1", kDeniedField),
              StartsWith("ERROR access_denied: Field 'secret'"));
}

TEST_F(OrderOfChecksTest, TheTargetComesBeforeDatabaseRulesAndNewRow) {
  EXPECT_THAT(
      refused("jobs", "1", R"({"person_id":2,"number":"A2","status":"draft"})"),
      HasSubstr(R"("kind":"missing_reference","class_name":"jobs","fields":["person_id"])"));
  EXPECT_THAT(refused("jobs", "1", R"({"person_id":1,"number":"A2","status":"draft"})"),
              HasSubstr(R"({"kind":"duplicate_value")"));
  EXPECT_THAT(refused("jobs", "1", R"({"person_id":1,"number":"A9","status":"draft"})"),
              HasSubstr(R"({"kind":"row_boundary")"));
  EXPECT_THAT(refused("jobs", "1", R"({"person_id":1,"number":"A9"})"), HasSubstr(R"("rows":1)"));
  EXPECT_EQ(sql("SELECT group_concat(number) FROM (SELECT number FROM jobs ORDER BY id)"),
            "A9,A2,A3");
}

}  // namespace
}  // namespace gantry::data
