// The file of records: order, bounds, modes, processes, damage.
#include "journal/record_log.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "journal/tests/journal_directory.hpp"

namespace gantry::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordLogTest : public JournalDirectory {
 protected:
  std::unique_ptr<RecordLog> open(std::uint64_t bytes = 1U << 20U, int age_ms = 60'000) {
    auto log = RecordLog::open(file(), {bytes, std::chrono::milliseconds(age_ms)},
                               [this](const std::string& text) { said_ += text; });
    EXPECT_TRUE(log) << log.message();
    return log ? std::move(*log) : nullptr;
  }
  std::string file() const { return (directory_ / "log").string(); }

  static Status append(RecordLog& log, const std::string& id, const std::string& body = "body",
                       const std::string& replaces = "") {
    return log.append({id, replaces, "head of " + id, body});
  }
  static std::vector<std::string> ids(RecordLog& log) {
    std::vector<std::string> ids;
    const auto entries = log.newest(kEnd, 1000);
    for (const auto& entry : *entries) ids.push_back(entry.id);
    return ids;
  }
};

TEST_F(RecordLogTest, ListsTheNewestFirstAndGoesOnWhereAListEnded) {
  const auto log = open();
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(append(*log, id));
  const auto first = *log->newest(kEnd, 2);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].id, "c");
  EXPECT_EQ(first[0].head, "head of c");
  const auto rest = *log->newest(first[1].number, 2);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].id, "a");
}

TEST_F(RecordLogTest, IsPendingUntilItIsSettled) {
  const auto log = open();
  ASSERT_TRUE(append(*log, "kept"));
  ASSERT_TRUE(append(*log, "dropped"));
  EXPECT_EQ(log->pending()->size(), 2U);
  ASSERT_TRUE(log->settle("kept", true));
  ASSERT_TRUE(log->settle("dropped", false));
  EXPECT_EQ(log->pending()->size(), 0U);
  EXPECT_THAT(ids(*log), ElementsAre("kept"));
  EXPECT_FALSE(log->find("dropped")->has_value());
  EXPECT_EQ(*log->body("kept"), "body");
}

TEST_F(RecordLogTest, TheNewestKeptReplacementCounts) {
  const auto log = open();
  ASSERT_TRUE(append(*log, "w"));
  EXPECT_EQ(*log->replacement("w"), "");
  ASSERT_TRUE(append(*log, "u1", "", "w"));
  EXPECT_EQ(*log->replacement("w"), "");  // not committed yet
  ASSERT_TRUE(log->settle("u1", true));
  EXPECT_EQ(*log->replacement("w"), "u1");
  ASSERT_TRUE(append(*log, "u2", "", "w"));
  EXPECT_EQ(*log->replacement("w"), "u1");
  ASSERT_TRUE(log->settle("u2", true));
  EXPECT_EQ(*log->replacement("w"), "u2");
  ASSERT_TRUE(append(*log, "u3", "", "w"));
  ASSERT_TRUE(log->settle("u3", false));
  EXPECT_EQ(*log->replacement("w"), "u2");
  EXPECT_EQ(*open()->replacement("w"), "u2");
}

TEST_F(RecordLogTest, RemovesTheOldestBeyondItsBytes) {
  const auto log = open(4000);
  for (const char* id : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(append(*log, id, std::string(1300, 'x')));
  }
  EXPECT_THAT(ids(*log), ElementsAre("d", "c"));
  EXPECT_EQ(append(*log, "large", std::string(4000, 'x')).code(), GANTRY_TOO_BIG);
  EXPECT_THAT(ids(*log), ElementsAre("d", "c"));
  // What was removed makes room again.
  ASSERT_TRUE(log->settle("c", false));
  ASSERT_TRUE(append(*log, "e", std::string(1300, 'x')));
  EXPECT_THAT(ids(*log), ElementsAre("e", "d"));
}

TEST_F(RecordLogTest, TheFileStaysNearItsBytes) {
  const auto log = open(256U << 10U);
  for (int i = 0; i < 400; ++i)
    ASSERT_TRUE(append(*log, std::to_string(i), std::string(8000, 'x')));
  EXPECT_LE(std::filesystem::file_size(file()), (256U << 10U) + 128U);
  EXPECT_GT(ids(*log).size(), 28U);
}

TEST_F(RecordLogTest, TheNewestTakeTheRoomOfTheOldestAndTheOthersStayWhole) {
  constexpr std::uint64_t kBytes = 32U << 10U;
  auto log = open(kBytes);
  std::mt19937_64 random(20261128);
  std::vector<std::string> bodies;
  for (int i = 0; i < 1500; ++i) {
    // Now and then one that takes nearly all room.
    const std::size_t most = i % 200 == 150 ? kBytes - 200 : 4000;
    bodies.push_back(std::string(random() % most, static_cast<char>('a' + i % 26)));
    ASSERT_TRUE(append(*log, std::to_string(i), bodies.back())) << i;
    const std::vector<std::string> there = ids(*log);
    ASSERT_FALSE(there.empty());
    for (std::size_t back = 0; back < there.size(); ++back) {
      const std::size_t at = bodies.size() - 1 - back;
      ASSERT_EQ(there[back], std::to_string(at));
      if (back % 5 > 0) continue;
      ASSERT_EQ(*log->body(there[back]), bodies[at]);
    }
    if (i % 100 == 0) log = open(kBytes);
  }
  EXPECT_LE(std::filesystem::file_size(file()), kBytes + 128);
  EXPECT_EQ(said_, "");
}

TEST_F(RecordLogTest, AFileOfAnotherLimitIsGoneOnWith) {
  int next = 0;
  std::size_t least = 0;
  for (const std::uint64_t kib : {64U, 16U, 128U, 8U, 8U, 64U}) {
    const auto log = open(kib << 10U);
    EXPECT_GE(ids(*log).size(), least) << kib;
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(append(*log, std::to_string(next), std::string(1000, 'x')));
      ASSERT_EQ(ids(*log).front(), std::to_string(next++));
      ASSERT_LT(ids(*log).size() * 1000, kib << 10U);
    }
    least = kib / 2;
    EXPECT_GE(ids(*log).size(), least) << kib;
  }
  EXPECT_EQ(said_, "");
}

TEST_F(RecordLogTest, RemovedRecordsAreOverwritten) {
  const auto log = open(4000);
  const auto holds = [this](const std::string& text) {
    std::ifstream in(file(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return bytes.find(text) != bytes.npos;
  };
  ASSERT_TRUE(append(*log, "a", std::string(1300, 'x') + "first"));
  ASSERT_TRUE(append(*log, "b", std::string(1300, 'x') + "second"));
  EXPECT_TRUE(holds("first"));
  ASSERT_TRUE(append(*log, "c", std::string(500, 'x')));
  ASSERT_TRUE(append(*log, "d", std::string(500, 'x')));
  EXPECT_FALSE(holds("first"));
  EXPECT_TRUE(holds("second"));
  ASSERT_TRUE(log->settle("b", false));
  EXPECT_FALSE(holds("second"));
}

TEST_F(RecordLogTest, AFrameThatAKilledProcessDidNotCountIsNotThere) {
  { ASSERT_TRUE(append(*open(), "a")); }
  {
    std::ofstream out(file(), std::ios::binary | std::ios::app);
    out << std::string(700, 'x');
  }
  const auto log = open();
  EXPECT_THAT(ids(*log), ElementsAre("a"));
  ASSERT_TRUE(append(*log, "b"));
  EXPECT_THAT(ids(*log), ElementsAre("b", "a"));
  EXPECT_EQ(said_, "");
}

TEST_F(RecordLogTest, EachUserOfTheFileSeesThePendingRecordsOfOthers) {
  const auto one = open(), other = open();
  ASSERT_TRUE(append(*one, "a"));
  ASSERT_TRUE(one->settle("a", true));
  EXPECT_EQ(one->pending()->size(), 0U);
  ASSERT_TRUE(append(*other, "b"));
  ASSERT_EQ(one->pending()->size(), 1U);
  EXPECT_EQ(one->pending()->front().id, "b");
  ASSERT_TRUE(append(*one, "c"));
  ASSERT_TRUE(one->settle("c", true));
  EXPECT_EQ(one->pending()->front().id, "b");
  ASSERT_TRUE(other->settle("b", true));
  EXPECT_EQ(one->pending()->size(), 0U);
  EXPECT_EQ(other->pending()->size(), 0U);
}

TEST_F(RecordLogTest, WaitsForAnotherUserOfTheFile) {
  const auto log = open();
  LockedFile other(file());
  ASSERT_TRUE(other.open());
  ASSERT_TRUE(other.lock());
  std::atomic<bool> is_free = false;
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_free = true;
    other.unlock();
  });
  EXPECT_TRUE(append(*log, "a"));
  EXPECT_TRUE(is_free);
  user.join();
}

TEST_F(RecordLogTest, RefusesAnIdThatHasNoRoom) {
  const auto log = open();
  const std::string longest(24, 'i'), longer(25, 'i');
  EXPECT_TRUE(append(*log, longest));
  EXPECT_FALSE(append(*log, longer));
  EXPECT_FALSE(append(*log, "a", "body", longer));
  EXPECT_TRUE(log->find(longest)->has_value());
  EXPECT_FALSE(log->find(longer)->has_value());
  EXPECT_EQ(*log->replacement(longer), "");
}

TEST_F(RecordLogTest, RemovesExpiredRecordsAndDoesNotShowThem) {
  const auto log = open(1U << 20U, 1500);
  ASSERT_TRUE(append(*log, "old"));
  EXPECT_THAT(ids(*log), ElementsAre("old"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1600));
  EXPECT_THAT(ids(*log), ElementsAre());
  EXPECT_FALSE(log->find("old")->has_value());
  ASSERT_TRUE(append(*log, "new"));
  EXPECT_EQ(log->pending()->size(), 1U);  // the old one is gone, not only hidden
}

TEST_F(RecordLogTest, IsForItsOwnerAlone) {
  const auto log = open();
  ASSERT_TRUE(append(*log, "a"));
  struct stat found {};
  ASSERT_EQ(::stat(file().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(RecordLogTest, SurvivesTheEndOfItsProcess) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto log = RecordLog::open(file(), {1U << 20U, std::chrono::hours(1)}, [](const auto&) {});
    const bool done = log && append(**log, "a") && (*log)->settle("a", true) && append(**log, "b");
    ::kill(::getpid(), done ? SIGKILL : SIGTERM);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  const auto log = open();
  EXPECT_THAT(ids(*log), ElementsAre("b", "a"));
  EXPECT_EQ(log->pending()->size(), 1U);
}

TEST_F(RecordLogTest, SeveralThreadsAndFilesOfOneProcessMayAppend) {
  const auto first = open(), second = open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string id = std::to_string(t) + "-" + std::to_string(i);
        EXPECT_TRUE(append(t % 2 == 0 ? *first : *second, id));
        EXPECT_TRUE((t % 2 == 0 ? *second : *first).settle(id, true));
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(ids(*first).size(), 200U);
  EXPECT_EQ(second->pending()->size(), 0U);
}

TEST_F(RecordLogTest, ADamagedFileIsSetAsideAndSaid) {
  {
    const auto log = open();
    for (int i = 0; i < 100; ++i)
      ASSERT_TRUE(append(*log, std::to_string(i), std::string(900, 'x')));
  }
  {
    std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(4096 * 3);
    out << std::string(4096 * 4, '\xff');
  }
  const auto log = open();
  EXPECT_THAT(said_, HasSubstr("is damaged; it is now"));
  EXPECT_TRUE(std::filesystem::exists(file() + ".damaged"));
  EXPECT_THAT(ids(*log), ElementsAre());
  EXPECT_TRUE(append(*log, "a"));
}

TEST_F(RecordLogTest, AFileOfAnotherKindIsSetAside) {
  std::ofstream(file()) << "SQLite format 3 and so on, but no records";
  const auto log = open();
  EXPECT_THAT(said_, HasSubstr("is damaged; it is now"));
  EXPECT_TRUE(append(*log, "a"));
}

TEST_F(RecordLogTest, NoticesDamageWhileItIsOpen) {
  const auto log = open();
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(append(*log, id));
  {
    std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(128);
    out << std::string(64, '\xff');
  }
  EXPECT_TRUE(log->is_there());
  EXPECT_FALSE(log->newest(kEnd, 10));
  EXPECT_FALSE(log->is_there());
  EXPECT_THAT(ids(*open()), ElementsAre());
}

TEST_F(RecordLogTest, SaysWhyItCannotBeOpenedWithoutItsDirectory) {
  std::filesystem::create_directory(file());
  const auto log = RecordLog::open(file(), {1U << 20U, std::chrono::hours(1)}, [](const auto&) {});
  ASSERT_FALSE(log);
  EXPECT_EQ(log.message(), "log cannot be used: it is no file");
}

TEST_F(RecordLogTest, NoticesThatItsFileWasRemoved) {
  const auto log = open();
  EXPECT_TRUE(log->is_there());
  std::filesystem::rename(file(), file() + ".aside");
  EXPECT_FALSE(log->is_there());
  const auto next = open();
  EXPECT_FALSE(log->is_there());
  EXPECT_TRUE(next->is_there());
}

TEST_F(RecordLogTest, AFileThatWasEmptiedIsBegunAnew) {
  const auto log = open();
  for (const char* id : {"a", "b"}) ASSERT_TRUE(append(*log, id, "body", "x"));
  EXPECT_TRUE(log->settle("a", true));
  EXPECT_EQ(*log->replacement("x"), "a");
  std::filesystem::resize_file(file(), 0);
  EXPECT_THAT(*log->pending(), ElementsAre());
  EXPECT_TRUE(append(*log, "c", "body", "x"));
  EXPECT_TRUE(log->settle("c", true));
  EXPECT_THAT(ids(*log), ElementsAre("c"));
  EXPECT_EQ(*log->replacement("x"), "c");
}

// As a machine without power leaves it.
TEST_F(RecordLogTest, AFileThatLacksItsEndIsSetAside) {
  for (const char* id : {"a", "b"}) ASSERT_TRUE(append(*open(), id, std::string(1000, 'b')));
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) - 500);
  EXPECT_THAT(ids(*open()), ElementsAre());
  EXPECT_THAT(said_, HasSubstr("is damaged"));
}

TEST_F(RecordLogTest, APlaceOutsideOfTheFileIsDamage) {
  const auto log = open();
  for (const char* id : {"a", "b"}) ASSERT_TRUE(append(*log, id));
  {
    std::fstream out(file(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(40);  // the newest frame's
    out << std::string(8, '\xf0');
  }
  EXPECT_FALSE(log->pending());
  EXPECT_FALSE(log->is_there());
  EXPECT_THAT(ids(*open()), ElementsAre());
}

}  // namespace
}  // namespace gantry::data
