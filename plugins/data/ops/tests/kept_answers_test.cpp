// Cached answers as callers see them: the same bytes as the engine's, and never older than the
// request.
#include "kept_answers.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace gantry::data {
namespace {

using testing::TestDatabase;
using testing::Writer;
namespace fs = std::filesystem;

// Waits until the file's times are old enough to identify its state without its change counter.
void age(const TestDatabase&) { std::this_thread::sleep_for(std::chrono::milliseconds(40)); }

TEST(KeptAnswers, AreTheEnginesBytesFromTheThirdTimeOn) {
  TestDatabase db(kTables);
  for (const std::string& request : {
           std::string(kQuery),
           std::string(R"({"op":"count","args":{"class_name":"t"}})"),
           std::string(R"({"op":"get","args":{"class_name":"t","object_id":"2"}})"),
           std::string(R"({"op":"get_many","args":{"class_name":"t","ids":["1","9"]}})"),
           std::string(R"({"op":"samples","args":{"class_name":"t"}})"),
           std::string(R"({"op":"distinct","args":{"class_name":"t","field":"s"}})"),
           std::string(R"({"op":"group_by","args":{"class_name":"t","field":"s"}})"),
           std::string(
               R"({"op":"aggregate","args":{"class_name":"t","pipeline":[{"$sort":{"v":1}}]}})"),
           std::string(R"({"op":"query","args":{"class_name":"t","format":"csv"}})"),
           std::string(R"({"op":"schema","args":{"class_name":"t"}})"),
           std::string(R"({"op":"schemas"})"),
       }) {
    KeptAnswers asked(db);
    const std::string fresh = asked.fresh(request);
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t found = asked.service->answers().found();
      EXPECT_EQ(asked.ask(request), fresh);
      EXPECT_EQ(asked.service->answers().found() - found, i < 2 ? 0u : 1u) << request << i;
    }
  }
}

TEST(KeptAnswers, AreThoseOfEveryWayToAskTheSame) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  ASSERT_TRUE(asked.keeps(R"({"op":"query","args":{"class_name":"t","order":"-v","limit":2}})"));
  EXPECT_TRUE(asked.is_kept(
      R"( {"args": {"limit": 2, "where": null, "order": "-v", "class_name": "t"}, "op": "query"} )"));
  EXPECT_FALSE(asked.is_kept(R"({"op":"query","args":{"class_name":"t","order":"-v","limit":3}})"));
  EXPECT_FALSE(asked.is_kept(
      R"({"op":"query","args":{"class_name":"t","order":"-v","limit":2,"where":{"v":2}}})"));
}

TEST(KeptAnswers, DependOnTheRequestAndTheCap) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  ASSERT_TRUE(asked.keeps(kQuery));
  EXPECT_FALSE(asked.is_kept(kQuery, 300)) << "another cap may cut rows off";
  EXPECT_FALSE(asked.is_kept(R"({"op":"query","args":{"class_name":"t","order":"v"}})"));
  EXPECT_FALSE(
      asked.is_kept(R"({"op":"query","args":{"class_name":"t","order":"-v","format":"csv"}})"));
  EXPECT_TRUE(asked.is_kept(kQuery));
}

TEST(KeptAnswers, AreNoneWhenTheyMayTakeNoBytes) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  asked.service->configure({true, false, false, 0});
  EXPECT_FALSE(asked.keeps(kQuery));
  asked.service->configure({true, false, false, 8000});  // of which one answer may use an eighth
  EXPECT_TRUE(asked.keeps(kQuery));
  asked.service->configure({true, false, false, 4000});
  EXPECT_FALSE(asked.keeps(kQuery));
}

TEST(KeptAnswers, AreNotThoseOfAnotherOperationInPlace) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  int runs = 0;
  for (int i = 0; i < 4; ++i) {
    const auto reply = asked.service->run(kQuery,
                                          [&](const Request&) -> Reply {
                                            return Reply{"", std::to_string(++runs)};
                                          },
                                          {Budget::for_ms(20'000), kAnswerCap, nullptr});
    EXPECT_EQ(text_of(reply), " " + std::to_string(i + 1));
  }
  EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery));
}

TEST(KeptAnswers, ErrorsAreNotKept) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  for (const char* request : {R"({"op":"count","args":{"class_name":"nothing"}})",
                              R"({"op":"get","args":{"class_name":"t","object_id":"99"}})",
                              R"({"op":"query","args":{"class_name":"t","limit":0}})"}) {
    EXPECT_FALSE(asked.keeps(request)) << request;
  }
}

TEST(KeptAnswers, ComeWithinADeadlineThatTheEngineWouldMiss) {
  TestDatabase db(kTables);
  KeptAnswers asked(db);
  ASSERT_TRUE(asked.keeps(kQuery));
  EXPECT_EQ(asked.ask(kQuery, Budget{1, {}}), asked.fresh(kQuery));
}

struct Change {
  const char* name;
  std::function<void(const TestDatabase&)> make;
};

std::vector<Change> changes() {
  const auto sql = [](const char* text) {
    return [text](const TestDatabase& db) { Writer(db.path()).run(text); };
  };
  return {
      {"written over with times set back",
       [](const TestDatabase& db) {
         const auto time = fs::last_write_time(db.path());
         Writer(db.path()).run("UPDATE t SET s = 'won' WHERE id = 1");
         fs::last_write_time(db.path(), time);
       }},
      {"insert", sql("INSERT INTO t VALUES(4, 40, 'four')")},
      {"update of the same length", sql("UPDATE t SET s = 'tri' WHERE s = 'one'")},
      {"update back", sql("UPDATE t SET s = 'one' WHERE s = 'tri'")},
      {"delete", sql("DELETE FROM t WHERE id = 4")},
      {"another table", sql("CREATE TABLE u(a); INSERT INTO u VALUES(1)")},
      {"a column", sql("ALTER TABLE t ADD COLUMN more TEXT DEFAULT 'x'")},
      {"a name", sql("ALTER TABLE t RENAME COLUMN more TO less")},
      {"vacuum", sql("VACUUM")},
      {"many in one", sql("BEGIN; UPDATE t SET v = v + 1; UPDATE t SET v = v * 2; COMMIT")},
      {"to WAL", sql("PRAGMA journal_mode=WAL; UPDATE t SET v = v + 1")},
      {"in WAL", sql("UPDATE t SET v = v + 1")},
      {"another file",
       [](const TestDatabase& db) {
         const std::string other = db.directory() + "/other.db";
         Writer(other).run(kTables);
         Writer(other).run("UPDATE t SET s = 'new'");
         fs::rename(other, db.path());
       }},
  };
}

TEST(KeptAnswers, EndWithEveryChange) {
  for (const bool is_aged : {false, true}) {
    TestDatabase db(kTables);
    KeptAnswers asked(db);
    for (const Change& change : changes()) {
      if (is_aged) age(db);
      ASSERT_TRUE(asked.keeps(kQuery)) << "before: " << change.name;
      change.make(db);
      EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery)) << change.name;
      EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery)) << change.name;
      EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery)) << change.name;
    }
  }
}

TEST(KeptAnswers, EndWithEveryCommitOfAWriterThatStays) {
  for (const char* mode : {"WAL", "DELETE", "TRUNCATE", "PERSIST"}) {
    TestDatabase db("PRAGMA journal_mode=" + std::string(mode) + ";" + kTables);
    Writer writer(db.path());
    writer.run("PRAGMA journal_mode=" + std::string(mode));
    KeptAnswers asked(db);
    for (int i = 0; i < 5; ++i) {
      writer.run("UPDATE t SET v = v + 1");
      EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery)) << mode;
      EXPECT_TRUE(asked.keeps(kQuery)) << mode;
      writer.run("BEGIN; UPDATE t SET v = v + 1000; ROLLBACK");
      EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery)) << mode;
    }
    if (std::string(mode) != "WAL") continue;
    ASSERT_TRUE(asked.keeps(kQuery));
    writer.run("UPDATE t SET v = 7; PRAGMA wal_checkpoint(TRUNCATE)");
    EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery));
    writer.run("UPDATE t SET v = 8 WHERE id = 1");
    EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery));
  }
}

// The model is checked once a second; so are the kinds of small classes after a commit.
void wait_for_a_look() { std::this_thread::sleep_for(std::chrono::milliseconds(1100)); }

TEST(KeptAnswers, EndWhenTheModelChanges) {
  TestDatabase db(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT);"
      R"(INSERT INTO t VALUES(1, '{"_id":"a","n":1}'))");
  KeptAnswers asked(db, with_model(db, R"({"class":"Other","table":"t"})"));
  const char* request = R"({"op":"samples","args":{"class_name":"Other"}})";
  ASSERT_TRUE(asked.keeps(request));
  const std::string before = asked.ask(request);
  std::ofstream(db.directory() + "/model/a.json")
      << R"({"class":"Other","table":"t","document":"body"})";
  wait_for_a_look();
  const std::string after = asked.ask(request);
  EXPECT_NE(after, before);
  EXPECT_NE(after.find(R"("n":1)"), std::string::npos) << after;
  EXPECT_TRUE(asked.keeps(request));
}

TEST(KeptAnswers, EndWhenTheKindsOfColumnsAreFoundAnew) {
  TestDatabase db("CREATE TABLE t(id INTEGER PRIMARY KEY, at); INSERT INTO t VALUES(1, 5)");
  KeptAnswers asked(db);
  const char* request = R"({"op":"schema","args":{"class_name":"t"}})";
  wait_for_a_look();
  ASSERT_TRUE(asked.keeps(request));
  Writer(db.path()).run("UPDATE t SET at = 'a text'");
  asked.ask(request);
  wait_for_a_look();
  EXPECT_EQ(asked.ask(request), asked.fresh(request));
}

// The commit happens after the request has checked the file and before it reads.
TEST(KeptAnswers, TheNextRequestSeesACommitBetweenLookAndRead) {
  for (const char* mode : {"WAL", "DELETE"}) {
    TestDatabase db("PRAGMA journal_mode=" + std::string(mode) + ";" + kTables);
    Writer writer(db.path());
    writer.run("UPDATE t SET v = v + 1");
    KeptAnswers asked(db);
    for (int i = 0; i < 10; ++i) {
      writer.run("UPDATE t SET v = v + 1");
      EXPECT_EQ(asked.ask(kQuery), asked.fresh(kQuery)) << mode;
      Budget budget = Budget::for_ms(20'000);
      bool is_done = false;
      budget.cancelled = [&] {
        if (std::exchange(is_done, true)) return false;
        writer.run("UPDATE t SET v = v + 1");
        return false;
      };
      const std::string during = asked.ask(kQuery, budget);
      EXPECT_TRUE(is_done);
      EXPECT_EQ(during, asked.fresh(kQuery)) << mode;
      EXPECT_EQ(asked.ask(kQuery), during) << mode;
    }
  }
}

// Eight concurrent requests over few connections, while a writer commits after each cache hit:
// every answer was correct at some time between request and answer.
TEST(KeptAnswers, WereTrueBetweenAskingAndAnswering) {
  constexpr int kCommits = 60;
  const std::string count =
      R"({"op":"aggregate","args":{"class_name":"t","pipeline":[)"
      R"({"$group":{"_id":null,"n":{"$sum":"$v"}}},{"$project":{"_id":0}}]}})";
  for (const char* mode : {"WAL", "DELETE"}) {
    TestDatabase db("PRAGMA journal_mode=" + std::string(mode) +
                    "; CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER);"
                    "INSERT INTO t VALUES(1, 0), (2, 0)");
    KeptAnswers asked(db, {3, {}});
    std::atomic<int> begun = 0, committed = 0;
    std::atomic<bool> is_over = false;
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] {
        while (!is_over) {
          const int least = committed;
          const auto reply =
              asked.service->run(count, {Budget::for_ms(60'000), kAnswerCap, nullptr});
          const int most = begun;
          EXPECT_TRUE(reply) << reply.error().message;
          if (!reply) return void(is_over = true);
          const int sum = std::stoi(reply->rows.substr(reply->rows.find(':') + 1));
          EXPECT_EQ(sum % 2, 0);
          EXPECT_GE(sum / 2, least) << mode;
          EXPECT_LE(sum / 2, most) << mode;
        }
      });
    }
    {
      Writer writer(db.path());
      writer.run("PRAGMA busy_timeout=60000");
      for (int i = 0; i < kCommits && !is_over; ++i) {
        const std::uint64_t found = asked.service->answers().found();
        while (!is_over && asked.service->answers().found() < found + 3) std::this_thread::yield();
        ++begun;
        writer.run("UPDATE t SET v = v + 1");
        ++committed;
      }
    }
    is_over = true;
    for (auto& reader : readers) reader.join();
  }
}

}  // namespace
}  // namespace gantry::data
