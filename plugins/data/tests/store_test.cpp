#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/test_database.hpp"
#include "values/asked.hpp"
#include "values/matcher.hpp"

namespace gantry::data {
namespace {

using testing::ask;
using testing::TestDatabase;
using testing::Writer;

constexpr const char* kEndless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";

Status refusal(const std::string& path) {
  auto store = sqlite::Store::open(path);
  EXPECT_FALSE(store.is_ok());
  return store.is_ok() ? Status::ok() : store.status();
}

bool says(const Status& status, std::string_view words) {
  return status.message().find(words) != std::string::npos;
}

TEST(StoreOpen, MissingFileIsNamed) {
  const auto status = refusal("/tmp/no/such/file.db");
  EXPECT_EQ(status.code(), GANTRY_NOT_FOUND);
  EXPECT_TRUE(says(status, "/tmp/no/such/file.db does not exist")) << status.message();
}

TEST(StoreOpen, DirectoryIsRefused) {
  TestDatabase db;
  EXPECT_TRUE(says(refusal(db.directory()), "is a directory"));
}

TEST(StoreOpen, OtherFilesAreRefused) {
  TestDatabase db;
  std::ofstream(db.path()) << std::string(4096, 'x');
  EXPECT_TRUE(says(refusal(db.path()), "not an SQLite database, or it is encrypted"));
  EXPECT_EQ(db.files(), std::set<std::string>{"data.db"});
  EXPECT_TRUE(says(refusal("/dev/null"), "not a regular file"));
}

TEST(StoreAsked, NotesTheStatementsOfATracedRequest) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1),(2),(3)");
  auto store = db.open();
  ASSERT_TRUE(store);
  auto lease = store->lease({});
  ASSERT_TRUE(lease);
  const auto read = [&] {
    auto cursor = (*lease)->prepare({"SELECT a FROM t WHERE a > 1", {}});
    ASSERT_TRUE(cursor);
    while ((*cursor)->next()) continue;
  };
  read();
  Asked asked;
  EXPECT_FALSE(asked.any()) << "that was before";
  read();
  read();
  EXPECT_EQ(asked.rows(), 4);
  EXPECT_EQ(asked.operation(), "SELECT");
  EXPECT_LE(asked.begin_ns(), asked.end_ns());
  const AskedStatement insert("INSERT INTO t VALUES(1)");
  const AskedStatement after("WITH x AS (SELECT 1) SELECT * FROM x");
  EXPECT_EQ(asked.operation(), "INSERT");
}

TEST(StoreOpen, DamagedSchemaIsRefused) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  std::fstream file(db.path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file << std::string(500, '\xee');
  file.close();
  EXPECT_TRUE(says(refusal(db.path()), "damaged"));
}

TEST(StoreOpen, EmptyFileIsADatabaseWithoutClasses) {
  TestDatabase db;
  std::ofstream(db.path()).close();
  auto store = db.open();
  ASSERT_TRUE(store);
  EXPECT_TRUE((*store->catalog())->classes().empty());
}

TEST(StoreOpen, NamesWithUriCharactersAreNames) {
  TestDatabase db;
  const std::string path = db.directory() + "/a%20b?immutable=1#c d.db";
  Writer(path).run("CREATE TABLE t(a)");
  auto store = sqlite::Store::open(path);
  ASSERT_TRUE(store.is_ok()) << store.message();
  EXPECT_TRUE((*(*store)->catalog())->find("t"));
}

TEST(StoreOpen, LockedFileIsRefusedInWords) {
  TestDatabase db("CREATE TABLE t(a)");
  Writer writer(db.path());
  writer.run("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE");
  const auto status = refusal(db.path());
  EXPECT_EQ(status.code(), GANTRY_BUSY);
  EXPECT_TRUE(says(status, "locked by another program")) << status.message();
}

TEST(Statements, AreFoundAgainByTheirText) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1),(2)");
  auto store = db.open({1, {}});
  auto lease = store->lease({});
  Fragment query;
  query.add("SELECT a FROM t WHERE a = ").bind(std::int64_t{2});
  sqlite3_stmt* first = nullptr;
  {
    auto statement = testing::connection_of(lease).prepare(query);
    ASSERT_TRUE(statement.is_ok());
    first = statement->raw();
    auto nested = testing::connection_of(lease).prepare(query);
    ASSERT_TRUE(nested.is_ok());
    EXPECT_NE(nested->raw(), first);
    EXPECT_TRUE(statement->next());
    EXPECT_TRUE(nested->next());
  }
  auto again = testing::connection_of(lease).prepare(query.text);
  ASSERT_TRUE(again.is_ok());
  EXPECT_EQ(again->raw(), first);
  EXPECT_FALSE(again->next()) << "bindings of the last run are gone";
}

TEST(Statements, TheCacheForgetsTheLeastRecentlyUsed) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open({1, {}});
  auto lease = store->lease({});
  sqlite3* raw = testing::connection_of(lease).raw();
  const auto count = [raw] {
    int n = 0;
    for (auto* s = sqlite3_next_stmt(raw, nullptr); s; s = sqlite3_next_stmt(raw, s)) ++n;
    return n;
  };
  for (int i = 0; i < 200; ++i) ask(**lease, "SELECT " + std::to_string(i));
  EXPECT_EQ(count(), 64);
}

TEST(Statements, WrongNumberOfValuesIsRefused) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open();
  auto lease = store->lease({});
  EXPECT_FALSE(testing::connection_of(lease).prepare(Fragment{"SELECT ?", {}}).is_ok());
}

TEST(Statements, StopAtTheDeadlineAndTheConnectionGoesOn) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open({1, {}});
  {
    auto lease = store->lease(Budget::for_ms(30));
    ASSERT_TRUE(lease.is_ok());
    EXPECT_EQ(ask(**lease, kEndless),
              "!Query exceeded time limit. Narrow the filter or add an index.");
  }
  EXPECT_EQ(ask(*store, "SELECT 7"), "7");
}

TEST(Statements, StopWhenCancelledAndSaySo) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open({1, {}});
  std::atomic<bool> cancelled = false;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    cancelled = true;
  });
  {
    auto lease = store->lease({0, [&] { return cancelled.load(); }});
    auto statement = testing::connection_of(lease).prepare(kEndless);
    EXPECT_FALSE(statement->next());
    EXPECT_EQ(statement->status().code(), GANTRY_CANCELLED);
  }
  canceller.join();
  EXPECT_EQ(ask(*store, "SELECT 7"), "7");
}

TEST(Leases, WaitNoLongerThanTheirBudget) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open({1, {}});
  auto held = store->lease({});
  auto late = store->lease(Budget::for_ms(30));
  ASSERT_FALSE(late.is_ok());
  EXPECT_EQ(late.status().code(), GANTRY_TIMED_OUT);
  auto cancelled = store->lease({0, [] { return true; }});
  EXPECT_EQ(cancelled.status().code(), GANTRY_CANCELLED);
}

TEST(Leases, AConnectionThatOpensTooSlowlyIsOutOfTime) {
  std::string tables;
  for (int i = 0; i < 3000; ++i) tables += "CREATE TABLE t" + std::to_string(i) + "(a, b, c);";
  TestDatabase db("BEGIN;" + tables + "COMMIT;");
  auto store = db.open();
  const auto late = store->lease(Budget::for_ms(2));
  ASSERT_FALSE(late.is_ok());
  EXPECT_EQ(late.status().code(), GANTRY_TIMED_OUT) << late.message();
  EXPECT_TRUE(store->lease({}).is_ok());
}

TEST(Leases, ALockedDatabaseWaitsUntilTheDeadline) {
  TestDatabase db("CREATE TABLE t(a)");
  auto store = db.open();
  EXPECT_EQ(ask(*store, "SELECT 1"), "1");  // opens the connection
  Writer writer(db.path());
  writer.run("BEGIN EXCLUSIVE");
  auto lease = store->lease(Budget::for_ms(50));
  ASSERT_TRUE(lease.is_ok());
  EXPECT_EQ(ask(**lease, "SELECT count(*) FROM t"),
            "!Query exceeded time limit. Narrow the filter or add an index.");
  writer.run("COMMIT");
  EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "0");
}

struct LongerThan : Matcher {
  explicit LongerThan(std::size_t n) : size(n) {}
  bool match(const StoredValue& value) const override {
    if (value.is_blob()) throw std::runtime_error("no blobs");
    return value.is_text() && value.bytes.size() > size;
  }
  std::size_t size;
};

TEST(MatchFunction, DecidesPerValue) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES('x'),('long'),(12345),(NULL)");
  auto store = db.open();
  auto lease = store->lease({});
  Fragment query;
  query.add("SELECT group_concat(a) FROM t WHERE gantry_match(");
  query.bind(std::shared_ptr<const Matcher>(std::make_shared<LongerThan>(2))).add(", a)");
  auto statement = testing::connection_of(lease).prepare(query);
  ASSERT_TRUE(statement.is_ok()) << statement.message();
  ASSERT_TRUE(statement->next());
  EXPECT_EQ(statement->text(0), "long");
}

TEST(MatchFunction, RefusesATextAsMatcherAndReportsExceptions) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(x'00')");
  auto store = db.open();
  auto lease = store->lease({});
  EXPECT_NE(ask(**lease, "SELECT gantry_match('gantry.matcher', a) FROM t").find("bound matcher"),
            std::string::npos);
  Fragment query;
  query.add("SELECT gantry_match(");
  query.bind(std::shared_ptr<const Matcher>(std::make_shared<LongerThan>(2))).add(", a) FROM t");
  auto statement = testing::connection_of(lease).prepare(query);
  EXPECT_FALSE(statement->next());
  EXPECT_TRUE(says(statement->status(), "no blobs"));
}

TEST(Schema, StatementsSurviveAChange) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  auto store = db.open({1, {}});
  EXPECT_EQ(ask(*store, "SELECT `a` FROM t"), "1");
  Writer(db.path()).run("ALTER TABLE t ADD COLUMN b DEFAULT 2");
  EXPECT_EQ(ask(*store, "SELECT `a` FROM t"), "1");
  Writer(db.path()).run("ALTER TABLE t DROP COLUMN a");
  EXPECT_EQ(ask(*store, "SELECT `a` FROM t"),
            "!The database refused the statement: no such column: a.");
}

}  // namespace
}  // namespace gantry::data
