// What a look at a real file sees of other programs' commits.
#include "watch/store_source.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tests/test_database.hpp"
#include "watch/ticker.hpp"

namespace gantry::data {
namespace {

class Looks : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    testing::Writer(database_.path()).run(std::string("PRAGMA journal_mode=") + GetParam());
    auto service = Service::open(database_.path());
    ASSERT_TRUE(service) << service.message();
    service_ = std::move(*service);
    source_.emplace(*service_, stopping_, PrintLimits{100, 1 << 20, 5000});
  }
  std::uint64_t version() {
    const auto sight = source_->look();
    EXPECT_TRUE(sight) << sight.message();
    return sight ? sight->version : 0;
  }

  // A file that was written a moment ago counts as changed for a little while.
  std::uint64_t settled_version() {
    for (auto before = version();; before = version()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (version() == before) return before;
    }
  }

  testing::TestDatabase database_{R"(
    CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT, x);
    CREATE TABLE b(id INTEGER PRIMARY KEY);
    INSERT INTO a VALUES(1,'one',1.5),(2,'two',x'00ff'),(3,NULL,7);)"};
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Service> service_;
  std::optional<StoreSource> source_;
};

TEST_P(Looks, ACommitChangesTheVersionAndOnlyTheRowsOfItsClass) {
  const auto before = settled_version();
  const auto a = source_->rows_of("a"), b = source_->rows_of("b");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(source_->rows_of("a"), a);
  testing::Writer writer(database_.path());
  writer.run("INSERT INTO a(t) VALUES('four')");
  EXPECT_NE(version(), before);
  EXPECT_NE(source_->rows_of("a"), a);
  EXPECT_EQ(source_->rows_of("b"), b);
}

TEST_P(Looks, AnUpdateInTheMiddleIsSeen) {
  version();
  const auto a = source_->rows_of("a");
  testing::Writer(database_.path()).run("UPDATE a SET x = x'00fe' WHERE id = 2");
  version();
  EXPECT_NE(source_->rows_of("a"), a);
}

TEST_P(Looks, RowsThatComeDoNotChangeASchemaAndColumnsDo) {
  version();
  const auto schema = source_->schema_of("a");
  testing::Writer writer(database_.path());
  writer.run("INSERT INTO a(t) VALUES('four')");
  version();
  EXPECT_EQ(source_->schema_of("a"), schema);
  writer.run("ALTER TABLE a ADD COLUMN extra TEXT");
  version();
  EXPECT_NE(source_->schema_of("a"), schema);
}

TEST_P(Looks, TablesThatComeAndGoAreSeen) {
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "b"}));
  testing::Writer writer(database_.path());
  writer.run("CREATE TABLE c(id INTEGER PRIMARY KEY); DROP TABLE b");
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(source_->rows_of("b"), std::nullopt);
}

TEST_P(Looks, ALargeClassIsNotComparedUntilItsSchemaChanges) {
  testing::Writer writer(database_.path());
  writer.run(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200)"
      " INSERT INTO b SELECT i FROM n");
  version();
  EXPECT_EQ(source_->rows_of("b"), std::nullopt);
  writer.run("DELETE FROM b");
  version();
  EXPECT_EQ(source_->rows_of("b"), std::nullopt);
  writer.run("ALTER TABLE b ADD COLUMN t TEXT");
  version();
  EXPECT_NE(source_->rows_of("b"), std::nullopt);
}

TEST_P(Looks, AReplacedFileIsLookedAtAnew) {
  const auto before = version();
  const auto a = source_->rows_of("a");
  testing::TestDatabase other("CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE z(id INTEGER)");
  for (const char* const side : {"-wal", "-shm"}) {
    std::filesystem::remove(database_.path() + side);
  }
  std::filesystem::rename(other.path(), database_.path());
  EXPECT_NE(version(), before);
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "z"}));
  EXPECT_NE(source_->rows_of("a"), a);
}

TEST_P(Looks, NoLockIsLeftBehind) {
  version();
  source_->rows_of("a");
  testing::Writer writer(database_.path());
  writer.run("PRAGMA busy_timeout=0; BEGIN EXCLUSIVE; DROP TABLE b; COMMIT; VACUUM");
}

TEST_P(Looks, AFileThatIsLockedOrGoneIsAnErrorAndThenComesBack) {
  const auto before = version();
  const std::string aside = database_.path() + ".aside";
  std::filesystem::rename(database_.path(), aside);
  EXPECT_FALSE(source_->look());
  EXPECT_EQ(source_->rows_of("a"), std::nullopt);
  std::filesystem::rename(aside, database_.path());
  testing::Writer(database_.path()).run("DELETE FROM a WHERE id = 1");
  EXPECT_NE(version(), before);
}

INSTANTIATE_TEST_SUITE_P(Journals, Looks, ::testing::Values("DELETE", "WAL"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST(Ticking, RunsWhenItIsTimeAndEndsAtOnce) {
  std::atomic<int> runs{0};
  {
    auto ticker = Ticker::start(std::chrono::milliseconds(1), [&] {
      ++runs;
      return std::chrono::milliseconds(1);
    });
    ASSERT_TRUE(ticker) << ticker.message();
    while (runs < 5) std::this_thread::yield();
  }
  const int at_the_end = runs;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(runs, at_the_end);
  const auto begin = std::chrono::steady_clock::now();
  {
    auto ticker = Ticker::start(std::chrono::minutes(1), [&] {
      ++runs;
      return std::chrono::milliseconds(1);
    });
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace gantry::data
