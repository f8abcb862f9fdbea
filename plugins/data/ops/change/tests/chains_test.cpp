// What foreign keys do to rows that they reach in several ways, by other spellings of a key, in
// circles: previews count it exactly, undo puts it back, and undo of undo does it again.
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "ops/change/tests/recorded_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Rows with all of their values, by table and id.
using AllRows = std::map<std::pair<std::string, std::int64_t>, std::string>;

class ChainsTest : public RecordedDatabase {
 protected:
  AllRows all() {
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    const auto each = [db](const std::string& text, auto&& take) {
      sqlite3_stmt* statement = nullptr;
      EXPECT_EQ(sqlite3_prepare_v2(db, text.c_str(), -1, &statement, nullptr), SQLITE_OK) << text;
      while (sqlite3_step(statement) == SQLITE_ROW) take(statement);
      sqlite3_finalize(statement);
    };
    const auto text_at = [](sqlite3_stmt* row, int at) {
      return std::string(reinterpret_cast<const char*>(sqlite3_column_text(row, at)));
    };
    AllRows rows;
    each(
        "SELECT m.name, group_concat('quote(`' || c.name || '`)', '||'' ''||') FROM sqlite_schema "
        "m,"
        " pragma_table_info(m.name) c WHERE m.type = 'table' GROUP BY 1",
        [&](sqlite3_stmt* table) {
          const std::string name = text_at(table, 0);
          each("SELECT rowid, " + text_at(table, 1) + " FROM `" + name + "`",
               [&](sqlite3_stmt* row) {
                 rows[{name, sqlite3_column_int64(row, 0)}] = text_at(row, 1);
               });
        });
    sqlite3_close(db);
    return rows;
  }

  // What a preview has to say of the difference, without the row that the write names.
  static std::string cascades(const AllRows& before, const AllRows& after,
                              const AllRows::key_type& written) {
    std::map<std::pair<std::string, bool>, int> counts;
    for (const auto& [key, values] : before) {
      const auto now = after.find(key);
      const bool is_gone = now == after.end();
      if (key == written || (!is_gone && now->second == values)) continue;
      ++counts[{key.first, is_gone}];
    }
    std::string text;
    for (const auto& [which, rows] : counts) {
      text += std::string(text.empty() ? "" : ",") + R"({"class_name":")" + which.first +
              R"(","operation":")" + (which.second ? "delete" : "update") + R"(","rows":)" +
              std::to_string(rows) + "}";
    }
    return text;
  }

  struct Wanted {
    std::string op, table;
    std::int64_t id;
    std::string data = {};  // of an update
  };

  // False: the database refuses the write.
  bool is_exact(const Wanted& wanted) {
    const AllRows before = all();
    const std::string args = R"({"class_name":")" + wanted.table + R"(","object_id":")" +
                             std::to_string(wanted.id) + '"' +
                             (wanted.data.empty() ? "" : R"(,"data":)" + wanted.data);
    const std::string shown = write(wanted.op, args + R"(,"dry_run":true})");
    if (write(wanted.op, args + "}").starts_with("ERROR")) {
      EXPECT_THAT(shown, StartsWith("ERROR"));
      return false;
    }
    const AllRows after = all();
    const std::string follows = cascades(before, after, {wanted.table, wanted.id});
    if (follows.empty()) {
      EXPECT_THAT(shown, Not(HasSubstr("cascades"))) << args;
    } else {
      EXPECT_THAT(shown, HasSubstr(R"("cascades":[)" + follows + "]")) << args;
    }
    EXPECT_EQ(undo_last(), "") << args;
    EXPECT_EQ(all(), before) << args;
    EXPECT_EQ(undo_last(), "") << args;
    EXPECT_EQ(all(), after) << args;
    EXPECT_EQ(undo_last(), "") << args;
    EXPECT_EQ(all(), before) << args;
    return true;
  }
};

TEST_F(ChainsTest, ARowThatTwoForeignKeysReachIsDeletedWithItsOwnFollowers) {
  make_recorded(R"(
    CREATE TABLE pk(id INTEGER PRIMARY KEY);
    CREATE TABLE ch(id INTEGER PRIMARY KEY, p INTEGER REFERENCES pk ON DELETE CASCADE,
      q INTEGER REFERENCES pk ON DELETE SET NULL);
    CREATE TABLE gc(id INTEGER PRIMARY KEY, c INTEGER REFERENCES ch ON DELETE CASCADE, t TEXT);
    INSERT INTO pk VALUES(1),(2);
    INSERT INTO ch VALUES(1,1,1),(2,1,2),(3,2,1);
    INSERT INTO gc VALUES(1,1,'lost'),(2,3,'ok'),(3,2,'z');)");
  EXPECT_TRUE(is_exact({"delete", "pk", 1}));
}

TEST_F(ChainsTest, EachKeyThatAChangeReachesIsFollowed) {
  make_recorded(R"(
    CREATE TABLE pk(id INTEGER PRIMARY KEY, k TEXT UNIQUE);
    CREATE TABLE ch(id INTEGER PRIMARY KEY,
      a TEXT UNIQUE REFERENCES pk(k) ON UPDATE CASCADE ON DELETE SET NULL,
      b TEXT UNIQUE REFERENCES pk(k) ON UPDATE CASCADE ON DELETE SET NULL);
    CREATE TABLE of_a(id INTEGER PRIMARY KEY, a TEXT REFERENCES ch(a) ON UPDATE CASCADE);
    CREATE TABLE of_b(id INTEGER PRIMARY KEY, b TEXT REFERENCES ch(b) ON UPDATE SET NULL);
    INSERT INTO pk VALUES(1,'x'),(2,'y');
    INSERT INTO ch VALUES(1,'x','x'),(2,'y',NULL);
    INSERT INTO of_a VALUES(1,'x'),(2,'y');
    INSERT INTO of_b VALUES(1,'x');)");
  EXPECT_TRUE(is_exact({"update", "pk", 1, R"({"k":"z"})"}));
  EXPECT_TRUE(is_exact({"delete", "pk", 1}));
}

TEST_F(ChainsTest, ARowThatIsChangedByOneWriteAndDeletedByTheNextKeepsItsFollowers) {
  make_recorded(R"(
    CREATE TABLE pk(id INTEGER PRIMARY KEY, k TEXT UNIQUE);
    CREATE TABLE ch(id INTEGER PRIMARY KEY,
      k TEXT REFERENCES pk(k) ON UPDATE CASCADE ON DELETE CASCADE);
    CREATE TABLE gc(id INTEGER PRIMARY KEY, c INTEGER REFERENCES ch ON DELETE CASCADE);
    INSERT INTO pk VALUES(1,'x'); INSERT INTO ch VALUES(1,'x'); INSERT INTO gc VALUES(1,1);)");
  const AllRows before = all();
  const std::string list =
      R"({"writes":[{"op":"update","class_name":"pk","object_id":"1","data":{"k":"y"}},)"
      R"({"op":"delete","class_name":"pk","object_id":"1"}])";
  EXPECT_THAT(write("transaction", list + R"(,"dry_run":true})"),
              HasSubstr(R"("cascades":[{"class_name":"ch","operation":"delete","rows":1},)"
                        R"({"class_name":"gc","operation":"delete","rows":1}])"));
  EXPECT_THAT(write("transaction", list + "}"), Not(StartsWith("ERROR")));
  EXPECT_TRUE(all().empty());
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(all(), before);
}

TEST_F(ChainsTest, KeysAreComparedByCollationAndAffinityOfTheirTarget) {
  make_recorded(R"(
    CREATE TABLE par(code TEXT COLLATE NOCASE UNIQUE, id INTEGER PRIMARY KEY);
    CREATE TABLE kid(id INTEGER PRIMARY KEY, code TEXT REFERENCES par(code)
      ON DELETE CASCADE ON UPDATE CASCADE);
    CREATE TABLE num(id INTEGER PRIMARY KEY);
    CREATE TABLE txt(id INTEGER PRIMARY KEY, n TEXT REFERENCES num ON DELETE SET NULL);
    CREATE TABLE text_key(k TEXT UNIQUE, id INTEGER PRIMARY KEY);
    CREATE TABLE loose(id INTEGER PRIMARY KEY, k REFERENCES text_key(k) ON DELETE CASCADE);
    INSERT INTO par VALUES('abc',1),('abd',2);
    INSERT INTO kid VALUES(1,'ABC'),(2,'Abc'),(3,'ABD'),(4,NULL);
    INSERT INTO num VALUES(1),(2);
    INSERT INTO txt VALUES(1,'1'),(2,'01'),(3,'2');
    INSERT INTO text_key VALUES('5',1);
    INSERT INTO loose VALUES(1,5),(2,'5');
    CREATE TABLE untyped(k UNIQUE, id INTEGER PRIMARY KEY);
    CREATE TABLE of_untyped(id INTEGER PRIMARY KEY, k TEXT REFERENCES untyped(k)
      ON DELETE CASCADE);
    INSERT INTO untyped VALUES(1,1),('1',2);
    INSERT INTO of_untyped VALUES(1,'1'); -- SQLite deletes it with either
    CREATE INDEX by_code ON kid(code);)");
  EXPECT_TRUE(is_exact({"delete", "untyped", 1}));
  EXPECT_TRUE(is_exact({"delete", "par", 1}));
  EXPECT_TRUE(is_exact({"update", "par", 1, R"({"code":"x"})"}));
  EXPECT_TRUE(is_exact({"delete", "num", 1}));
  is_exact({"delete", "text_key", 1});
}

TEST_F(ChainsTest, AKeyThatStaysTheSameChangesNothing) {
  make_recorded(R"(
    CREATE TABLE par(id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE UNIQUE, n INTEGER UNIQUE);
    CREATE TABLE kid(id INTEGER PRIMARY KEY, code TEXT REFERENCES par(code) ON UPDATE CASCADE,
      n INTEGER REFERENCES par(n) ON UPDATE SET NULL);
    INSERT INTO par VALUES(1,'abc',7); INSERT INTO kid VALUES(1,'abc',7);)");
  EXPECT_TRUE(is_exact({"update", "par", 1, R"({"code":"abc","n":7})"}));
  EXPECT_TRUE(is_exact({"update", "par", 1, R"({"code":"ABC"})"}));
  EXPECT_TRUE(is_exact({"update", "par", 1, R"({"code":"abc","n":8})"}));
}

TEST_F(ChainsTest, TheWrittenRowIsNotCountedAgain) {
  make_recorded(R"(
    CREATE TABLE self(id INTEGER PRIMARY KEY, up INTEGER REFERENCES self ON DELETE CASCADE);
    CREATE TABLE cyc1(id INTEGER PRIMARY KEY, o INTEGER REFERENCES cyc2 ON DELETE CASCADE);
    CREATE TABLE cyc2(id INTEGER PRIMARY KEY, o INTEGER REFERENCES cyc1 ON DELETE CASCADE);
    INSERT INTO self VALUES(1,1),(2,1);
    INSERT INTO cyc1 VALUES(1,1),(2,NULL); INSERT INTO cyc2 VALUES(1,1),(2,1);)");
  EXPECT_THAT(write("delete", R"({"class_name":"self","object_id":"1","dry_run":true})"),
              HasSubstr(R"("rows":2,)"));
  EXPECT_TRUE(is_exact({"delete", "self", 1}));
  EXPECT_TRUE(is_exact({"delete", "cyc1", 1}));
}

TEST_F(ChainsTest, KeysOfSeveralColumnsAreFollowedInTablesWithoutRowids) {
  make_recorded(R"(
    CREATE TABLE "the pairs"(a TEXT COLLATE NOCASE, "b`c" INTEGER, PRIMARY KEY(a,"b`c"))
      WITHOUT ROWID;
    CREATE TABLE kids(x TEXT, y INTEGER, a TEXT, "b`c" TEXT, PRIMARY KEY(x,y),
      FOREIGN KEY(a,"b`c") REFERENCES "the pairs" ON DELETE CASCADE) WITHOUT ROWID;
    CREATE TABLE toys(id INTEGER PRIMARY KEY, x TEXT, y INTEGER,
      FOREIGN KEY(x,y) REFERENCES kids ON DELETE SET NULL);
    INSERT INTO "the pairs" VALUES('p',1),('p',2);
    INSERT INTO kids VALUES('k',1,'P','1'),('k',2,'p','1'),('k',3,'p','2'),('k',4,'p',NULL);
    INSERT INTO toys VALUES(1,'k',1),(2,'k',3),(3,NULL,1);)");
  const std::string kids = "SELECT group_concat(y || a || ifnull(`b``c`,'-')) FROM kids";
  const std::string toys = "SELECT group_concat(id || ifnull(x,'-')) FROM toys";
  const std::string args = R"({"class_name":"the pairs","object_id":"p,1")";
  EXPECT_THAT(write("delete", args + R"(,"dry_run":true})"),
              HasSubstr(R"("cascades":[{"class_name":"kids","operation":"delete","rows":2},)"
                        R"({"class_name":"toys","operation":"update","rows":1}])"));
  EXPECT_THAT(write("delete", args + "}"), Not(StartsWith("ERROR")));
  EXPECT_EQ(sql(kids) + " " + sql(toys), "3p2,4p- 1-,2k,3-");
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(sql(kids) + " " + sql(toys), "1P1,2p1,3p2,4p- 1k,2k,3-");
}

TEST_F(ChainsTest, ARowWhoseOwnIdFollowsAKeyIsPutBack) {
  make_recorded(R"(
    CREATE TABLE pk(id INTEGER PRIMARY KEY, k INTEGER UNIQUE);
    CREATE TABLE ch(id INTEGER PRIMARY KEY REFERENCES pk(k) ON UPDATE CASCADE ON DELETE CASCADE);
    CREATE TABLE gc(id INTEGER PRIMARY KEY, c INTEGER DEFAULT 2
      REFERENCES ch(id) ON UPDATE CASCADE ON DELETE SET DEFAULT);
    INSERT INTO pk VALUES(1,1),(2,2); INSERT INTO ch VALUES(1),(2);
    INSERT INTO gc VALUES(1,1),(2,2);)");
  const AllRows before = all();
  write("update", R"({"class_name":"pk","object_id":"1","data":{"k":7}})");
  EXPECT_EQ(sql("SELECT (SELECT max(id) FROM ch) || (SELECT c FROM gc WHERE id=1)"), "77");
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(all(), before);
  EXPECT_TRUE(is_exact({"delete", "pk", 1}));
}

TEST_F(ChainsTest, AClassThatHasAnotherNameThanItsTableIsCounted) {
  make_recorded(R"(
    CREATE TABLE pk(id INTEGER PRIMARY KEY);
    CREATE TABLE ch(id INTEGER PRIMARY KEY, p INTEGER REFERENCES pk ON DELETE CASCADE);
    INSERT INTO pk VALUES(1); INSERT INTO ch VALUES(1,1);)",
                {R"({"class":"Child","table":"ch"})"});
  EXPECT_THAT(write("delete", R"({"class_name":"pk","object_id":"1","dry_run":true})"),
              HasSubstr(R"("cascades":[{"class_name":"Child","operation":"delete","rows":1}])"));
}

// Tables that refer to each other at random, each by its id or by another key.
class RandomChainsTest : public ChainsTest {
 protected:
  void SetUp() override {
    ChainsTest::SetUp();
    // In memory, if it can be: each commit waits for the disk.
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
  }
  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::string reference() {
    static constexpr const char* kActions[] = {"CASCADE",  "CASCADE",   "CASCADE", "SET NULL",
                                               "SET NULL", "NO ACTION", "RESTRICT"};
    const std::string target = "t" + std::to_string(draw(4)) + (draw(2) == 0 ? "(id)" : "(k)");
    return "REFERENCES " + target + " ON DELETE " + kActions[draw(7)] + " ON UPDATE " +
           kActions[draw(7)];
  }
  std::string schema() {
    std::string text;
    for (int i = 0; i < 4; ++i) {
      text += "CREATE TABLE t" + std::to_string(i) +
              "(id INTEGER PRIMARY KEY, k INTEGER UNIQUE, a INTEGER " + reference() +
              ", b INTEGER " + reference() + ");";
    }
    for (int i = 0; i < 4; ++i) {
      for (int id = 1; id <= 5; ++id) {
        const auto value = [&] { return draw(4) == 0 ? "NULL" : std::to_string(1 + draw(5)); };
        text += "INSERT INTO t" + std::to_string(i) + " VALUES(" + std::to_string(id) + "," +
                std::to_string(id) + "," + value() + "," + value() + ");";
      }
    }
    return text;
  }

  // GANTRY_RANDOM_CHAINS sets the number of databases.
  static int wanted() {
    const char* const text = std::getenv("GANTRY_RANDOM_CHAINS");
    return text == nullptr ? 40 : std::atoi(text);
  }

  std::mt19937 random_{20270109};
  std::string schema_;
};

TEST_F(RandomChainsTest, PreviewsAreExactAndUndoPutsBack) {
  int written = 0;
  for (int i = 0; i < wanted(); ++i) {
    schema_ = schema();
    make_recorded(schema_.c_str());
    for (int again = 0; again < 3; ++again) {
      const std::string table = "t" + std::to_string(draw(4));
      const int id = 1 + draw(5);
      const bool is_update = draw(3) == 0;
      written += is_exact(is_update ? Wanted{"update", table, id, R"({"k":77})"}
                                    : Wanted{"delete", table, id})
                     ? 1
                     : 0;
      if (HasFailure()) FAIL() << schema_;
    }
  }
  EXPECT_GT(written, wanted());
}

TEST_F(ChainsTest, AForeignKeyWithoutItsTargetIsNotFollowedAndItsErrorNamesTheClassAlone) {
  make_recorded(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, a TEXT);"
      "CREATE TABLE hushed(id INTEGER PRIMARY KEY, x TEXT REFERENCES p(hushed_gone)"
      "  ON DELETE CASCADE ON UPDATE CASCADE);"
      "CREATE TABLE q(a TEXT);"
      "CREATE TABLE hushed_too(x INTEGER REFERENCES q ON DELETE CASCADE);"
      "INSERT INTO p VALUES(1,'x'); INSERT INTO q VALUES('x')");
  for (const char* cls : {"p", "q"}) {
    for (const char* rest : {"", R"(,"dry_run":true)"}) {
      const auto refused = write(
          "delete", R"({"class_name":")" + std::string(cls) + R"(","object_id":"1")" + rest + "}");
      EXPECT_THAT(refused, StartsWith("ERROR invalid_argument: Class '" + std::string(cls) +
                                      "' refuses the change: a foreign key"));
      EXPECT_THAT(refused, Not(HasSubstr("hushed")));
    }
  }
}

}  // namespace
}  // namespace gantry::data
