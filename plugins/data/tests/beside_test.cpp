// The files beside the user's database before and after a read, for every state a writer can leave.
#include <sys/stat.h>

#include <chrono>
#include <map>
#include <tuple>

#include "tests/other_program.hpp"
#include "tests/test_database.hpp"

namespace gantry::data::beside_test {
namespace {

using testing::ask;
using testing::OtherProgram;
using testing::TestDatabase;
namespace fs = std::filesystem;

constexpr const char* kWal = "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1)";
constexpr const char* kCount = "SELECT count(*) FROM t";
const std::set<std::string> kAlone{"data.db"};

// By name: inode, size, ctime and content.
using Folder = std::map<std::string, std::tuple<ino_t, off_t, std::int64_t, std::string>>;

Folder look(const std::string& directory) {
  Folder folder;
  for (const auto& entry : fs::directory_iterator(directory)) {
    struct stat st {};
    ::stat(entry.path().c_str(), &st);
    std::ifstream in(entry.path(), std::ios::binary);
    const std::int64_t changed =
        st.st_ctim.tv_sec * std::int64_t{1'000'000'000} + st.st_ctim.tv_nsec;
    folder[entry.path().filename()] = {st.st_ino, st.st_size, changed,
                                       std::string(std::istreambuf_iterator<char>(in), {})};
  }
  return folder;
}

struct State {
  const char* name;
  void (*make)(const TestDatabase& db);
  const char* rows;  // or the beginning of the error
  std::set<std::string> files = kAlone;
};

void make_hot_journal(const TestDatabase& db) {
  OtherProgram program(db.path());
  program.run("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  program.run(
      "PRAGMA cache_size=1; BEGIN;"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 3000)"
      "INSERT INTO t SELECT hex(randomblob(50)) FROM n");
  program.crash();
}

const State kStates[] = {
    {"Clean", [](const TestDatabase& db) { OtherProgram(db.path()).run(kWal); }, "1"},
    {"Crashed",
     [](const TestDatabase& db) {
       OtherProgram program(db.path());
       program.run(kWal);
       program.run("INSERT INTO t VALUES(2)");
       program.crash();
     },
     "2",
     {"data.db", "data.db-shm", "data.db-wal"}},
    {"CrashedAfterCheckpoint",
     [](const TestDatabase& db) {
       OtherProgram program(db.path());
       program.run(kWal);
       program.run("INSERT INTO t VALUES(2); PRAGMA wal_checkpoint(TRUNCATE)");
       program.crash();
     },
     "2",
     {"data.db", "data.db-shm", "data.db-wal"}},
    {"ExclusiveCrashed",
     [](const TestDatabase& db) {
       OtherProgram program(db.path());
       program.run("PRAGMA locking_mode=EXCLUSIVE");
       program.run(kWal);
       program.run("INSERT INTO t VALUES(2)");
       program.crash();
     },
     "2",
     {"data.db", "data.db-wal"}},
    {"ExclusiveLeft",
     [](const TestDatabase& db) {
       OtherProgram program(db.path());
       program.run("PRAGMA locking_mode=EXCLUSIVE");
       program.run(kWal);
     },
     "1"},
    {"UnfinishedInWal",
     [](const TestDatabase& db) {
       OtherProgram program(db.path());
       program.run(kWal);
       program.run(
           "PRAGMA cache_size=1; BEGIN;"
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 3000)"
           "INSERT INTO t SELECT hex(randomblob(50)) FROM n");
       program.crash();
     },
     "1",
     {"data.db", "data.db-shm", "data.db-wal"}},
    {"HotJournal", make_hot_journal, "!", {"data.db", "data.db-journal"}},
};

class Beside : public ::testing::TestWithParam<State> {
 protected:
  void SetUp() override { GetParam().make(db_); }

  // The rows read by a new store, or its error.
  std::string rows() {
    auto store = sqlite::Store::open(db_.path());
    if (!store) return "!" + store.message();
    std::string answer = ask(**store, kCount);
    EXPECT_EQ(ask(**store, kCount), answer);
    (*store)->rest();
    EXPECT_EQ(ask(**store, kCount), answer);
    return answer;
  }

  TestDatabase db_;
};

TEST_P(Beside, NothingIsMadeOrChanged) {
  ASSERT_EQ(db_.files(), GetParam().files);
  const Folder before = look(db_.directory());
  const std::string answer = rows();
  EXPECT_EQ(answer.substr(0, std::string(GetParam().rows).size()), GetParam().rows) << answer;
  EXPECT_EQ(look(db_.directory()), before);
}

TEST_P(Beside, ItIsTheSameWhereNothingCanBeWritten) {
  for (const auto& entry : fs::directory_iterator(db_.directory())) {
    ::chmod(entry.path().c_str(), 0444);
  }
  ::chmod(db_.directory().c_str(), 0555);
  const Folder before = look(db_.directory());
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr unsigned kNobody = 65534;
    const bool is_nobody = ::geteuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
    ::_exit(is_nobody && rows().starts_with(GetParam().rows) && !HasFailure() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::chmod(db_.directory().c_str(), 0755);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(look(db_.directory()), before);
}

INSTANTIATE_TEST_SUITE_P(States, Beside, ::testing::ValuesIn(kStates),
                         [](const auto& state) { return std::string(state.param.name); });

TEST(BesideAWriter, ItsFilesStayAndItTidiesUpAfterARest) {
  TestDatabase db;
  OtherProgram program(db.path());
  program.run(kWal);
  const auto files = db.files();
  ASSERT_EQ(files.size(), 3u);
  auto store = db.open();
  EXPECT_EQ(ask(*store, kCount), "1");
  program.run("INSERT INTO t VALUES(2)");
  EXPECT_EQ(ask(*store, kCount), "2");
  EXPECT_EQ(db.files(), files);
  store->rest();
  program.close();
  EXPECT_EQ(db.files(), kAlone);
  EXPECT_EQ(ask(*store, kCount), "2");
  EXPECT_EQ(db.files(), kAlone);
}

TEST(BesideAWriter, ALeasedConnectionIsNotClosed) {
  TestDatabase db;
  OtherProgram program(db.path());
  program.run(kWal);
  auto store = db.open();
  {
    auto lease = store->lease({});
    ASSERT_TRUE(lease);
    store->rest();
    EXPECT_EQ(ask(**lease, kCount), "1");
  }
  store->rest();
  program.close();
  EXPECT_EQ(db.files(), kAlone);
}

TEST(BesideAWriter, ItComesGoesAndCrashesWhileWeRead) {
  TestDatabase db(kWal);
  auto store = db.open();
  int rows = 1;
  for (int round = 0; round < 12; ++round) {
    OtherProgram program(db.path());
    for (int i = 0; i < 3; ++i) {
      program.run("INSERT INTO t VALUES(2)");
      EXPECT_EQ(ask(*store, kCount), std::to_string(++rows)) << round;
    }
    if (round % 3 == 1) store->rest();
    if (round % 2 == 1) program.crash();
    program.close();
    EXPECT_EQ(ask(*store, kCount), std::to_string(rows)) << round;
    if (round % 3 == 2) store->rest();
  }
  store->rest();
  OtherProgram(db.path()).run("INSERT INTO t VALUES(2)");
  EXPECT_EQ(db.files(), kAlone);
  EXPECT_EQ(ask(*store, kCount), std::to_string(rows + 1));
  EXPECT_EQ(db.files(), kAlone);
}

TEST(BesideAWriter, ADatabaseThatIsPutIntoWalModeMeanwhileGetsNoFiles) {
  TestDatabase db("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  auto store = db.open();
  EXPECT_EQ(ask(*store, kCount), "1");
  OtherProgram(db.path()).run("PRAGMA journal_mode=WAL; INSERT INTO t VALUES(2)");
  ASSERT_EQ(db.files(), kAlone);
  EXPECT_EQ(ask(*store, kCount), "2");
  EXPECT_EQ(db.files(), kAlone);
  OtherProgram(db.path()).run("PRAGMA journal_mode=DELETE; INSERT INTO t VALUES(3)");
  EXPECT_EQ(ask(*store, kCount), "3");
  EXPECT_EQ(db.files(), kAlone);
}

TEST(BesideAWriter, AWriterThatOpensACrashedDatabaseIsFollowed) {
  TestDatabase db;
  {
    OtherProgram program(db.path());
    program.run(kWal);
    program.crash();
  }
  auto store = db.open();
  EXPECT_EQ(ask(*store, kCount), "1");
  OtherProgram program(db.path());
  for (int rows = 2; rows < 6; ++rows) {
    program.run("INSERT INTO t VALUES(2)");
    EXPECT_EQ(ask(*store, kCount), std::to_string(rows));
  }
  program.run("PRAGMA wal_checkpoint(TRUNCATE); CREATE TABLE u(b)");
  EXPECT_EQ(ask(*store, kCount), "5");
  EXPECT_TRUE((*store->catalog())->find("u"));
}

TEST(BesideAWriter, AChangeWhileACrashedDatabaseIsReadIsReportedNotMixed) {
  TestDatabase db;
  {
    OtherProgram program(db.path());
    program.run(kWal);
    program.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 5000)"
        "INSERT INTO t SELECT hex(randomblob(100)) FROM n");
    program.crash();
  }
  auto store = db.open();
  auto lease = store->lease({});
  auto statement = testing::connection_of(lease).prepare("SELECT a FROM t");
  ASSERT_TRUE(statement->next());
  OtherProgram(db.path()).run("UPDATE t SET a = 'changed'; PRAGMA wal_checkpoint(TRUNCATE)");
  while (statement->next()) {
  }
  EXPECT_EQ(statement->status().code(), GANTRY_BUSY) << statement->status().message();
}

TEST(BesideAWriter, AGlanceOpensNothingWhileNothingIsCommitted) {
  TestDatabase db;
  OtherProgram program(db.path());
  program.run(kWal);
  auto store = db.open();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // Waits until the last write is old enough.
  std::uint64_t version = 0;
  for (bool is_quiet = false; !is_quiet && std::chrono::steady_clock::now() < end;) {
    ::usleep(200'000);
    const auto now = store->glance({});
    ASSERT_TRUE(now) << now.message();
    store->rest();
    const auto again = store->glance({});
    is_quiet = again && again->version == now->version;
    version = now->version;
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(store->glance({})->version, version);
  program.run("INSERT INTO t VALUES(2)");
  EXPECT_NE(store->glance({})->version, version);
  store->rest();
  program.close();
  EXPECT_EQ(db.files(), kAlone);
  EXPECT_TRUE(store->glance({}));
  EXPECT_EQ(db.files(), kAlone);
}

// Regression: reopening a connection after a rest counted as a commit.
TEST(BesideAWriter, ACommitCountsOnceHoweverOftenTheStoreRests) {
  TestDatabase db;
  OtherProgram program(db.path());
  program.run(kWal);
  auto store = db.open();
  const auto commits = [&] { return store->glance({})->commits; };
  for (int round = 2; round < 5; ++round) {
    const std::uint64_t before = commits();
    store->rest();
    program.run("INSERT INTO t VALUES(2)");
    EXPECT_EQ(ask(*store, kCount), std::to_string(round));
    const std::uint64_t counted = commits();
    EXPECT_EQ(counted, before + 1);
    for (int i = 0; i < 5; ++i) {
      store->rest();
      ASSERT_EQ(commits(), counted) << round << " " << i;
    }
  }
  const std::uint64_t before = commits();
  store->rest();
  program.run("PRAGMA wal_checkpoint(TRUNCATE); UPDATE t SET a = 9");
  EXPECT_GT(commits(), before);
  store->rest();
  program.close();
  EXPECT_EQ(db.files(), kAlone);
}

}  // namespace
}  // namespace gantry::data::beside_test
