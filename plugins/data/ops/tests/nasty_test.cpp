// Unusual databases: odd keys, odd names, other programs at work.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "ops/service.hpp"

namespace gantry::data {
namespace {

class Nasty : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("gantry-nasty-" + std::to_string(::getpid()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "a.db";
  }
  void TearDown() override {
    service_.reset();
    std::filesystem::remove_all(folder_);
  }

  void run_sql(const std::string& sql) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    char* error = nullptr;
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
    sqlite3_close(db);
  }

  Outcome<Reply> run(const std::string& op, const std::string& args,
                     const Budget& budget = Budget::for_ms(20'000)) {
    if (!service_) {
      auto service = Service::open(path_.string());
      EXPECT_TRUE(service) << service.message();
      service_ = std::move(*service);
      ReadSettings settings;
      settings.row_form = JsonDialect::parse;
      service_->configure(settings);
    }
    return service_->run(R"({"op":")" + op + R"(","args":)" + args + "}",
                         {budget, 4u << 20, nullptr});
  }
  std::string rows(const std::string& op, const std::string& args) {
    const auto reply = run(op, args);
    return reply ? reply->rows : "ERROR " + reply.error().code + ": " + reply.error().message;
  }
  std::string meta(const std::string& op, const std::string& args) {
    const auto reply = run(op, args);
    return reply ? reply->meta : "ERROR " + reply.error().code + ": " + reply.error().message;
  }

  // Reads all pages of `limit` rows; returns the text of every row, in order.
  std::vector<std::string> pages(const std::string& cls, const std::string& order, int limit) {
    std::vector<std::string> all;
    for (std::size_t skip = 0;; skip = all.size()) {
      const auto reply =
          run("query", R"({"class_name":")" + cls + R"(","order":")" + order + R"(","limit":)" +
                           std::to_string(limit) + R"(,"skip":)" + std::to_string(skip) + "}");
      EXPECT_TRUE(reply) << reply.error().message;
      if (!reply) return all;
      rapidjson::Document list, meta;
      list.Parse(reply->rows.c_str());
      meta.Parse(reply->meta.c_str());
      for (const auto& row : list.GetArray()) {
        all.emplace_back(row.HasMember("n") ? std::to_string(row["n"].GetInt()) : "?");
      }
      if (!meta["pagination"]["has_more"].GetBool()) return all;
    }
  }

  std::filesystem::path folder_, path_;
  std::unique_ptr<Service> service_;
};

// Every id in a query's answer finds its row, alone and together with others.
TEST_F(Nasty, EveryIdLeadsBackToItsRow) {
  run_sql(R"sql(
    CREATE TABLE ints(id INTEGER PRIMARY KEY, n); INSERT INTO ints VALUES
      (-9223372036854775808,1),(-1,2),(0,3),(9007199254740993,4),(9223372036854775807,5);
    CREATE TABLE reals(id REAL PRIMARY KEY, n); INSERT INTO reals VALUES
      (0.1,1),(1.0,2),(-1e300,3),(9e999,4),(5e-324,5);
    CREATE TABLE blobs(id BLOB PRIMARY KEY, n); INSERT INTO blobs VALUES
      (x'',1),(x'00',2),(x'ff00',3),('text',4);
    CREATE TABLE texts(id TEXT PRIMARY KEY, n); INSERT INTO texts VALUES
      ('',1),('a,b',2),('100%',3),('%2C',4),(' ',5),(char(0),6),('"\',7),('0x00',8),('é😀',9);
    CREATE TABLE loose(id PRIMARY KEY, n); INSERT INTO loose VALUES ('a',1),(2,2),(2.5,3),(x'01',4);
    CREATE TABLE pairs(a, b, n, PRIMARY KEY(a,b)) WITHOUT ROWID; INSERT INTO pairs VALUES
      ('',''  ,1),(',','%',2),(1,x'00',3),('%null',1,4),(1.5,'x',5);
    CREATE TABLE nulls(a TEXT, b TEXT, n, PRIMARY KEY(a,b)); INSERT INTO nulls VALUES
      (NULL,'x',1),('x',NULL,2),('%null','x',3);
    CREATE TABLE nocase(id TEXT COLLATE NOCASE PRIMARY KEY, n); INSERT INTO nocase VALUES
      ('Abc',1),('abd',2);
    CREATE TABLE none(v, n); INSERT INTO none(rowid,v,n) VALUES (-5,'x',1),(7,'y',2);
    CREATE TABLE taken(rowid TEXT, n); INSERT INTO taken VALUES ('not the row id',1);
    CREATE VIRTUAL TABLE fts USING fts5(n, body); INSERT INTO fts VALUES (1,'hello world');
    CREATE VIRTUAL TABLE tree USING rtree(id, x0, x1, +n); INSERT INTO tree VALUES (3,1,2,1);
    CREATE TABLE made(id INTEGER PRIMARY KEY, n, v AS (n*2), s AS (n||'!') STORED);
    INSERT INTO made VALUES (1,1),(2,2);
    CREATE TABLE st(id ANY PRIMARY KEY, n INT) STRICT; INSERT INTO st VALUES ('1',1),(x'31',2);)sql");
  for (const char* cls : {"ints", "reals", "blobs", "texts", "loose", "pairs", "nulls", "nocase",
                          "none", "taken", "fts", "tree", "made", "st"}) {
    const std::string name = cls;
    rapidjson::Document list;
    list.Parse(rows("query", R"({"class_name":")" + name + "\"}").c_str());
    ASSERT_TRUE(list.IsArray() && !list.Empty()) << name;
    std::set<std::string> ids;
    for (const auto& row : list.GetArray()) {
      const std::string id(row["objectId"].GetString(), row["objectId"].GetStringLength());
      EXPECT_TRUE(ids.insert(id).second) << name << " has two rows of id " << id;
      std::string quoted;
      for (const char c : id) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\0' ? std::string("\\u0000") : std::string(1, c);
      }
      rapidjson::Document found;
      found.Parse(
          rows("get", R"({"class_name":")" + name + R"(","object_id":")" + quoted + "\"}").c_str());
      ASSERT_TRUE(found.IsObject()) << name << " " << quoted;
      EXPECT_TRUE(found == row) << name << " " << quoted;
      const std::string one = R"({"class_name":")" + name + R"(","where":{"objectId":")" + quoted;
      EXPECT_EQ(meta("count", one + "\"}}"), R"({"count":1})") << name << " " << quoted;
      EXPECT_NE(meta("get_many", R"({"class_name":")" + name + R"(","ids":[")" + quoted + "\"]}")
                    .find(R"("found":1)"),
                std::string::npos)
          << name << " " << quoted;
    }
  }
  EXPECT_EQ(meta("get", R"({"class_name":"nocase","object_id":"ABC"})").substr(0, 15),
            "ERROR not_found");
}

TEST_F(Nasty, AnIdOfTheWrongShapeIsMissingForEveryKindOfKey) {
  run_sql(R"sql(CREATE TABLE ints(id INTEGER PRIMARY KEY); INSERT INTO ints VALUES(1);
                CREATE TABLE pairs(a, b, PRIMARY KEY(a,b)); INSERT INTO pairs VALUES(1,2);)sql");
  EXPECT_EQ(meta("get_many", R"({"class_name":"ints","ids":["x","1"]})"),
            R"({"missing":["x"],"requested":2,"found":1})");
  EXPECT_EQ(meta("get_many", R"({"class_name":"pairs","ids":["x","1,2","%zz,1","1,2,3"]})"),
            R"({"missing":["x","%zz,1","1,2,3"],"requested":4,"found":1})");
  EXPECT_EQ(meta("get_many", R"({"class_name":"pairs","ids":["x"]})"),
            R"({"missing":["x"],"requested":1,"found":0})");
  for (const char* args :
       {R"({"class_name":"ints","object_id":"x"})", R"({"class_name":"pairs","object_id":"x"})"}) {
    EXPECT_EQ(meta("get", args).substr(0, 15), "ERROR not_found") << args;
  }
  for (const char* args : {R"({"class_name":"ints","where":{"objectId":"x"}})",
                           R"({"class_name":"pairs","where":{"objectId":"x"}})"}) {
    EXPECT_EQ(meta("count", args).substr(0, 19), "ERROR invalid_query") << args;
  }
}

TEST_F(Nasty, PagesShowEveryRowOnceUnderEveryOrder) {
  run_sql(R"sql(
    CREATE TABLE t(id INTEGER PRIMARY KEY, n INT, tie TEXT, doc JSON, at TEXT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<97)
    INSERT INTO t SELECT i, i, CASE i%3 WHEN 0 THEN NULL ELSE i%2 END,
      json_object('k', i%5), '2026-01-0'||(1+i%9) FROM c;
    CREATE INDEX by_tie ON t(tie);
    CREATE TABLE pair(a TEXT, b INT, n INT, PRIMARY KEY(a,b)) WITHOUT ROWID;
    INSERT INTO pair SELECT n%4, n, n FROM t;
    CREATE TABLE holes(a TEXT PRIMARY KEY, n INT);
    INSERT INTO holes SELECT CASE WHEN n%2 THEN n END, n FROM t;
    CREATE VIEW v AS SELECT n, tie FROM t UNION ALL SELECT n+100, tie FROM t;)sql");
  const std::vector<std::pair<std::string, std::vector<std::string>>> orders = {
      {"t", {"", "tie", "-tie", "doc.k", "-doc.k,tie", "at", "-at", "objectId", "-objectId", "-n"}},
      {"pair", {"", "a", "-b", "-objectId"}},
      {"holes", {"", "a", "-a", "objectId"}},
      {"v", {"", "tie", "-tie", "n"}}};
  for (const auto& [cls, list] : orders) {
    const std::size_t size = cls == "v" ? 194 : 97;
    for (const std::string& order : list) {
      const auto seen = pages(cls, order, 10);
      EXPECT_EQ(seen.size(), size) << cls << " by '" << order << "'";
      EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), size)
          << cls << " by '" << order << "'";
    }
  }
}

TEST_F(Nasty, NamesMayBeAnything) {
  run_sql(R"sql(
    CREATE TABLE "a.b"("c.d" TEXT, "" TEXT, "`x`" TEXT, "q""q" TEXT, "select" TEXT);
    INSERT INTO "a.b" VALUES ('1','2','3','4','5');
    CREATE TABLE "ta`ble"(n); INSERT INTO "ta`ble" VALUES(1);
    CREATE TABLE "quo""te"(n); INSERT INTO "quo""te" VALUES(1);
    CREATE TABLE "😀 table"(n); INSERT INTO "😀 table" VALUES(1);
    CREATE TABLE "it's"(n); INSERT INTO "it's" VALUES(1);
    CREATE TABLE "[x]"(n); INSERT INTO "[x]" VALUES(1);)sql");
  EXPECT_EQ(rows("query", R"({"class_name":"a.b","where":{"c.d":"1","":"2"},"order":"`x`,-q\"q"})"),
            R"([{"objectId":"1","c.d":"1","":"2","`x`":"3","q\"q":"4","select":"5"}])");
  EXPECT_EQ(rows("query", R"({"class_name":"a.b","keys":["c.d"]})"),
            R"([{"objectId":"1","c.d":"1"}])");
  for (const char* name : {"ta`ble", R"(quo\"te)", "😀 table", "it's", "[x]"}) {
    EXPECT_EQ(meta("count", std::string(R"({"class_name":")") + name + "\"}"), R"({"count":1})");
  }
}

TEST_F(Nasty, ColumnsWithTheNamesOfOursKeepTheirMeaning) {
  run_sql(R"sql(
    CREATE TABLE own(objectId TEXT PRIMARY KEY, createdAt TEXT, updatedAt INTEGER, _id TEXT);
    INSERT INTO own VALUES ('k','2026-11-21','1763758800000','mine');
    CREATE TABLE loud(PASSWORD TEXT, Session_Token TEXT, SessionToken TEXT, _AUTH_DATA_x TEXT, n);
    INSERT INTO loud VALUES ('p','s','t','a',1);)sql");
  EXPECT_EQ(rows("query", R"({"class_name":"own","where":{"_id":"mine"}})"),
            R"([{"objectId":"k","createdAt":"2026-11-21T00:00:00.000Z",)"
            R"("updatedAt":"2025-11-21T21:00:00.000Z","_id":"mine"}])");
  EXPECT_EQ(rows("query", R"({"class_name":"loud"})"),
            R"([{"objectId":"1","Session_Token":"s","n":1}])");
}

TEST_F(Nasty, AZeroAmongInstantsLeavesThemInstants) {
  run_sql(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, deleted_at INTEGER, never_at INTEGER);
                INSERT INTO t VALUES (1,1763758800,0),(2,0,0),(3,NULL,0);)sql");
  EXPECT_EQ(rows("query", R"({"class_name":"t","keys":["deleted_at","never_at"],"limit":2})"),
            R"([{"objectId":"1","deleted_at":{"__type":"Date","iso":"2025-11-21T21:00:00.000Z"},)"
            R"("never_at":0},{"objectId":"2",)"
            R"("deleted_at":{"__type":"Date","iso":"1970-01-01T00:00:00.000Z"},"never_at":0}])");
}

TEST_F(Nasty, TwoThousandColumnsCanBeReadWithAKeyAndByKeysWithout) {
  std::string columns;
  for (int i = 0; i < 1999; ++i) columns += ",c" + std::to_string(i);
  run_sql("CREATE TABLE keyed(id INTEGER PRIMARY KEY" + columns + ");CREATE TABLE bare(c" +
          columns +
          ");INSERT INTO keyed(id,c1998) VALUES(1,'2026');INSERT INTO bare(c7) VALUES(7);");
  EXPECT_NE(rows("query", R"({"class_name":"keyed"})").find(R"("c1998":"2026")"),
            std::string::npos);
  EXPECT_EQ(rows("query", R"({"class_name":"bare","keys":["c7"]})"),
            R"([{"objectId":"1","c7":7}])");
  const std::string refused = rows("query", R"({"class_name":"bare"})");
  EXPECT_EQ(refused.substr(0, 22), "ERROR invalid_argument") << refused;
  EXPECT_NE(refused.find("in keys"), std::string::npos) << refused;
}

TEST_F(Nasty, TextsOfAUtf16DatabaseCompareAsInAnyOther) {
  for (const char* encoding : {"UTF-16le", "UTF-16be", "UTF-8"}) {
    service_.reset();
    std::filesystem::remove(path_);
    run_sql(std::string("PRAGMA encoding='") + encoding + R"sql(';
      CREATE TABLE t(id TEXT PRIMARY KEY); INSERT INTO t VALUES ('b'),('ā'),('a'),('ÿx'),('😀'),('豈');)sql");
    EXPECT_EQ(rows("query", R"({"class_name":"t","order":"id","keys":["objectId"]})"),
              R"([{"objectId":"a"},{"objectId":"b"},{"objectId":"ÿx"},{"objectId":"ā"},)"
              R"({"objectId":"豈"},{"objectId":"😀"}])")
        << encoding;
    EXPECT_EQ(meta("count", R"({"class_name":"t","where":{"id":{"$gt":"b"}}})"), R"({"count":4})")
        << encoding;
    EXPECT_EQ(meta("count", R"({"class_name":"t","where":{"id":{"$regex":"^ÿ"}}})"),
              R"({"count":1})")
        << encoding;
    EXPECT_EQ(meta("count", R"({"class_name":"t","where":{"id":{"$in":["ā","b","z"]}}})"),
              R"({"count":2})")
        << encoding;
    EXPECT_EQ(rows("get", R"({"class_name":"t","object_id":"😀"})"), R"({"objectId":"😀","id":"😀"})")
        << encoding;
  }
}

TEST_F(Nasty, ADamagedPageIsAStoreErrorAndOtherTablesGoOn) {
  run_sql(R"sql(PRAGMA page_size=4096; CREATE TABLE good(n); INSERT INTO good VALUES(1);
    CREATE TABLE bad(id INTEGER PRIMARY KEY, body TEXT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<2000)
    INSERT INTO bad SELECT i, printf('%.*c', 300, 'x') FROM c;)sql");
  {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    for (int page = 20; page < 60; ++page) {
      file.seekp(page * 4096);
      file << std::string(4096, '\xEE');
    }
  }
  EXPECT_EQ(meta("count", R"({"class_name":"bad","where":{"body":{"$regex":"y"}}})").substr(0, 17),
            "ERROR store_error");
  EXPECT_EQ(meta("count", R"({"class_name":"good"})"), R"({"count":1})");
}

TEST_F(Nasty, FilesThatComeAndGo) {
  run_sql("CREATE TABLE t(n); INSERT INTO t VALUES(1);");
  EXPECT_EQ(meta("count", R"({"class_name":"t"})"), R"({"count":1})");
  const auto other = folder_ / "b.db";
  std::filesystem::copy_file(path_, other);
  std::filesystem::remove(path_);
  EXPECT_EQ(meta("count", R"({"class_name":"t"})").substr(0, 17), "ERROR store_error");
  std::filesystem::rename(other, path_);
  EXPECT_EQ(meta("count", R"({"class_name":"t"})"), R"({"count":1})");
  run_sql("INSERT INTO t VALUES(2); VACUUM; PRAGMA page_size=8192; VACUUM;");
  EXPECT_EQ(meta("count", R"({"class_name":"t"})"), R"({"count":2})");
  std::ofstream(path_, std::ios::trunc);
  EXPECT_EQ(meta("count", R"({"class_name":"t"})").substr(0, 5), "ERROR");
  run_sql("CREATE TABLE u(n); INSERT INTO u VALUES(3);");
  EXPECT_EQ(meta("count", R"({"class_name":"u"})"), R"({"count":1})");
}

// Locks the file as another program would, on a separate thread so that waits can be timed.
TEST_F(Nasty, ALockedFileCostsNoMoreThanTheBudget) {
  run_sql("PRAGMA journal_mode=DELETE; CREATE TABLE t(n); INSERT INTO t VALUES(1);");
  EXPECT_EQ(meta("count", R"({"class_name":"t"})"), R"({"count":1})");
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "BEGIN EXCLUSIVE; INSERT INTO t VALUES(2)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  std::filesystem::last_write_time(path_, std::filesystem::file_time_type::clock::now());
  const auto started = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const auto reply = run("count", R"({"class_name":"t"})", Budget::for_ms(300));
      ASSERT_FALSE(reply);
      EXPECT_EQ(reply.error().code, "timeout") << reply.error().message;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::milliseconds(1500));
  sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  EXPECT_EQ(meta("count", R"({"class_name":"t"})"), R"({"count":2})");
}

TEST_F(Nasty, SlowMatchersHeedTheBudget) {
  run_sql(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT, doc JSON);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<400)
    INSERT INTO t SELECT i, printf('%.*c', 5000, 'a')||'!',
      '{"k":['||substr(replace(printf('%.*c', 60000, 'x'),'x','1,2,'),1,239999)||']}' FROM c;)sql");
  (void)run("count", R"({"class_name":"t","where":{"id":1}})");
  const auto started = std::chrono::steady_clock::now();
  const auto slow =
      run("count", R"({"class_name":"t","where":{"doc.k":{"$gt":5}}})", Budget::for_ms(100));
  ASSERT_FALSE(slow) << slow->meta;
  EXPECT_EQ(slow.error().code, "timeout") << slow.error().message;
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::milliseconds(600));
  const auto reply = run("count", R"({"class_name":"t","where":{"body":{"$regex":"^(a+)+$"}}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "invalid_query");
  EXPECT_EQ(reply.error().message.substr(0, 25), "The $regex exceeds the ma")
      << reply.error().message;
}

TEST_F(Nasty, DeeplyNestedJsonIsReadOrRefused) {
  run_sql(R"sql(CREATE TABLE t(id INTEGER PRIMARY KEY, doc JSON, n);
    INSERT INTO t SELECT 1, '{"k":'||replace(hex(zeroblob(150000)),'00','[')||'1'
      ||replace(hex(zeroblob(150000)),'00',']')||'}', 1;)sql");
  EXPECT_EQ(rows("query", R"({"class_name":"t","keys":["doc.k"]})"),
            R"([{"objectId":"1","doc":null}])");
  EXPECT_GT(rows("query", R"({"class_name":"t","keys":["doc"]})").size(), 300'000u);
  EXPECT_EQ(meta("count", R"({"class_name":"t","where":{"doc.k":[[[1]]]}})"), R"({"count":0})");
  EXPECT_EQ(rows("query", R"({"class_name":"t","keys":["n"],"order":"doc.k,-doc"})"),
            R"([{"objectId":"1","n":1}])");
}

// Eight threads read while the schema changes under them.
TEST_F(Nasty, ReadersNeverSeeASchemaThatIsGone) {
  run_sql(
      "PRAGMA journal_mode=WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t "
      "VALUES(1,1);");
  (void)run("count", R"({"class_name":"t"})");
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 8; ++i) {
    readers.emplace_back([&] {
      while (!done) {
        const auto reply = run("query", R"({"class_name":"t"})");
        EXPECT_TRUE(reply) << reply.error().message;
      }
    });
  }
  for (int i = 0; i < 40; ++i) {
    run_sql(i % 2 == 0 ? "ALTER TABLE t ADD COLUMN b" : "ALTER TABLE t DROP COLUMN b");
  }
  done = true;
  for (auto& reader : readers) reader.join();
}

}  // namespace
}  // namespace gantry::data
