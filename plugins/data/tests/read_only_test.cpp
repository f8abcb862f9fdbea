#include "tests/test_database.hpp"

namespace gantry::data::read_only_test {
namespace {

using testing::ask;
using testing::TestDatabase;
using testing::Writer;

TEST(ReadOnly, EveryAttemptToWriteOrLeaveIsRefused) {
  TestDatabase db(
      "CREATE TABLE t(a); INSERT INTO t VALUES(1); CREATE INDEX i ON t(a); ANALYZE;"
      "CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIEW v AS SELECT * FROM t");
  const std::string before = db.bytes();
  {
    auto store = db.open();
    auto lease = store->lease({});
    for (const std::string sql : {"INSERT INTO t VALUES(2)",
                                  "UPDATE t SET a=2",
                                  "DELETE FROM t",
                                  "DROP TABLE t",
                                  "CREATE TABLE u(a)",
                                  "CREATE TEMP TABLE u(a)",
                                  "CREATE INDEX j ON t(a)",
                                  "REINDEX",
                                  "ANALYZE",
                                  "VACUUM",
                                  "VACUUM INTO '/tmp/gantry_vacuum.db'",
                                  "BEGIN IMMEDIATE",
                                  "BEGIN",
                                  "COMMIT",
                                  "SAVEPOINT s",
                                  "ATTACH '/tmp/gantry_attach.db' AS x",
                                  "DETACH main",
                                  "PRAGMA query_only=0",
                                  "PRAGMA writable_schema=1",
                                  "PRAGMA journal_mode=WAL",
                                  "PRAGMA user_version=7",
                                  "PRAGMA table_info(t)",
                                  "PRAGMA wal_checkpoint",
                                  "PRAGMA mmap_size=1000000",
                                  "PRAGMA temp_store_directory='/tmp'",
                                  "PRAGMA schema_version",
                                  "SELECT * FROM sqlite_master",
                                  "SELECT * FROM sqlite_schema",
                                  "SELECT * FROM SQLITE_TEMP_MASTER",
                                  "SELECT * FROM sqlite_stat1",
                                  "SELECT * FROM pragma_table_info('t')",
                                  "SELECT * FROM dbstat",
                                  "SELECT * FROM sqlite_stmt",
                                  "SELECT (SELECT sql FROM sqlite_schema LIMIT 1) FROM t",
                                  "SELECT load_extension('x')",
                                  "SELECT fts3_tokenizer('simple')",
                                  "SELECT fts3_tokenizer('simple', x'00')",
                                  "SELECT writefile('/tmp/x','y')",
                                  "INSERT INTO f(f) VALUES('optimize')",
                                  "SELECT 1; DELETE FROM t",
                                  "",
                                  "EXPLAIN DELETE FROM t",
                                  "WITH x AS (SELECT 1) DELETE FROM t",
                                  "INSERT INTO t VALUES(1) RETURNING a"}) {
      EXPECT_TRUE(ask(**lease, sql).starts_with("!")) << sql << " gave " << ask(**lease, sql);
    }
    EXPECT_EQ(ask(**lease, "SELECT a FROM v"), "1");
  }
  EXPECT_EQ(db.bytes(), before);
  EXPECT_EQ(db.files(), std::set<std::string>{"data.db"});
  EXPECT_FALSE(std::filesystem::exists("/tmp/gantry_vacuum.db"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/gantry_attach.db"));
}

TEST(ReadOnly, TheConnectionItselfIsReadOnly) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open();
  auto lease = store->lease({});
  sqlite3* raw = testing::connection_of(lease).raw();
  EXPECT_EQ(sqlite3_db_readonly(raw, "main"), 1);
  // Writing fails even without the authorizer.
  sqlite3_set_authorizer(raw, nullptr, nullptr);
  EXPECT_NE(sqlite3_exec(raw, "INSERT INTO t VALUES(1)", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_NE(sqlite3_exec(raw, "ATTACH ':memory:' AS m", nullptr, nullptr, nullptr), SQLITE_OK);
}

TEST(ReadOnly, VirtualTablesAndFunctionsCanBeRead) {
  TestDatabase db(
      "CREATE TABLE t(a TEXT); INSERT INTO t VALUES('[1,2]');"
      "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES('hello world');"
      "CREATE VIRTUAL TABLE f4 USING fts4(x); INSERT INTO f4 VALUES('hello world');"
      "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES(7, 1, 2)");
  auto store = db.open();
  auto lease = store->lease({});
  EXPECT_EQ(ask(**lease, "SELECT count(*) FROM t, json_each(t.a)"), "2");
  EXPECT_EQ(ask(**lease, "SELECT x FROM f WHERE f MATCH 'hello'"), "hello world");
  EXPECT_EQ(ask(**lease, "SELECT x FROM f4 WHERE f4 MATCH 'hello'"), "hello world");
  EXPECT_EQ(ask(**lease, "SELECT id FROM r WHERE x0 > 0"), "7");
  EXPECT_EQ(ask(**lease, "SELECT upper('a') || sqrt(4.0)"), "A2.0");
}

TEST(ReadOnly, ReadingEverythingLeavesTheFileAsItWas) {
  TestDatabase db(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1,'x');"
      "CREATE VIEW v AS SELECT a FROM t");
  const std::string before = db.bytes();
  {
    auto store = db.open();
    auto catalog = *store->catalog();
    for (const auto& cls : catalog->classes()) EXPECT_TRUE(catalog->find(cls.name));
    EXPECT_EQ(ask(*store, "SELECT a FROM v"), "x");
    EXPECT_EQ(db.files(), std::set<std::string>{"data.db"});
  }
  EXPECT_EQ(db.bytes(), before);
}

TEST(ReadOnly, AnUnfinishedTransactionOfACrashIsExplained) {
  TestDatabase db("CREATE TABLE t(a)");
  {
    Writer writer(db.path());
    writer.run(
        "PRAGMA cache_size=1; BEGIN;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 3000)"
        "INSERT INTO t SELECT hex(randomblob(50)) FROM n");
    std::filesystem::copy(db.path(), db.directory() + "/crashed.db");
    std::filesystem::copy(db.path() + "-journal", db.directory() + "/crashed.db-journal");
  }
  auto store = sqlite::Store::open(db.directory() + "/crashed.db");
  ASSERT_FALSE(store.is_ok());
  EXPECT_NE(store.message().find("unfinished transaction"), std::string::npos) << store.message();
}

}  // namespace
}  // namespace gantry::data::read_only_test
