// The file of records: order, bounds, modes, processes, damage.
#include "journal/record_log.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
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
}

TEST_F(RecordLogTest, RemovesTheOldestBeyondItsBytes) {
  const auto log = open(4000);
  for (const char* id : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(append(*log, id, std::string(1200, 'x')));
  }
  EXPECT_THAT(ids(*log), ElementsAre("d", "c"));
  EXPECT_EQ(append(*log, "large", std::string(4000, 'x')).code(), GANTRY_TOO_BIG);
  EXPECT_THAT(ids(*log), ElementsAre("d", "c"));
  // What was removed makes room again.
  ASSERT_TRUE(log->settle("c", false));
  ASSERT_TRUE(append(*log, "e", std::string(1200, 'x')));
  EXPECT_THAT(ids(*log), ElementsAre("e", "d"));
}

TEST_F(RecordLogTest, TheFileStaysNearItsBytes) {
  const auto log = open(256U << 10U);
  for (int i = 0; i < 400; ++i)
    ASSERT_TRUE(append(*log, std::to_string(i), std::string(8000, 'x')));
  EXPECT_LT(std::filesystem::file_size(file()), 512U << 10U);
  EXPECT_LT(std::filesystem::file_size(file() + "-wal"), 5U << 20U);
}

TEST_F(RecordLogTest, RemovesWhatIsTooOldAndDoesNotShowIt) {
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
  for (const char* suffix : {"", "-wal", "-shm"}) {
    struct stat found {};
    ASSERT_EQ(::stat((file() + suffix).c_str(), &found), 0) << suffix;
    EXPECT_EQ(found.st_mode & 0777U, 0600U) << suffix;
  }
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

TEST_F(RecordLogTest, SaysWhyItCannotBeOpenedWithoutItsDirectory) {
  std::filesystem::create_directory(file());
  const auto log = RecordLog::open(file(), {1U << 20U, std::chrono::hours(1)}, [](const auto&) {});
  ASSERT_FALSE(log);
  EXPECT_EQ(log.message(), "log cannot be used: it is no file");
}

TEST_F(RecordLogTest, NoticesThatItsFileWasRemoved) {
  const auto log = open();
  EXPECT_TRUE(log->is_there());
  std::filesystem::remove(file());
  EXPECT_FALSE(log->is_there());
}

}  // namespace
}  // namespace gantry::data
