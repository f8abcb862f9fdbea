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
    source_.emplace(*service_, notes_, stopping_, Effort{5000, {}});
  }
  std::uint64_t version() {
    const auto state = source_->look();
    EXPECT_TRUE(state) << state.message();
    return state ? state->version : 0;
  }

  Content of(const std::string& name, ResourcePart part) {
    return source_->content_of({name, part});
  }
  Content count_of(const std::string& name) { return of(name, ResourcePart::count); }
  Content samples_of(const std::string& name) { return of(name, ResourcePart::samples); }

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
  ReadNotes notes_;
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Service> service_;
  std::optional<StoreSource> source_;
};

TEST_P(Looks, ACommitChangesTheVersionAndOnlyTheCountOfItsClass) {
  const auto before = settled_version();
  const auto a = count_of("a"), b = count_of("b");
  ASSERT_EQ(a.state, Content::State::known);
  EXPECT_EQ(count_of("a"), a);
  testing::Writer writer(database_.path());
  writer.run("INSERT INTO a(t) VALUES('four')");
  EXPECT_NE(version(), before);
  EXPECT_NE(count_of("a"), a);
  EXPECT_EQ(count_of("b"), b);
}

TEST_P(Looks, AnUpdateInTheMiddleChangesTheSamplesAndNotTheCount) {
  version();
  const auto count = count_of("a"), samples = samples_of("a");
  testing::Writer(database_.path()).run("UPDATE a SET x = x'00fe' WHERE id = 2");
  version();
  EXPECT_EQ(count_of("a"), count);
  EXPECT_NE(samples_of("a"), samples);
}

TEST_P(Looks, AnUpdateOfInternalColumnsChangesNothing) {
  const auto before = settled_version();
  const auto count = count_of("users"), samples = samples_of("users");
  const auto schema = of("users", ResourcePart::schema);
  testing::Writer(database_.path()).run("UPDATE users SET sessionToken = 'other'");
  EXPECT_NE(version(), before);
  EXPECT_EQ(count_of("users"), count);
  EXPECT_EQ(samples_of("users"), samples);
  testing::Writer(database_.path()).run("ALTER TABLE users ADD COLUMN password_hash TEXT");
  testing::Writer(database_.path()).run("CREATE INDEX by_hash ON users(password_hash)");
  version();
  EXPECT_EQ(of("users", ResourcePart::schema), schema);
  testing::Writer(database_.path()).run("UPDATE users SET name = 'Eve' WHERE id = 2");
  version();
  EXPECT_NE(samples_of("users"), samples);
}

TEST_P(Looks, RowsThatComeDoNotChangeASchemaAndColumnsDo) {
  version();
  const auto schema = of("a", ResourcePart::schema);
  testing::Writer writer(database_.path());
  writer.run("INSERT INTO a(t) VALUES('four')");
  version();
  EXPECT_EQ(of("a", ResourcePart::schema), schema);
  writer.run("ALTER TABLE a ADD COLUMN extra TEXT");
  version();
  EXPECT_NE(of("a", ResourcePart::schema), schema);
}

TEST_P(Looks, TablesThatComeAndGoAreSeen) {
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "b", "users"}));
  testing::Writer writer(database_.path());
  writer.run("CREATE TABLE c(id INTEGER PRIMARY KEY); DROP TABLE b");
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "c", "users"}));
}

TEST_P(Looks, AResourceThatTakesTooLongIsLeftAloneForAWhile) {
  StoreSource hasty(*service_, notes_, stopping_, Effort{0, std::chrono::hours(1)});
  EXPECT_EQ(hasty.content_of({"a", ResourcePart::count}).state, Content::State::unknowable);
  StoreSource patient(*service_, notes_, stopping_, Effort{0, std::chrono::milliseconds(0)});
  EXPECT_EQ(patient.content_of({"a", ResourcePart::count}).state, Content::State::unknowable);
}

TEST_P(Looks, RecentReadsAreKnownForTwoTurns) {
  const ResourceUri what{"a", ResourcePart::count};
  EXPECT_EQ(source_->read_lately(what), std::nullopt);
  notes_.note(what, "one");
  EXPECT_EQ(source_->read_lately(what), content_fingerprint(what.part, "one"));
  notes_.turn();
  EXPECT_EQ(source_->read_lately(what), content_fingerprint(what.part, "one"));
  notes_.note(what, "two");
  EXPECT_EQ(source_->read_lately(what), std::nullopt) << "they differ";
  notes_.turn();
  EXPECT_EQ(source_->read_lately(what), content_fingerprint(what.part, "two"));
  notes_.turn();
  EXPECT_EQ(source_->read_lately(what), std::nullopt);
}

TEST_P(Looks, AReplacedFileIsLookedAtAnew) {
  const auto before = version();
  const auto a = count_of("a");
  testing::TestDatabase other("CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE z(id INTEGER)");
  for (const char* const side : {"-wal", "-shm"}) {
    std::filesystem::remove(database_.path() + side);
  }
  std::filesystem::rename(other.path(), database_.path());
  EXPECT_NE(version(), before);
  EXPECT_EQ(source_->look()->classes, (std::vector<std::string>{"a", "z"}));
  EXPECT_NE(count_of("a"), a);
}

TEST_P(Looks, NoLockIsLeftBehind) {
  version();
  count_of("a");
  testing::Writer writer(database_.path());
  writer.run("PRAGMA busy_timeout=0; BEGIN EXCLUSIVE; DROP TABLE b; COMMIT; VACUUM");
}

TEST_P(Looks, AFileThatIsLockedOrGoneIsAnErrorAndThenComesBack) {
  const auto before = version();
  const std::string aside = database_.path() + ".aside";
  std::filesystem::rename(database_.path(), aside);
  EXPECT_FALSE(source_->look());
  EXPECT_EQ(count_of("a").state, Content::State::later);
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

TEST(ReadNotes, NoticeAReadThatDiffersWhenNoMoreAreTaken) {
  ReadNotes notes;
  const auto what = [](std::size_t i) {
    return ResourceUri{"c" + std::to_string(i), ResourcePart::count};
  };
  for (std::size_t i = 0; i < ReadNotes::kMost; ++i) notes.note(what(i), "one");
  notes.note(what(3), "two");
  EXPECT_EQ(notes.of(what(3)), std::nullopt) << "they differ";
  EXPECT_EQ(notes.of(what(4)), content_fingerprint(ResourcePart::count, "one"));
  notes.note(what(ReadNotes::kMost), "one");
  EXPECT_EQ(notes.of(what(ReadNotes::kMost)), std::nullopt) << "one too many";
}

}  // namespace
}  // namespace gantry::data
