#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/test_database.hpp"

namespace gantry::data::wal_test {
namespace {

using testing::ask;
using testing::TestDatabase;
using testing::Writer;
namespace fs = std::filesystem;

constexpr const char* kWal = "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)";
const std::set<std::string> kAlone{"data.db"};

TEST(Wal, AQuietDatabaseGetsNoSideFiles) {
  TestDatabase db(kWal);
  ASSERT_EQ(db.files(), kAlone);
  const std::string before = db.bytes();
  {
    auto store = db.open();
    EXPECT_EQ(ask(*store, "SELECT a FROM t"), "1");
    EXPECT_EQ(db.files(), kAlone);
  }
  EXPECT_EQ(db.files(), kAlone);
  EXPECT_EQ(db.bytes(), before);
}

TEST(Wal, AWriterThatAppearsIsSeenAtOnce) {
  TestDatabase db(kWal);
  auto store = db.open();
  EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "1");
  {
    Writer writer(db.path());
    for (int rows = 2; rows < 6; ++rows) {
      writer.run("INSERT INTO t VALUES(2)");
      EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), std::to_string(rows));
    }
    writer.run("CREATE TABLE u(b)");
    EXPECT_TRUE((*store->catalog())->find("u"));
    writer.run("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES(3)");
    EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "6");
  }
  EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "6");
}

TEST(Wal, AWriterThatCameAndWentIsSeen) {
  TestDatabase db(kWal);
  auto store = db.open();
  for (int rows = 2; rows < 8; ++rows) {
    Writer(db.path()).run("INSERT INTO t VALUES(2)");
    EXPECT_EQ(db.files(), kAlone);
    EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), std::to_string(rows));
  }
  Writer(db.path()).run("CREATE TABLE u(b)");
  EXPECT_TRUE((*store->catalog())->find("u"));
  EXPECT_EQ(db.files(), kAlone);
}

TEST(Wal, ADatabaseThatIsPutIntoWalModeWhileItIsReadIsFollowed) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  auto store = db.open();
  constexpr std::chrono::milliseconds kSettled{30};  // its time tells of every later change
  std::this_thread::sleep_for(kSettled);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "1");
  Writer writer(db.path());
  writer.run("PRAGMA journal_mode=WAL");
  for (int rows = 2; rows < 5; ++rows) {
    writer.run("INSERT INTO t VALUES(2)");
    EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), std::to_string(rows));
    std::this_thread::sleep_for(kSettled);
  }
}

TEST(Wal, ALiveWriterKeepsItsFilesAndItsContent) {
  TestDatabase db(kWal);
  Writer writer(db.path());
  writer.run("INSERT INTO t VALUES(2)");
  const auto files = db.files();
  {
    auto store = db.open();
    EXPECT_EQ(ask(*store, "SELECT count(*) FROM t"), "2");
  }
  EXPECT_EQ(db.files(), files);
  writer.run("INSERT INTO t VALUES(3)");
}

TEST(Wal, AReplacedFileIsOpenedAnew) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES('old')");
  auto store = db.open();
  EXPECT_EQ(ask(*store, "SELECT a FROM t"), "old");
  Writer(db.directory() + "/new.db").run("CREATE TABLE t(a, b); INSERT INTO t VALUES('new',1)");
  fs::rename(db.directory() + "/new.db", db.path());
  EXPECT_EQ(ask(*store, "SELECT a FROM t"), "new");
  EXPECT_EQ((*store->catalog())->find("t")->fields.size(), 2u);
  fs::remove(db.path());
  EXPECT_NE(ask(*store, "SELECT a FROM t").find("does not exist"), std::string::npos);
}

std::string ask_as_seen(sqlite::Store& store, const std::string& sql) {
  auto lease = store.lease_as_seen({});
  return lease ? ask(**lease, sql) : lease.message();
}

TEST(Wal, ReadsTheFileOfTheLastCatalogUntilTheNextOne) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES('old')");
  auto store = db.open();
  EXPECT_EQ(ask(*store, "SELECT a FROM t"), "old");
  ASSERT_TRUE(store->catalog());
  Writer(db.directory() + "/new.db").run("CREATE TABLE t(a); INSERT INTO t VALUES('new')");
  fs::rename(db.directory() + "/new.db", db.path());
  EXPECT_EQ(ask_as_seen(*store, "SELECT a FROM t"), "old");
  ASSERT_TRUE(store->catalog());
  EXPECT_EQ(ask_as_seen(*store, "SELECT a FROM t"), "new");
}

TEST(Wal, ReadsEveryCommitBeforeTheLastLook) {
  for (const char* mode : {"PRAGMA journal_mode=WAL;", "PRAGMA journal_mode=DELETE;"}) {
    TestDatabase db(mode + std::string("CREATE TABLE t(a); INSERT INTO t VALUES(1)"));
    auto store = db.open();
    std::uint64_t commits = 0;
    for (int rows = 2; rows < 8; ++rows) {
      Writer(db.path()).run("INSERT INTO t VALUES(2)");
      const auto now = store->now({});
      ASSERT_TRUE(now) << now.message();
      EXPECT_EQ(ask_as_seen(*store, "SELECT count(*) FROM t"), std::to_string(rows));
      EXPECT_GT(now->commits, commits);
      commits = now->commits;
      EXPECT_EQ(store->commits_seen(), commits);
    }
  }
}

TEST(Wal, AChangeWhileReadingIsReportedNotMixed) {
  TestDatabase db(
      "PRAGMA journal_mode=WAL; CREATE TABLE t(a);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 5000)"
      "INSERT INTO t SELECT hex(randomblob(100)) FROM n");
  auto store = db.open();
  auto lease = store->lease({});
  auto statement = testing::connection_of(lease).prepare("SELECT a FROM t");
  ASSERT_TRUE(statement->next());
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  Writer(db.path()).run("UPDATE t SET a = 'changed'");
  while (statement->next()) {
  }
  EXPECT_EQ(statement->status().code(), GANTRY_BUSY) << statement->status().message();
}

TEST(FileState, TimesTellOfEveryChangeOnceTheyAreOldEnough) {
  constexpr std::int64_t kMs = 1'000'000, kSecond = 1000 * kMs;
  sqlite::FileState then;
  then.modified_ns = 5 * kSecond + 7;
  then.seen_ns = then.modified_ns + 15 * kMs;
  EXPECT_FALSE(then.same_content(then)) << "another change may carry this time";
  then.seen_ns = then.modified_ns + 25 * kMs;
  EXPECT_TRUE(then.same_content(then));
  sqlite::FileState now = then;
  now.wal_modified_ns = 1;
  EXPECT_FALSE(then.same_content(now));
  now = then;
  ++now.modified_ns;
  EXPECT_FALSE(then.same_content(now));
  // A file system with timestamps of two seconds.
  then.modified_ns = 6 * kSecond;
  then.seen_ns = then.modified_ns + 2050 * kMs;
  EXPECT_FALSE(then.same_content(then));
  then.seen_ns = then.modified_ns + 2150 * kMs;
  EXPECT_TRUE(then.same_content(then));
}

TEST(FileState, SideFilesAreNotLookedAtBesideAFileThatStillIsNotInWalMode) {
  TestDatabase db("CREATE TABLE t(a)");
  const sqlite::DatabasePaths paths(db.path());
  auto judged = sqlite::inspect_files(paths);
  ASSERT_TRUE(judged);
  constexpr std::int64_t kLong = 3'000'000'000;
  judged->seen_ns += kLong;
  std::ofstream(paths.wal) << "content";
  EXPECT_EQ(sqlite::inspect_files(paths, *judged)->wal_size, 0);
  EXPECT_EQ(sqlite::inspect_files(paths)->wal_size, 7);
  for (const auto spoil : {+[](sqlite::FileState& state) { state.wal = true; },
                           +[](sqlite::FileState& state) { state.times_tell = false; },
                           +[](sqlite::FileState& state) { --state.modified_ns; },
                           +[](sqlite::FileState& state) { state.seen_ns = state.modified_ns; },
                           +[](sqlite::FileState& state) { ++state.inode; }}) {
    sqlite::FileState other = *judged;
    spoil(other);
    EXPECT_EQ(sqlite::inspect_files(paths, other)->wal_size, 7);
  }
}

TEST(FileState, TimesAreNotEnoughOnNetworkFileSystems) {
  constexpr std::int64_t kExt4 = 0xef53, kTmpfs = 0x01021994, kNfs = 0x6969, kFuse = 0x65735546;
  EXPECT_TRUE(sqlite::tells_every_write(kExt4));
  EXPECT_TRUE(sqlite::tells_every_write(kTmpfs));
  EXPECT_FALSE(sqlite::tells_every_write(kNfs));
  EXPECT_FALSE(sqlite::tells_every_write(kFuse));
  EXPECT_FALSE(sqlite::tells_every_write(0));
}

// Runs `body` in a child process as an unprivileged user; its return value is the exit code.
template <class Body>
int as_nobody(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr unsigned kNobody = 65534;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(99);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

void make_read_only(const TestDatabase& db) {
  for (const auto& entry : fs::directory_iterator(db.directory())) {
    ::chmod(entry.path().c_str(), 0444);
  }
  ::chmod(db.directory().c_str(), 0555);
}

TEST(Wal, AQuietDatabaseInAReadOnlyDirectoryWorks) {
  TestDatabase db(kWal);
  make_read_only(db);
  EXPECT_EQ(as_nobody([&] {
              auto store = sqlite::Store::open(db.path());
              return store && ask(**store, "SELECT a FROM t") == "1" ? 0 : 1;
            }),
            0);
  ::chmod(db.directory().c_str(), 0755);
  EXPECT_EQ(db.files(), kAlone);
}

TEST(Wal, AFileWithoutReadPermissionIsNamed) {
  TestDatabase db("CREATE TABLE t(a)");
  ::chmod(db.path().c_str(), 0000);
  ::chmod(db.directory().c_str(), 0755);
  EXPECT_EQ(as_nobody([&] {
              auto store = sqlite::Store::open(db.path());
              if (store) return 1;
              return store.message().find("cannot be read: Permission") == std::string::npos ? 2
                                                                                             : 0;
            }),
            0);
}

}  // namespace
}  // namespace gantry::data::wal_test
