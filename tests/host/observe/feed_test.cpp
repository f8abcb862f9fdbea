#include "host/observe/feed.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "host/observe/record_files.hpp"
#include "tests/host/base/files.hpp"

namespace gantry::host::feed_test {
namespace {

std::string record(const std::string& tool, const std::string& more = "\"success\":true",
                   const std::string& time = "2026-11-26T10:00:00.000Z") {
  return R"({"time":")" + time + R"(","tool":")" + tool + R"(","plugin":"p","agent":"local",)" +
         more + "}";
}

std::string texts(const std::vector<FeedRecord>& records) {
  std::string out;
  for (const FeedRecord& each : records) out += std::to_string(each.number) + *each.json + " ";
  return out;
}

TEST(Feed, GivesTheRecordsAfterANumber) {
  Feed feed(3);
  EXPECT_EQ(feed.newest(), 0u);
  EXPECT_EQ(texts(feed.after(0, 10)), "");
  for (const char* each : {"a", "b", "c", "d"}) feed.add(each);
  EXPECT_EQ(texts(feed.all()), "2b 3c 4d ") << "the oldest one made room";
  EXPECT_EQ(texts(feed.after(3, 10)), "4d ");
  EXPECT_EQ(texts(feed.after(0, 2)), "2b 3c ");
  EXPECT_EQ(texts(feed.after(4, 10)), "");
  EXPECT_EQ(texts(feed.after(99, 10)), "");
}

TEST(Feed, SaysThatARecordCame) {
  Feed feed;
  std::uint64_t newest = 0;
  feed.added().connect(&newest, [&] { newest = feed.newest(); });
  feed.add("a");
  EXPECT_EQ(newest, 1u) << "the record is there by then";
  feed.added().disconnect(&newest);
  feed.add("b");
  EXPECT_EQ(newest, 1u);
}

TEST(Feed, KnowsItsOwnCursorsAlone) {
  Feed feed, other;
  EXPECT_EQ(feed.number_of(feed.cursor(7)), 7u);
  EXPECT_FALSE(feed.number_of(other.cursor(7)));
  for (const char* text : {"", "7", "x-7"}) EXPECT_FALSE(feed.number_of(text)) << text;
  EXPECT_FALSE(feed.number_of(feed.cursor(7) + "x"));
}

TEST(Feed, IsReadWhileItIsWritten) {
  Feed feed(64);
  std::thread writer([&feed] {
    for (int i = 0; i < 20'000; ++i) feed.add("x");
  });
  std::uint64_t seen = 0;
  while (seen < 20'000) {
    for (const FeedRecord& each : feed.after(seen, 16)) {
      ASSERT_GT(each.number, seen);
      seen = each.number;
    }
  }
  writer.join();
}

TEST(RecordFilter, WantsRecordsThatMatchEveryMember) {
  const std::string ok = record("query", R"("success":true,"correlation_id":"c1")");
  const std::string denied =
      record("query", R"("success":false,"error_code":"access_denied","denial_kind":"hidden")");
  const std::string failed = record("other", R"("success":false,"error_code":"timeout")");
  const auto found = [&](const RecordFilter& filter) {
    return std::string(filter.wants(ok) ? "o" : "") + (filter.wants(denied) ? "d" : "") +
           (filter.wants(failed) ? "f" : "");
  };
  EXPECT_EQ(found({}), "odf");
  EXPECT_EQ(found({.tool = "query"}), "od");
  EXPECT_EQ(found({.tool = "quer"}), "") << "a part of a name is another name";
  EXPECT_EQ(found({.agent = "ops"}), "");
  EXPECT_EQ(found({.plugin = "p"}), "odf");
  EXPECT_EQ(found({.denial_kind = "hidden"}), "d");
  EXPECT_EQ(found({.outcome = "ok"}), "o");
  EXPECT_EQ(found({.outcome = "denied"}), "d");
  EXPECT_EQ(found({.outcome = "error"}), "f");
  EXPECT_EQ(found({.outcome = "timeout"}), "f");
  EXPECT_EQ(found({.correlation_id = "c1"}), "o");
  EXPECT_EQ(found({.from = "2026-11-26T10:00:00.000Z"}), "odf");
  EXPECT_EQ(found({.to = "2026-11-26T10:00:00.000Z"}), "");
  for (const char* text : {"", "{", "[]", "{\"dropped\":3}"}) {
    EXPECT_FALSE(RecordFilter{}.wants(text)) << text;
  }
}

TEST(RecordFiles, AreSearchedFromTheNewestRecordOn) {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "audit";
  const std::string filler(600'000, 'x');  // so that a file is read in several parts
  write_all(directory.path() / "audit.2", record("t1") + "\n");
  write_all(directory.path() / "audit.1",
            record("t2") + "\n" + record("t3", "\"success\":true,\"note\":\"" + filler + "\"") +
                "\n" + record("t4", "\"success\":true,\"note\":\"" + filler + "\"") + "\n");
  write_all(file, record("t5") + "\n{\"dropped\":2}\n" + record("t6") + "\n{\"time\":\"cut");
  const auto all = search_record_files(file, {}, 10, std::chrono::seconds(60));
  std::string tools;
  for (const std::string& each : all.records) {
    RecordFacts facts;
    ASSERT_TRUE(read_record(each, facts));
    tools += facts.tool + " ";
  }
  EXPECT_EQ(tools, "t6 t5 t4 t3 t2 t1 ");
  EXPECT_FALSE(all.more);
  EXPECT_EQ(all.oldest, "2026-11-26T10:00:00.000Z");
  const auto some = search_record_files(file, {}, 2, std::chrono::seconds(60));
  EXPECT_EQ(some.records.size(), 2u);
  EXPECT_TRUE(some.more);
  EXPECT_TRUE(search_record_files(directory.path() / "none", {}, 2, std::chrono::seconds(60))
                  .records.empty());
}

}  // namespace
}  // namespace gantry::host::feed_test
