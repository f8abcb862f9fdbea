// Random writes against a model in memory: a typed class and a document class, single writes and
// batches, of which some must fail whole; by one process, and by two on one file at once, which
// share a counter. GANTRY_RANDOM_WRITES sets their number.
#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>

#include "ops/change/tests/written_database.hpp"

namespace gantry::data {
namespace {

constexpr const char* kStock = R"(
  CREATE TABLE things(code TEXT PRIMARY KEY, n INTEGER CHECK(n < 1000), label TEXT UNIQUE);
  CREATE TABLE papers(doc TEXT NOT NULL);
  CREATE TABLE counters(code TEXT PRIMARY KEY, n INTEGER NOT NULL);
  INSERT INTO counters VALUES ('both', 0);
)";
const char* const kPapers = R"({"class":"papers","table":"papers","document":"doc"})";

struct Thing {
  std::int64_t n = 0;
  std::string label;  // empty: none; unique among things
};
using Things = std::map<std::string, Thing>;

// How many each process has added to the shared counter.
using Sums = std::array<std::int64_t, 2>;

// One class; `takes_all`: the database has no rules about its values.
struct Shelf {
  std::string name;
  bool takes_all;
  Things things;
};

class RandomWritesTest : public WrittenDatabase {
 protected:
  void SetUp() override {
    WrittenDatabase::SetUp();
    // In memory, if it can be: each commit waits for the disk.
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
    make_ruled(kStock, {kPapers});
  }

  std::int64_t draw(std::int64_t below) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(below));
  }

  // A write of one object as JSON, applied to `things`; false: it must be refused.
  bool add_write(const Shelf& shelf, Things& things, std::string& json) {
    const std::string code = own_ + std::to_string(draw(12));
    const auto op = draw(4);
    const bool exists = things.count(code) > 0;
    if (op == 3) {
      json = R"({"op":"delete","object_id":")" + code + '"';
      return things.erase(code) > 0;
    }
    const std::int64_t n = draw(1010);
    const std::string label = draw(3) == 0 ? "" : "l" + own_ + std::to_string(draw(40));
    if (op == 0) {
      const std::string id = shelf.takes_all ? "_id" : "code";
      json = R"({"op":"create","data":{")" + id + R"(":")" + code + R"(","n":)" +
             std::to_string(n) + (label.empty() ? "" : R"(,"label":")" + label + '"') + "}";
      if (exists || !fits(shelf, things, code, n, label)) return false;
      things[code] = {n, label};
      return true;
    }
    const bool is_increment = op == 2;
    const std::int64_t after = is_increment && exists ? things[code].n + n : n;
    json = R"({"op":"update","object_id":")" + code + R"(","data":{"n":)" +
           (is_increment ? R"({"__op":"Increment","amount":)" + std::to_string(n) + "}"
                         : std::to_string(n)) +
           R"(,"label":)" + (label.empty() ? "null" : '"' + label + '"') + "}";
    if (!exists || !fits(shelf, things, code, after, label)) return false;
    things[code] = {after, label};
    return true;
  }

  static bool fits(const Shelf& shelf, const Things& things, const std::string& code,
                   std::int64_t n, const std::string& label) {
    if (shelf.takes_all) return true;
    for (const auto& [other, thing] : things) {
      if (other != code && !label.empty() && thing.label == label) return false;
    }
    return n < 1000;
  }

  void write(Shelf& shelf) {
    Things after = shelf.things;
    bool is_fine = true;
    std::string list;
    const auto size = draw(4) == 0 ? 1 + draw(5) : 1;
    const std::int64_t added = draw(3) == 0 ? draw(5) : 0;
    if (added != 0) {
      list = R"({"op":"update","class_name":"counters","object_id":"both","data":{"n":)"
             R"({"__op":"Increment","amount":)" +
             std::to_string(added) + "}}}";
    }
    for (std::int64_t i = 0; i < size && is_fine; ++i) {
      std::string one;
      is_fine = add_write(shelf, after, one);
      list += (list.empty() ? "" : ",") + one + R"(,"class_name":")" + shelf.name + "\"}";
    }
    const bool is_dry = draw(8) == 0;
    const auto answer =
        ask("transaction", R"({"writes":[)" + list + "]" + (is_dry ? R"(,"dry_run":true})" : "}"));
    ASSERT_EQ(answer.substr(0, 5) != "ERROR", is_fine) << list << "\n" << answer;
    if (!is_fine || is_dry) return;
    shelf.things = std::move(after);
    added_ += added;
  }

  void compare(const Shelf& shelf) {
    std::string expected;
    for (const auto& [code, thing] : shelf.things) {
      expected += code + "=" + std::to_string(thing.n) + thing.label + ";";
    }
    const std::string text =
        shelf.takes_all
            ? "SELECT coalesce(group_concat(x,''),'') FROM (SELECT doc->>'_id' || '=' || "
              "(doc->>'n') || coalesce(doc->>'label','') || ';' x FROM papers WHERE "
              "doc->>'_id' LIKE '" +
                  own_ + "%' ORDER BY doc->>'_id')"
            : "SELECT coalesce(group_concat(x,''),'') FROM (SELECT code || '=' || n || "
              "coalesce(label,'') || ';' x FROM things WHERE code LIKE '" +
                  own_ + "%' ORDER BY code)";
    ASSERT_EQ(sql(text), expected) << shelf.name;
  }

  static int wanted(int otherwise) {
    const char* const text = std::getenv("GANTRY_RANDOM_WRITES");
    return text == nullptr ? otherwise : std::atoi(text);
  }

  void write_at_random(int writes) {
    Shelf shelves[] = {{"things", false, {}}, {"papers", true, {}}};
    for (int i = 0; i < writes; ++i) {
      Shelf& shelf = shelves[i % 2];
      write(shelf);
      if (HasFatalFailure()) return;
      if (i % 50 < 2) compare(shelf);
      if (HasFatalFailure()) return;
    }
    for (const Shelf& shelf : shelves) compare(shelf);
  }

  // Writes as one of two processes; the service is this process's own.
  void write_as(std::size_t process, int writes, Sums& sums) {
    own_ = process == 0 ? "a" : "b";
    random_.seed(20261127 + process);
    open({});
    write_at_random(writes);
    sums[process] = added_;
    service_.reset();
  }

  void write_in_two_processes(const std::string& journal) {
    const int writes = wanted(4'000) / 2;
    service_.reset();  // no thread of it may be there at the fork
    run_sql(("PRAGMA journal_mode=" + journal).c_str());
    void* const shared =
        ::mmap(nullptr, sizeof(Sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    Sums& sums = *new (shared) Sums{};
    std::cout.flush();
    std::fflush(stdout);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    write_as(child == 0 ? 0 : 1, writes, sums);
    if (child == 0) {
      std::cout.flush();
      std::_Exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "the other process failed";
    EXPECT_GT(sums[0], 0);
    EXPECT_EQ(sql("SELECT n FROM counters"), std::to_string(sums[0] + sums[1]));
    EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
    ::munmap(shared, sizeof(Sums));
  }

  std::mt19937_64 random_{20261126};
  std::string own_ = "k";   // what keys and labels of this process begin with
  std::int64_t added_ = 0;  // to the counter
};

TEST_F(RandomWritesTest, TheDatabaseEqualsTheModel) {
  write_at_random(wanted(20'000));
  EXPECT_EQ(sql("SELECT n FROM counters"), std::to_string(added_));
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
}

TEST_F(RandomWritesTest, TwoProcessesWriteOneWalDatabase) { write_in_two_processes("wal"); }

TEST_F(RandomWritesTest, TwoProcessesWriteOneDatabaseWithAJournal) {
  write_in_two_processes("delete");
}

}  // namespace
}  // namespace gantry::data
