// What a transaction of the store may change, and what it leaves of it.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "test_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using testing::TestDatabase;

constexpr const char* kTables = R"(
  CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
  CREATE TABLE log(line TEXT);
  CREATE TABLE aux(x);
  CREATE TRIGGER logged AFTER INSERT ON t BEGIN INSERT INTO log VALUES(new.b); END;
  INSERT INTO t VALUES(1,'x');
)";

std::unique_ptr<sqlite::Store> writable(const TestDatabase& database, EditRights rights) {
  StoreOptions options;
  options.rights = rights;
  return database.open(std::move(options));
}

// The error's sentence after "!", the refusal's kind, or "done".
std::string run(Edit& edit, const std::string& sql) {
  const auto changed = edit.run({sql, {}});
  if (!changed) return "!" + changed.error().message;
  return changed->refusal ? changed->refusal->kind : "done";
}

std::string run_alone(Store& store, const std::string& sql) {
  auto edit = store.begin_edit({});
  return edit ? run(**edit, sql) : "!" + edit.error().message;
}

TEST(Editor, WithoutRightsThereIsNoTransaction) {
  const TestDatabase database(kTables);
  const auto store = writable(database, {});
  EXPECT_EQ(store->begin_edit({}).error().code, error_code::kInternalError);
}

TEST(Editor, RightsOfRowsAllowRowsAndNothingElse) {
  const TestDatabase database(kTables);
  const auto store = writable(database, {true, false});
  for (const char* allowed :
       {"INSERT INTO t VALUES(2,'y')", "UPDATE t SET b='z'", "DELETE FROM t"}) {
    EXPECT_EQ(run_alone(*store, allowed), "done") << allowed;
  }
  for (const char* refused :
       {"CREATE TABLE n(x)", "DROP TABLE aux", "CREATE INDEX i ON t(b)", "ATTACH 'x' AS y",
        "PRAGMA journal_mode=wal", "PRAGMA page_size=512", "PRAGMA writable_schema=1", "VACUUM",
        "PRAGMA foreign_keys=0", "PRAGMA defer_foreign_keys=0", "PRAGMA defer_foreign_keys",
        "DROP TRIGGER logged", "ALTER TABLE t ADD COLUMN c",
        "CREATE TRIGGER g AFTER DELETE ON t BEGIN SELECT 1; END", "UPDATE sqlite_schema SET sql=''",
        "INSERT INTO sqlite_sequence VALUES('t',9)", "DELETE FROM t WHERE load_extension('x')",
        "CREATE VIEW v AS SELECT 1"}) {
    EXPECT_EQ(run_alone(*store, refused).substr(0, 1), "!") << refused;
  }
}

TEST(Editor, RightsOfTheSchemaMakeAndDropTables) {
  const TestDatabase database(kTables);
  const auto store = writable(database, {false, true});
  auto edit = store->begin_edit({});
  ASSERT_TRUE(edit);
  EXPECT_EQ((*edit)->create_class({"made", {{"doc", Kind::string}}, "", true}), std::nullopt);
  EXPECT_EQ((*edit)->drop_table("`aux`"), std::nullopt);
  EXPECT_EQ((*edit)->commit(), std::nullopt);
  edit->reset();
  EXPECT_EQ(testing::ask(*store, "SELECT count(*) FROM made"), "0");
  for (const char* refused : {"ATTACH 'x' AS y", "PRAGMA journal_mode=wal", "VACUUM",
                              "UPDATE sqlite_schema SET sql=''"}) {
    EXPECT_EQ(run_alone(*store, refused).substr(0, 1), "!") << refused;
  }
}

TEST(Editor, TriggersAreDroppedWithTheirTableAndNotAlone) {
  const TestDatabase database(std::string(kTables) + R"(
    CREATE TRIGGER other AFTER INSERT ON aux BEGIN INSERT INTO log VALUES(new.x); END;)");
  const auto store = writable(database, {false, true});
  {
    auto edit = store->begin_edit({});
    EXPECT_EQ(run(**edit, "DROP TRIGGER logged").substr(0, 1), "!");
    EXPECT_EQ((*edit)->drop_table("`t`"), std::nullopt);
    EXPECT_EQ(run(**edit, "DROP TRIGGER other").substr(0, 1), "!");
  }
  EXPECT_EQ(run_alone(*store, "DROP TRIGGER logged").substr(0, 1), "!") << "after a rollback";
  const auto triggers = [&] {
    auto edit = store->begin_edit({});
    return testing::ask((*edit)->store(),
                        "SELECT group_concat(name) FROM sqlite_schema WHERE type='trigger'");
  };
  EXPECT_EQ(triggers(), "logged,other");
  auto edit = store->begin_edit({});
  EXPECT_EQ((*edit)->drop_table("`t`"), std::nullopt);
  EXPECT_EQ((*edit)->commit(), std::nullopt);
  edit->reset();
  EXPECT_EQ(triggers(), "other");
}

TEST(Editor, DeferredReferencesRefuseTheEndOfThatTransactionAlone) {
  const TestDatabase database(
      "CREATE TABLE a(id INTEGER PRIMARY KEY, b INTEGER REFERENCES b);"
      "CREATE TABLE b(id INTEGER PRIMARY KEY, a INTEGER REFERENCES a);");
  const auto store = writable(database, {true, false});
  {
    auto edit = store->begin_edit({});
    EXPECT_EQ((*edit)->defer_references(), std::nullopt);
    EXPECT_EQ(run(**edit, "INSERT INTO a VALUES(1,1)"), "done");
    EXPECT_TRUE((*edit)->unmet_reference());
    EXPECT_EQ(run(**edit, "INSERT INTO b VALUES(1,1)"), "done");
    EXPECT_FALSE((*edit)->unmet_reference());
    EXPECT_EQ((*edit)->commit(), std::nullopt);
  }
  EXPECT_EQ(run_alone(*store, "INSERT INTO a VALUES(2,2)"), refused::kMissingReference);
}

TEST(Editor, AllForeignKeysToATableAreKnownWithTheirActions) {
  const TestDatabase database(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, a, b, UNIQUE(a,b));"
      "CREATE TABLE one(x REFERENCES P);"
      "CREATE TABLE two(y, z, FOREIGN KEY(y,z) REFERENCES p(a,b) ON DELETE CASCADE"
      " ON UPDATE SET NULL);");
  const auto store = writable(database, {true, false});
  auto edit = store->begin_edit({});
  const auto keys = (*edit)->keys_to("p");
  ASSERT_TRUE(keys);
  ASSERT_EQ((*keys)->size(), 2U);
  const ReferringKey &one = (**keys)[0], &two = (**keys)[1];
  using Action = ReferringKey::Action;
  EXPECT_EQ(one.table, "one");
  EXPECT_EQ(one.targets, std::vector<std::string>{"id"});
  EXPECT_EQ(one.on_delete, Action::none);
  EXPECT_EQ(two.columns, (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(two.targets, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(two.on_delete, Action::cascade);
  EXPECT_EQ(two.on_update, Action::set_null);
}

TEST(Editor, ChangesWithoutACommitAreDiscarded) {
  const TestDatabase database(kTables);
  const auto store = writable(database, {true, false});
  EXPECT_EQ(run_alone(*store, "INSERT INTO t VALUES(2,'y')"), "done");
  EXPECT_EQ(testing::ask(*store, "SELECT count(*) FROM t"), "1");
  {
    auto edit = store->begin_edit({});
    EXPECT_EQ(run(**edit, "INSERT INTO t VALUES(2,'y')"), "done");
    EXPECT_EQ(testing::ask((*edit)->store(), "SELECT count(*) FROM t"), "2");
    EXPECT_EQ((*edit)->commit(), std::nullopt);
  }
  EXPECT_EQ(testing::ask(*store, "SELECT count(*) FROM t"), "2");
  EXPECT_EQ(testing::ask(*store, "SELECT group_concat(line) FROM log"), "x,y");
}

TEST(Editor, ARefusalNamesColumnsAndNoValues) {
  const TestDatabase database(
      "CREATE TABLE u(a TEXT, b TEXT NOT NULL, UNIQUE(a,b));"
      "INSERT INTO u VALUES('hush','hush')");
  const auto store = writable(database, {true, false});
  auto edit = store->begin_edit({});
  const auto changed = (*edit)->run({"INSERT INTO u VALUES('hush','hush')", {}});
  ASSERT_TRUE(changed && changed->refusal);
  EXPECT_EQ(changed->refusal->kind, refused::kDuplicateValue);
  EXPECT_EQ(changed->refusal->table, "u");
  EXPECT_EQ(changed->refusal->columns, (std::vector<std::string>{"a", "b"}));
}

TEST(Editor, ANumberingThatIsAtItsEndIsNoFullDisk) {
  const TestDatabase database(
      "CREATE TABLE u(a INTEGER PRIMARY KEY AUTOINCREMENT, b);"
      "INSERT INTO u VALUES(9223372036854775807,'x')");
  const auto store = writable(database, {true, false});
  EXPECT_EQ(run_alone(*store, "INSERT INTO u(b) VALUES('y')"), refused::kNoMoreNumbers);
}

TEST(Editor, AFullDiskIsAStoreErrorThatSaysSo) {
  const TestDatabase database(kTables);
  const auto store = writable(database, {true, false});
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::optional<DataError> error;
  {
    auto edit = store->begin_edit({});
    const auto changed =
        (*edit)->run({"INSERT INTO t SELECT value+10, zeroblob(900) FROM "
                      "json_each('[1,2,3,4,5,6,7,8,9]')",
                      {}});
    error = changed ? (*edit)->commit() : changed.error();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, error_code::kStoreError);
  EXPECT_THAT(error->message, HasSubstr("disk"));
  EXPECT_EQ(run_alone(*store, "INSERT INTO t VALUES(2,'y')"), "done");
  EXPECT_EQ(testing::ask(*store, "SELECT count(*) FROM t"), "1");
}

TEST(Editor, AJournalOfACrashIsRolledBackByAStoreThatMayWrite) {
  const TestDatabase database(kTables);
  const std::string copy = database.directory() + "/crashed.db";
  {
    testing::Writer writer(database.path());
    writer.run(
        "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN;"
        "INSERT INTO t SELECT value, hex(zeroblob(500)) FROM "
        "(WITH RECURSIVE s(value) AS (VALUES(2) UNION ALL SELECT value+1 FROM s WHERE "
        "value<500) SELECT value FROM s)");
    std::filesystem::copy_file(database.path(), copy);
    std::filesystem::copy_file(database.path() + "-journal", copy + "-journal");
    writer.run("ROLLBACK");
  }
  EXPECT_FALSE(sqlite::Store::open(copy, {}));
  StoreOptions options;
  options.rights.rows = true;
  const auto store = sqlite::Store::open(copy, options);
  ASSERT_TRUE(store) << store.message();
  EXPECT_EQ(testing::ask(**store, "SELECT count(*) FROM t"), "1");
  EXPECT_FALSE(std::filesystem::exists(copy + "-journal"));
}

TEST(Editor, AReplacedFileIsWrittenAfterItsReplacement) {
  const TestDatabase database(kTables), other("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);");
  const auto store = writable(database, {true, false});
  EXPECT_EQ(run_alone(*store, "INSERT INTO t VALUES(2,'y')"), "done");
  std::filesystem::rename(other.path(), database.path());
  {
    auto edit = store->begin_edit({});
    EXPECT_EQ(run(**edit, "INSERT INTO t VALUES(1,'new')"), "done");
    EXPECT_EQ((*edit)->commit(), std::nullopt);
  }
  EXPECT_EQ(testing::ask(*store, "SELECT b FROM t"), "new");
}

TEST(Editor, AFileThatTheCatalogDoesNotDescribeHasNoVersionOfItsSchema) {
  const TestDatabase database(kTables), other(kTables);
  const auto store = writable(database, {true, false});
  const auto version = [&] {
    const auto edit = store->begin_edit({});
    return (*edit)->schema_version();
  };
  const std::int64_t known = (*store->catalog())->schema_version();
  EXPECT_EQ(version(), known);
  std::filesystem::rename(other.path(), database.path());
  EXPECT_EQ(version(), Edit::kOtherFile);
  ASSERT_TRUE(store->now({}));
  EXPECT_EQ(version(), known);
}

TEST(Editor, ARecentLookIsLessThanASecondOld) {
  const TestDatabase database(kTables);
  const auto store = writable(database, {true, false});
  const std::uint64_t version = store->now({})->version;
  testing::Writer(database.path()).run("INSERT INTO t VALUES(2,'y')");
  EXPECT_EQ(store->recent({})->version, version);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_NE(store->recent({})->version, version);
}

}  // namespace
}  // namespace gantry::data
