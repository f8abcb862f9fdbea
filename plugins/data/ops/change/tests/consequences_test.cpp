// Previews tell what foreign keys delete and change, as far as the agent sees it.
#include "ops/change/tests/recorded_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kTables = R"(
  CREATE TABLE orders(id INTEGER PRIMARY KEY, code TEXT UNIQUE, note TEXT, tenant TEXT);
  CREATE TABLE lines(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id)
    ON DELETE CASCADE, tenant TEXT);
  CREATE TABLE labels(id INTEGER PRIMARY KEY, line_id INTEGER REFERENCES lines(id)
    ON DELETE CASCADE);
  CREATE TABLE visits(id INTEGER PRIMARY KEY, code TEXT REFERENCES orders(code)
    ON DELETE SET NULL ON UPDATE CASCADE);
  CREATE TABLE secrets(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id)
    ON DELETE CASCADE);
  CREATE TABLE marks(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id)
    ON DELETE CASCADE);
  CREATE TABLE chain(id INTEGER PRIMARY KEY, before INTEGER REFERENCES chain(id)
    ON DELETE CASCADE);
  CREATE INDEX chain_before ON chain(before);
  INSERT INTO orders VALUES(1,'a','x','acme'),(2,'c','x','acme');
  INSERT INTO lines VALUES(1,1,'acme'),(2,1,'acme'),(3,1,'umbra'),(4,2,'acme');
  INSERT INTO labels VALUES(1,1),(2,1),(3,3);
  INSERT INTO visits VALUES(1,'a'),(2,NULL);
  INSERT INTO secrets VALUES(1,1);
  INSERT INTO marks VALUES(1,1);
)";
const char* const kModel[] = {
    R"({"class":"orders","table":"orders","tenant_scope":{"field":"tenant"}})",
    R"({"class":"lines","table":"lines","tenant_scope":{"field":"tenant"}})",
    R"({"class":"secrets","table":"secrets","hidden":true})",
    R"({"class":"marks","table":"marks","agent_fields":["id"]})"};

constexpr const char* kDelete = R"("class_name":"orders","object_id":"1")";

class ConsequencesTest : public RecordedDatabase {
 protected:
  void SetUp() override {
    RecordedDatabase::SetUp();
    make_recorded(kTables, {std::begin(kModel), std::end(kModel)});
    act_as(R"("user":"u1","tenant_id":"acme")");
  }
  std::string preview(const std::string& op, const std::string& args) {
    return ask(op, "{" + args + R"(,"dry_run":true})");
  }
};

TEST_F(ConsequencesTest, ADeletionShowsTheVisibleRowsThatFollow) {
  const std::string shown = preview("delete", kDelete);
  EXPECT_THAT(shown, HasSubstr(R"("rows":6)"));
  EXPECT_THAT(shown,
              HasSubstr(R"("cascades":[{"class_name":"labels","operation":"delete","rows":2},)"
                        R"({"class_name":"lines","operation":"delete","rows":2},)"
                        R"({"class_name":"visits","operation":"update","rows":1}])"));
  EXPECT_EQ(sql("SELECT count(*) FROM lines"), "4");
}

TEST_F(ConsequencesTest, AnUpdateShowsTheRowsThatGetTheNewKey) {
  const std::string update = R"("class_name":"orders","object_id":"1","data":)";
  EXPECT_THAT(preview("update", update + R"({"code":"b"})"),
              HasSubstr(R"("cascades":[{"class_name":"visits","operation":"update","rows":1}])"));
  EXPECT_THAT(preview("update", update + R"({"note":"y"})"), Not(HasSubstr("cascades")));
}

TEST_F(ConsequencesTest, RowsThatTwoDeletionsReachAreCountedOnce) {
  const std::string list = R"("writes":[{"op":"delete","class_name":"visits","object_id":"1"},)"
                           R"({"op":"delete","class_name":"orders","object_id":"1"},)"
                           R"({"op":"delete","class_name":"orders","object_id":"2"}])";
  EXPECT_THAT(preview("transaction", list),
              HasSubstr(R"({"class_name":"lines","operation":"delete","rows":3}])"));
}

TEST_F(ConsequencesTest, ADeletionThatReachesOtherRowsThanWereShownIsRefused) {
  const auto expecting = [&](const std::string& versions) {
    return ask("delete", std::string("{") + kDelete + R"(,"expect":)" + quoted(versions) + "}");
  };
  const std::string versions = text_in(preview("delete", kDelete), "versions");
  run_sql("INSERT INTO lines VALUES(9,1,'acme')");
  EXPECT_THAT(expecting(versions), HasSubstr("not as they were shown: '1'"));
  EXPECT_EQ(sql("SELECT count(*) FROM orders"), "2");
  // A hidden one makes no difference.
  const std::string again = text_in(preview("delete", kDelete), "versions");
  run_sql("INSERT INTO lines VALUES(10,1,'umbra')");
  EXPECT_THAT(expecting(again), Not(StartsWith("ERROR")));
  EXPECT_EQ(sql("SELECT count(*) FROM lines WHERE order_id = 1"), "0");
}

TEST_F(ConsequencesTest, ALongChainIsRefusedByTheDatabaseAndEndsNothing) {
  run_sql(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000) "
      "INSERT INTO chain SELECT i, nullif(i - 1, 0) FROM n");
  const std::string args = R"("class_name":"chain","object_id":"1")";
  EXPECT_THAT(preview("delete", args), HasSubstr("too many levels"));
  EXPECT_THAT(ask("delete", "{" + args + "}"), HasSubstr("too many levels"));
  EXPECT_EQ(sql("SELECT count(*) FROM chain"), "50000");
}

}  // namespace
}  // namespace gantry::data
