#include "host/observe/audit_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>

#include "tests/host/base/files.hpp"
#include "tests/host/observe/collected.hpp"

namespace gantry::host {
namespace {

using Time = std::chrono::system_clock::time_point;

struct AuditFileTest : testing::Test {
  std::unique_ptr<AuditFile> open() {
    auto file = AuditFile::open(options, log);
    EXPECT_TRUE(file) << file.message();
    return file ? std::move(*file) : nullptr;
  }
  std::string text(const std::string& suffix = "") const { return read_all(path + suffix); }
  bool exists(const std::string& suffix) const { return fs::exists(path + suffix); }
  // Each line on its own, so that rotation sees it alone.
  static void add(AuditFile& file, std::string line) {
    file.add(std::move(line));
    file.flush();
  }

  const TemporaryDirectory directory;
  const std::string path = directory.path() / "audit.jsonl";
  Collected out;
  Log log{{.level = Level::info, .fd = out.fd()}};
  AuditFileOptions options{.path = path, .keep = 2, .max_bytes = 20};
};

TEST_F(AuditFileTest, IsPrivateAndAppendedTo) {
  {
    const auto file = open();
    add(*file, "one");
  }
  struct stat found {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  const auto again = open();
  add(*again, "two");
  EXPECT_EQ(text(), "one\ntwo\n");
}

TEST_F(AuditFileTest, WritesTheWaitingRecordsWhenItEnds) {
  {
    const auto file = open();
    for (const char* line : {"a", "b", "c"}) file->add(line);
  }
  EXPECT_EQ(text(), "a\nb\nc\n");
}

TEST_F(AuditFileTest, IsRotatedBySizeAndKeepsSoMany) {
  const auto file = open();
  for (const char c : {'a', 'b', 'c', 'd'}) add(*file, std::string(12, c));
  EXPECT_EQ(text(), std::string(12, 'd') + "\n");
  EXPECT_EQ(text(".1"), std::string(12, 'c') + "\n");
  EXPECT_EQ(text(".2"), std::string(12, 'b') + "\n");
  EXPECT_FALSE(exists(".3"));
}

TEST_F(AuditFileTest, KeepsNoRotatedFileWithKeep0) {
  options.keep = 0;
  const auto file = open();
  add(*file, std::string(12, 'a'));
  add(*file, std::string(12, 'b'));
  EXPECT_EQ(text(), std::string(12, 'b') + "\n");
  EXPECT_FALSE(exists(".1"));
}

TEST_F(AuditFileTest, SplitsABurstAtTheSize) {
  {
    options.keep = 100;
    const auto file = open();
    for (int i = 0; i < 50; ++i) file->add("12345678");
  }
  std::size_t lines = 0;
  for (const auto& entry : fs::directory_iterator(directory.path())) {
    const std::string held = read_all(entry.path());
    EXPECT_LE(held.size(), options.max_bytes);
    lines += static_cast<std::size_t>(std::count(held.begin(), held.end(), '\n'));
  }
  EXPECT_EQ(lines, 50u);
}

TEST_F(AuditFileTest, IsRotatedAtTheFirstLineOfADay) {
  std::atomic<std::int64_t> hours{0};
  const Time begin = std::chrono::ceil<std::chrono::days>(std::chrono::system_clock::now());
  options.now = [&] { return begin + std::chrono::hours(hours); };
  options.max_bytes = 4'096;
  const auto file = open();
  add(*file, "monday");
  hours = 23;
  add(*file, "monday evening");
  hours = 25;
  add(*file, "tuesday");
  EXPECT_EQ(text(), "tuesday\n");
  EXPECT_EQ(text(".1"), "monday\nmonday evening\n");
}

TEST_F(AuditFileTest, DropsRecordsAtAFullQueueAndSaysSo) {
  std::mutex gate;
  options.max_waiting_bytes = 20;
  options.max_bytes = 4'096;
  options.now = [&] {
    std::lock_guard lock(gate);
    return std::chrono::system_clock::now();
  };
  const auto file = open();
  {
    std::lock_guard disk_is_slow(gate);
    file->add("first");
    for (int i = 0; i < 100; ++i) file->add("0123456789");
    EXPECT_GE(file->dropped(), 96u);
  }
  file->flush();
  add(*file, "last");
  const std::string held = text();
  // One line each time when the disk takes records again.
  std::uint64_t said = 0;
  const std::string member = "\"dropped\":";
  for (auto at = held.find(member); at != held.npos; at = held.find(member, at + 1))
    said += std::stoull(held.substr(at + member.size()));
  EXPECT_EQ(said, file->dropped()) << held;
  EXPECT_TRUE(held.ends_with("last\n"));
  log.flush();
  EXPECT_NE(out.text().find("audit records are dropped"), std::string::npos);
}

TEST_F(AuditFileTest, CountsRecordsThatTheDiskDoesNotTakeAndGoesOn) {
  options.keep = 1;
  const fs::path obstacle = path + ".1/inside";
  const auto file = open();
  add(*file, std::string(12, 'a'));
  fs::create_directories(obstacle);  // FILE cannot become FILE.1
  add(*file, std::string(12, 'b'));
  add(*file, std::string(12, 'c'));
  EXPECT_EQ(file->dropped(), 2u);
  EXPECT_EQ(text(), std::string(12, 'a') + "\n");
  fs::remove_all(path + ".1");
  add(*file, std::string(12, 'd'));
  const std::string held = text();
  EXPECT_NE(held.find("\"dropped\":2}\n" + std::string(12, 'd') + "\n"), held.npos) << held;
  EXPECT_EQ(file->dropped(), 2u);
  log.flush();
  EXPECT_NE(out.text().find("takes no records"), std::string::npos);
  EXPECT_NE(out.text().find("takes records again"), std::string::npos);
}

TEST_F(AuditFileTest, RefusesDirectoriesDevicesAndLinks) {
  for (const std::string& wrong :
       {directory.path().string(), std::string("/dev/null"), std::string("/no/such/dir/audit")}) {
    options.path = wrong;
    const auto file = AuditFile::open(options, log);
    ASSERT_FALSE(file) << wrong;
    EXPECT_NE(file.message().find("audit.file: " + wrong), std::string::npos) << file.message();
  }
  write_all(directory.path() / "target", "");
  fs::create_symlink(directory.path() / "target", directory.path() / "link");
  options.path = directory.path() / "link";
  EXPECT_FALSE(AuditFile::open(options, log));
}

}  // namespace
}  // namespace gantry::host
