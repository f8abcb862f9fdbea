// Commits of other programs to a real file, as a look sees them.
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
    source_.emplace(*service_, stopping_);
  }
  std::uint64_t version() {
    const auto state = source_->look();
    EXPECT_TRUE(state) << state.message();
    return state ? state->version : 0;
  }

  Content of(const std::string& name, ResourcePart part) {
    return source_->content_of({name, part});
  }
  Content schema_of(const std::string& name) { return of(name, ResourcePart::schema); }

  // A file counts as changed for a short time after a write.
  std::uint64_t settled_version() {
    for (auto before = version();; before = version()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (version() == before) return before;
    }
  }

  testing::TestDatabase database_{R"(
    CREATE TABLE a(id INTEGER PRIMARY KEY, t TEXT, x);
    CREATE TABLE b(id INTEGER PRIMARY KEY);
    CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, sessionToken TEXT);
    INSERT INTO users VALUES(1,'Ada','s1'),(2,'Bob','s2');
    INSERT INTO a VALUES(1,'one',1.5),(2,'two',x'00ff'),(3,NULL,7);)"};
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Service> service_;
  std::optional<StoreSource> source_;
};

TEST_P(Looks, ACommitChangesTheVersionAndOnlyTheSchemaOfItsClass) {
  const auto before = settled_version();
  const auto a = schema_of("a"), b = schema_of("b");
  ASSERT_EQ(a.state, Content::State::known);
  EXPECT_EQ(schema_of("a"), a);
  testing::Writer(database_.path()).run("ALTER TABLE a ADD COLUMN more TEXT");
  EXPECT_NE(version(), before);
  EXPECT_NE(schema_of("a"), a);
  EXPECT_EQ(schema_of("b"), b);
}

TEST_P(Looks, WhichRowsAReaderSeesIsNotForTheSourceToSay) {
  version();
  for (const ResourcePart part : {ResourcePart::count, ResourcePart::samples})
    EXPECT_EQ(of("a", part).state, Content::State::unknowable) << part_name(part);
}

TEST_P(Looks, InternalColumnsAreNotInASchema) {
  const auto before = settled_version();
  const auto schema = schema_of("users");
  testing::Writer(database_.path()).run("UPDATE users SET sessionToken = 'other'");
  EXPECT_NE(version(), before);
  testing::Writer(database_.path()).run("ALTER TABLE users ADD COLUMN password_hash TEXT");
  testing::Writer(database_.path()).run("CREATE INDEX by_hash ON users(password_hash)");
  version();
  EXPECT_EQ(schema_of("users"), schema);
}

TEST_P(Looks, RowsThatComeDoNotChangeASchemaAndColumnsDo) {
  version();
  const auto schema = schema_of("a");
  testing::Writer writer(database_.path());
  writer.run("INSERT INTO a(t) VALUES('four')");
  version();
  EXPECT_EQ(schema_of("a"), schema);
  writer.run("ALTER TABLE a ADD COLUMN extra TEXT");
  version();
  EXPECT_NE(schema_of("a"), schema);
}

TEST_P(Looks, TablesThatComeAndGoAreSeen) {
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "b", "users"}));
  testing::Writer writer(database_.path());
  writer.run("CREATE TABLE c(id INTEGER PRIMARY KEY); DROP TABLE b");
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "c", "users"}));
}

TEST_P(Looks, AReplacedFileIsLookedAtAnew) {
  const auto before = version();
  const auto a = schema_of("a");
  testing::TestDatabase other("CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE z(id INTEGER)");
  for (const char* const side : {"-wal", "-shm"}) {
    std::filesystem::remove(database_.path() + side);
  }
  std::filesystem::rename(other.path(), database_.path());
  EXPECT_NE(version(), before);
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "z"}));
  EXPECT_NE(schema_of("a"), a);
}

TEST_P(Looks, NoLockIsLeftBehind) {
  version();
  schema_of("a");
  testing::Writer writer(database_.path());
  writer.run("PRAGMA busy_timeout=0; BEGIN EXCLUSIVE; DROP TABLE b; COMMIT; VACUUM");
}

TEST_P(Looks, AFileThatIsLockedOrGoneIsAnErrorAndThenComesBack) {
  const auto before = version();
  const std::string aside = database_.path() + ".aside";
  std::filesystem::rename(database_.path(), aside);
  EXPECT_FALSE(source_->look());
  EXPECT_EQ(schema_of("a").state, Content::State::later);
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

TEST(Ticking, RunsNowWhenItIsWoken) {
  std::atomic<int> runs{0};
  auto ticker = Ticker::start(std::chrono::minutes(10), [&] {
    ++runs;
    return std::chrono::minutes(10);
  });
  ASSERT_TRUE(ticker) << ticker.message();
  for (int woken = 1; woken <= 3; ++woken) {
    (*ticker)->wake();
    while (runs < woken) std::this_thread::yield();
  }
  EXPECT_EQ(runs, 3);
}

}  // namespace
}  // namespace gantry::data
