// Gates, tiers, batches, previews, versions, classes.
#include <chrono>
#include <thread>

#include "ops/change/tests/written_database.hpp"

namespace gantry::data {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kItems = R"(
  CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT UNIQUE, stock INTEGER);
  CREATE TABLE parents(id TEXT PRIMARY KEY, child TEXT REFERENCES parents(id)
    DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO items VALUES(1,'a',1),(2,'b',2),(3,'c',3);
)";

class TransactionsTest : public WrittenDatabase {
 protected:
  void SetUp() override {
    WrittenDatabase::SetUp();
    make_ruled(kItems, {});
  }
  std::string stock() { return sql("SELECT group_concat(id||name||stock) FROM items"); }
};

TEST_F(TransactionsTest, WithoutAGateNothingIsWrittenAndTheGateIsNamed) {
  rights_ = {};
  open({});
  const std::string args = R"({"class_name":"items","object_id":"1","data":{"stock":9}})";
  EXPECT_THAT(ask("update", args), StartsWith("ERROR access_denied: This server does not change"));
  EXPECT_EQ(details_, R"({"kind":"gate","missing":["GANTRY_ALLOW_WRITE_TOOLS"]})");
  rights_ = {true, false};
  open({});
  EXPECT_THAT(ask("update", args), HasSubstr(R"("stock":9)"));
  EXPECT_THAT(ask("create_class", R"({"class_name":"x","fields":{"a":"String"}})"),
              StartsWith("ERROR access_denied"));
  EXPECT_EQ(details_, R"({"kind":"gate","missing":["GANTRY_ALLOW_SCHEMA_OPS"]})");
  rights_ = {false, true};
  open({});
  EXPECT_THAT(ask("update", args), StartsWith("ERROR access_denied"));
  EXPECT_EQ(stock(), "1a9,2b2,3c3");
}

TEST_F(TransactionsTest, TheTierOfTheCallLimitsItsWrites) {
  tier_ = WriteTier::readonly;
  EXPECT_THAT(ask("create", R"({"class_name":"items","data":{}})"),
              StartsWith("ERROR permission_denied"));
  EXPECT_EQ(details_, R"({"kind":"tier","needed":"write","writes_up_to":"readonly"})");
  tier_ = WriteTier::write;
  EXPECT_THAT(ask("create", R"({"class_name":"items","data":{}})"), HasSubstr(R"("rows":1)"));
  EXPECT_THAT(ask("delete", R"({"class_name":"items","object_id":"1"})"),
              StartsWith("ERROR permission_denied"));
  EXPECT_THAT(ask("transaction", R"({"writes":[
    {"op":"delete","class_name":"items","object_id":"1"}]})"),
              StartsWith("ERROR permission_denied"));
  EXPECT_THAT(ask("create_class", R"({"class_name":"x","fields":{"a":"String"}})"),
              StartsWith("ERROR permission_denied"));
}

TEST_F(TransactionsTest, ABatchIsWrittenWholeOrNotAtAll) {
  EXPECT_THAT(ask("create", R"({"class_name":"items","objects":[
    {"data":{"name":"d"}},{"data":{"name":"d"}}]})"),
              StartsWith("ERROR invalid_argument: objects[1]: Class 'items' already has"));
  EXPECT_EQ(stock(), "1a1,2b2,3c3");
  EXPECT_THAT(ask("update", R"({"class_name":"items","objects":[
    {"object_id":"1","data":{"stock":7}},{"object_id":"2","data":{"stock":8}}]})"),
              HasSubstr(R"({"rows":2})"));
  EXPECT_EQ(stock(), "1a7,2b8,3c3");
}

TEST_F(TransactionsTest, EachWriteSeesTheOnesBeforeIt) {
  const auto done = ask("transaction", R"({"writes":[
    {"op":"update","class_name":"items","object_id":"1","data":{"name":"z"}},
    {"op":"create","class_name":"items","data":{"name":"a","stock":4}},
    {"op":"update","class_name":"items","object_id":"4","data":{"stock":{"__op":"Increment","amount":1}}},
    {"op":"delete","class_name":"items","object_id":"3"}]})");
  EXPECT_THAT(done, HasSubstr(R"({"id":4,"name":"a","stock":5})"));
  EXPECT_THAT(done, HasSubstr(R"({"objectId":"3"}]{"rows":4})"));
  EXPECT_EQ(sql("SELECT group_concat(id||name) FROM (SELECT * FROM items ORDER BY id)"),
            "1z,2b,4a");
}

TEST_F(TransactionsTest, AtMostAHundredWritesMakeOneTransaction) {
  std::string list;
  for (int i = 0; i < 101; ++i) list += std::string(i == 0 ? "" : ",") + R"({"data":{}})";
  EXPECT_THAT(ask("create", R"({"class_name":"items","objects":[)" + list + "]}"),
              HasSubstr("at most 100"));
}

TEST_F(TransactionsTest, ADeferredReferenceIsRefusedInThePreviewToo) {
  for (const char* dry : {"true", "false"}) {
    run_sql(
        "CREATE TABLE IF NOT EXISTS kids(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER,"
        " FOREIGN KEY(a,b) REFERENCES pairs(a,b) DEFERRABLE INITIALLY DEFERRED);"
        "CREATE TABLE IF NOT EXISTS pairs(a INTEGER, b INTEGER, PRIMARY KEY(a,b))");
    EXPECT_THAT(ask("create", R"({"class_name":"kids","data":{"a":1,"b":2},"dry_run":)" +
                                  std::string(dry) + "}"),
                HasSubstr("a reference has no target"));
  }
  EXPECT_EQ(sql("SELECT count(*) FROM kids"), "0");
}

TEST_F(TransactionsTest, APreviewShowsBothImagesAndWritesNothing) {
  const auto shown = ask("update", R"({"class_name":"items","objects":[
    {"object_id":"1","data":{"stock":5}}],"dry_run":true})");
  EXPECT_THAT(shown, StartsWith(R"({"rows":1,"before":[{"id":1,"name":"a","stock":1}],)"
                                R"("after":[{"id":1,"name":"a","stock":5}],"versions":")"));
  EXPECT_EQ(stock(), "1a1,2b2,3c3");
  EXPECT_THAT(ask("create", R"({"class_name":"items","data":{"stock":5},"dry_run":true})"),
              HasSubstr(R"("before":[null])"));
  EXPECT_THAT(ask("delete", R"({"class_name":"items","object_id":"1","dry_run":true})"),
              HasSubstr(R"("after":[null])"));
  EXPECT_EQ(stock(), "1a1,2b2,3c3");
}

TEST_F(TransactionsTest, AWriteAfterAPreviewMakesTheShownChangeOrNone) {
  const std::string args = R"("class_name":"items","object_id":"1","data":{"stock":5})";
  const auto versions = text_in(ask("update", "{" + args + R"(,"dry_run":true})"), "versions");
  ASSERT_FALSE(versions.empty());
  run_sql("UPDATE items SET name='other' WHERE id=1");
  const std::string with_expect = "{" + args + R"(,"expect":)" + quoted(versions) + "}";
  EXPECT_THAT(ask("update", with_expect),
              StartsWith("ERROR invalid_argument: Nothing was written"));
  EXPECT_EQ(details_, R"({"kind":"changed_since","class_name":"items","object_ids":["1"]})");
  EXPECT_EQ(sql("SELECT stock FROM items WHERE id=1"), "1");
  run_sql("UPDATE items SET name='a' WHERE id=1");
  EXPECT_THAT(ask("update", with_expect), HasSubstr(R"("stock":5)"));
  run_sql("DELETE FROM items WHERE id=1");
  ask("update", with_expect);
  EXPECT_EQ(details_, R"({"kind":"changed_since","class_name":"items","object_ids":["1"]})");
  EXPECT_THAT(ask("update", "{" + args + R"(,"expect":"x"})"), HasSubstr("'expect' must be"));
}

TEST_F(TransactionsTest, AnotherAfterImageThanThatShownIsNotWritten) {
  const auto versions = text_in(
      ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":5},"dry_run":true})"),
      "versions");
  EXPECT_THAT(
      ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":6},"expect":)" +
                        quoted(versions) + "}"),
      HasSubstr("Nothing was written"));
  EXPECT_EQ(stock(), "1a1,2b2,3c3");
}

TEST_F(TransactionsTest, TheIntroductionSaysWhetherTheAgentMayWrite) {
  const std::string file = path_.filename().string();
  EXPECT_THAT(ask("introduction", "{}"), HasSubstr("Read-only SQLite database " + file + "."));
  act_as(R"("permissions":"write")");
  EXPECT_THAT(ask("introduction", "{}"),
              HasSubstr(R"("SQLite database )" + file + ", which you may change."));
  rights_ = {};
  open({});
  EXPECT_THAT(ask("introduction", "{}"), HasSubstr("Read-only SQLite database " + file + "."));
}

TEST_F(TransactionsTest, ATimeThatATriggerSetsIsNotCompared) {
  run_sql(R"(CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT, changed TEXT, seconds INTEGER,
      stock INTEGER);
    INSERT INTO notes(id) VALUES(1);
    CREATE TRIGGER touch AFTER UPDATE ON notes BEGIN
      UPDATE notes SET changed = strftime('%Y-%m-%d %H:%M:%f', 'now'),
        seconds = strftime('%s', 'now') + abs(random() % 60),
        stock = (SELECT stock FROM items WHERE id = 1) WHERE id = new.id; END)");
  const std::string args = R"("class_name":"notes","object_id":"1","data":{"body":"x"})";
  const auto shown = [&] {
    const auto versions = text_in(ask("update", "{" + args + R"(,"dry_run":true})"), "versions");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return "{" + args + R"(,"expect":)" + quoted(versions) + "}";
  };
  EXPECT_THAT(ask("update", shown()), HasSubstr(R"("body":"x")"));
  const std::string before_a_change = shown();
  run_sql("UPDATE items SET stock = 9 WHERE id = 1");
  EXPECT_THAT(ask("update", before_a_change), HasSubstr("Nothing was written"));
}

TEST_F(TransactionsTest, ARefusedCheckNamesItsFieldsAndTheirValues) {
  run_sql(R"(CREATE TABLE parts(id INTEGER PRIMARY KEY,
      item INTEGER REFERENCES items(id) ON DELETE RESTRICT,
      status TEXT CHECK (status IN ('new','old')), least INTEGER, most INTEGER,
      CHECK (least <= "most"));
    INSERT INTO parts(item) VALUES(1))");
  EXPECT_THAT(ask("create", R"({"class_name":"parts","data":{"status":"x"}})"),
              EndsWith("a check of 'status' does not allow it. Values of 'status': "
                       R"("new", "old".)"));
  ask("create", R"({"class_name":"parts","data":{"least":2,"most":1}})");
  EXPECT_EQ(details_,
            R"({"kind":"failed_validation","class_name":"parts","fields":["least","most"]})");
  EXPECT_THAT(ask("delete", R"({"class_name":"items","object_id":"1"})"),
              HasSubstr("Other objects refer to this object"));
  EXPECT_EQ(details_, R"({"kind":"missing_reference","class_name":"items"})");
}

TEST_F(TransactionsTest, ANewObjectGetsTheIdThatThePreviewShowed) {
  const std::string args = R"("class_name":"parents","data":{})";
  const auto shown = ask("create", "{" + args + R"(,"dry_run":true})");
  const auto id = text_in(shown, "id");
  ASSERT_EQ(id.size(), 24u);
  const auto made =
      ask("create", "{" + args + R"(,"expect":)" + quoted(text_in(shown, "versions")) + "}");
  EXPECT_EQ(text_in(made, "id"), id);
}

TEST_F(TransactionsTest, AVersionMakesAWriteConditional) {
  const auto version = text_in(
      ask("get", R"({"class_name":"items","object_id":"1","keys":["name"],"version":true})"),
      "version");
  ASSERT_EQ(version.size(), 32u);
  const std::string args = R"({"class_name":"items","object_id":"1","data":{"stock":5},)"
                           R"("if_unchanged":")" +
                           version + "\"}";
  EXPECT_THAT(ask("update", args), HasSubstr(R"("stock":5)"));
  EXPECT_THAT(ask("update", args), StartsWith("ERROR invalid_argument: Nothing was written"));
  EXPECT_EQ(details_, R"({"kind":"changed_since","class_name":"items","object_ids":["1"]})");
  EXPECT_THAT(
      ask("delete", R"({"class_name":"items","object_id":"1","if_unchanged":")" + version + "\"}"),
      HasSubstr("Nothing was written"));
}

TEST_F(TransactionsTest, TheNextReadSeesTheWrite) {
  const std::string read = R"({"class_name":"items","object_id":"1"})";
  for (int i = 0; i < 5; ++i) {
    for (int again = 0; again < 3; ++again) ask("get", read);
    ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":)" +
                      std::to_string(100 + i) + "}}");
    EXPECT_THAT(ask("get", read), HasSubstr(std::to_string(100 + i)));
  }
}

TEST_F(TransactionsTest, EachCommitIsToldOnceAndNothingElse) {
  int told = 0;
  service_->on_commit([&] { ++told; });
  ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":5}})");
  EXPECT_EQ(told, 1);
  ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":6},"dry_run":true})");
  ask("update", R"({"class_name":"items","object_id":"77","data":{"stock":6}})");
  EXPECT_EQ(told, 1);
}

TEST_F(TransactionsTest, CancellationLeavesNothing) {
  Budget budget;
  budget.cancelled = [] { return true; };
  const auto reply = service_->run(
      R"({"op":"update","args":{"class_name":"items","object_id":"1","data":{"stock":5}}})",
      {budget, 4u << 20, rules_, tier_});
  ASSERT_FALSE(reply.is_ok());
  EXPECT_EQ(reply.error().code, "cancelled");
  EXPECT_EQ(stock(), "1a1,2b2,3c3");
}

TEST_F(TransactionsTest, ALockOfAnotherProgramEndsTheWaitWithItsReason) {
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":5}})"),
            "ERROR store_error: " + path_.filename().string() +
                " is locked by another program; try again when it is done")
      << "not where the file is";
  sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_THAT(ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":5}})"),
              HasSubstr(R"("stock":5)"));
}

TEST_F(TransactionsTest, AWalDatabaseStaysOneAndItsFilesGoWithTheService) {
  run_sql("PRAGMA journal_mode=wal");
  open({});
  ask("get", R"({"class_name":"items","object_id":"1"})");
  EXPECT_THAT(ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":5}})"),
              HasSubstr(R"("stock":5)"));
  EXPECT_THAT(ask("get", R"({"class_name":"items","object_id":"1"})"), HasSubstr(R"("stock":5)"));
  service_->store().rest();
  EXPECT_FALSE(std::filesystem::exists(path_.string() + "-wal"));
  EXPECT_THAT(ask("update", R"({"class_name":"items","object_id":"1","data":{"stock":6}})"),
              HasSubstr(R"("stock":6)"));
  EXPECT_THAT(ask("get", R"({"class_name":"items","object_id":"1"})"), HasSubstr(R"("stock":6)"));
  service_.reset();
  EXPECT_FALSE(std::filesystem::exists(path_.string() + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(path_.string() + "-shm"));
  EXPECT_EQ(sql("PRAGMA journal_mode"), "wal");
}

TEST_F(TransactionsTest, AClassIsMadeAndUsedAtOnce) {
  const auto made = ask("create_class", R"({"class_name":"Review","fields":{
    "text":{"type":"String","required":true},"stars":"Integer","when":"Date","extra":"Object",
    "item":{"type":"Pointer","target_class":"items"}}})");
  EXPECT_THAT(made, StartsWith(R"({"class_name":"Review","fields":["objectId","createdAt")"));
  EXPECT_THAT(ask("create", R"({"class_name":"Review","data":{"text":"x","stars":5,
    "when":"2020-01-01T00:00:00Z","extra":{"a":1},"item":1}})"),
              HasSubstr(R"("stars":5)"));
  EXPECT_THAT(ask("create", R"({"class_name":"Review","data":{"stars":5}})"),
              HasSubstr("'text' of class 'Review' needs a value"));
  EXPECT_THAT(ask("create", R"({"class_name":"Review","data":{"text":"x","item":9}})"),
              HasSubstr("does not exist"));
  EXPECT_EQ(sql("SELECT typeof(createdAt) FROM Review"), "integer");
  EXPECT_THAT(ask("create_class", R"({"class_name":"Papers","document":true})"),
              StartsWith(R"({"class_name":"Papers")"));
  EXPECT_THAT(ask("create", R"({"class_name":"Papers","data":{"title":"t","tags":["a"]}})"),
              HasSubstr(R"("title":"t","tags":["a"])"));
  EXPECT_THAT(ask("query", R"({"class_name":"Papers","where":{"tags":"a"}})"),
              HasSubstr(R"("title":"t")"));
}

TEST_F(TransactionsTest, AFieldOfAnyTypeTakesAllThatJsonHas) {
  ask("create_class", R"({"class_name":"Note","fields":{"about":"Any"}})");
  for (const char* value : {R"({"a":1})", "[1,{}]", R"("x")", "5", "2.5", "true", R"({"a":2})"}) {
    const std::string about = R"("about":)" + std::string(value);
    EXPECT_THAT(ask("create", R"({"class_name":"Note","data":{)" + about + "}}"), HasSubstr(about));
  }
  EXPECT_THAT(ask("query", R"({"class_name":"Note","where":{"about":5}})"),
              HasSubstr(R"("about":5)"));
  EXPECT_THAT(ask("query", R"({"class_name":"Note","where":{"about.a":2}})"),
              HasSubstr(R"("about":{"a":2})"));
}

TEST_F(TransactionsTest, AClassOfDocumentsIsMadeWhereARenamedTableKeptTheNameOfItsIndex) {
  run_sql("CREATE TABLE Old(a); CREATE INDEX papers__id ON Old(a)");
  EXPECT_THAT(ask("create_class", R"({"class_name":"Papers","document":true})"),
              StartsWith(R"({"class_name":"Papers")"));
  EXPECT_THAT(ask("create", R"({"class_name":"Papers","data":{"_id":"p","title":"t"}})"),
              HasSubstr(R"("title":"t")"));
  EXPECT_THAT(ask("query", R"({"class_name":"Papers","where":{"_id":"p"}})"),
              HasSubstr(R"("title":"t")"));
}

TEST_F(TransactionsTest, ATakenOrReservedClassNameHasOneAnswer) {
  for (const char* name : {"items", "ITEMS", "sqlite_x", "_gantry_x", "schema_migrations"}) {
    EXPECT_THAT(ask("create_class",
                    R"({"class_name":")" + std::string(name) + R"(","fields":{"a":"String"}})"),
                StartsWith("ERROR invalid_argument: The class name '" + std::string(name) +
                           "' is taken or reserved"));
  }
  EXPECT_THAT(ask("create_class", R"({"class_name":"n","fields":{"a":"Text"}})"),
              HasSubstr("there is no type 'Text'"));
  EXPECT_THAT(ask("create_class", R"({"class_name":"n","fields":{"password":"String"}})"),
              HasSubstr("taken or reserved"));
}

TEST_F(TransactionsTest, AClassIsDeletedWithItsRowsUnlessOthersReferToIt) {
  ask("create_class", R"({"class_name":"Tag","fields":{
    "item":{"type":"Pointer","target_class":"items"}}})");
  EXPECT_THAT(ask("delete_class", R"({"class_name":"items"})"), HasSubstr("other classes refer"));
  const auto shown = ask("delete_class", R"({"class_name":"Tag","dry_run":true})");
  EXPECT_THAT(shown, StartsWith(R"({"rows":0,"before":[{"class_name":"Tag","rows":0}])"));
  EXPECT_EQ(ask("delete_class", R"({"class_name":"Tag"})"),
            R"({"class_name":"Tag","deleted":true,"rows":0})");
  EXPECT_THAT(ask("delete_class", R"({"class_name":"items"})"), HasSubstr(R"("rows":3)"));
  EXPECT_THAT(ask("count", R"({"class_name":"items"})"), StartsWith("ERROR access_denied"));
}

// The catalog of the first run may be a second old.
TEST_F(TransactionsTest, SchemaChangesOfAnotherProgramAreKnownAtOnce) {
  const char* const update = R"({"class_name":"items","object_id":"1","data":{"stock":7}})";
  EXPECT_THAT(ask("update", update), HasSubstr(R"("stock":7)"));
  run_sql("ALTER TABLE items ADD COLUMN extra TEXT");
  EXPECT_THAT(ask("update", R"({"class_name":"items","object_id":"1","data":{"extra":"x"}})"),
              HasSubstr(R"("extra":"x")"));
  run_sql("CREATE TABLE fresh(id INTEGER PRIMARY KEY, n INTEGER)");
  EXPECT_THAT(ask("create", R"({"class_name":"fresh","data":{"n":5}})"), HasSubstr(R"("n":5)"));
  run_sql("DROP TABLE fresh");
  EXPECT_THAT(ask("create", R"({"class_name":"fresh","data":{"n":6}})"), StartsWith("ERROR "));
}

TEST_F(TransactionsTest, AFileInThePlaceOfTheDatabaseIsWrittenByItsOwnSchema) {
  const char* const update = R"({"class_name":"items","object_id":"1","data":{"stock":7}})";
  EXPECT_THAT(ask("update", update), HasSubstr(R"("stock":7)"));
  const std::string version = sql("PRAGMA schema_version"), other = path_.string() + ".other";
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(other.c_str(), &db), SQLITE_OK);
  const std::string made =
      "CREATE TABLE items(id INTEGER PRIMARY KEY, label TEXT); INSERT INTO items VALUES(1,'a');"
      "PRAGMA schema_version=" +
      version;
  ASSERT_EQ(sqlite3_exec(db, made.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  std::filesystem::rename(other, path_);
  EXPECT_THAT(ask("update", update), StartsWith("ERROR "));
  EXPECT_THAT(ask("update", R"({"class_name":"items","object_id":"1","data":{"label":"z"}})"),
              HasSubstr(R"("label":"z")"));
  EXPECT_EQ(sql("SELECT label FROM items"), "z");
}

}  // namespace
}  // namespace gantry::data
