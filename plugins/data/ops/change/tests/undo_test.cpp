// Rows that are put back: exactly, in order, all or none, and only if they are unchanged since.
#include "ops/change/tests/recorded_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kEveryKind = R"(
  CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT UNIQUE, big INTEGER, part REAL, raw BLOB,
    password TEXT, twice INTEGER GENERATED ALWAYS AS (big * 2) VIRTUAL);
  INSERT INTO items(id,name,big,part,raw,password) VALUES
    (1,'a',9223372036854775807,-0.0,x'00ff','hash1'),(2,'b',2,2.5,NULL,'hash2'),
    (3,'c',3,NULL,x'','hash3');
  CREATE TABLE pairs(a TEXT, b INTEGER, v TEXT, PRIMARY KEY(a,b)) WITHOUT ROWID;
  INSERT INTO pairs VALUES('x',1,'one'),('x',2,'two');
  CREATE TABLE lines(text TEXT);
  INSERT INTO lines(rowid,text) VALUES(7,'seven'),(9,'nine');
  CREATE TABLE parents(id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE children(id INTEGER PRIMARY KEY, parent TEXT REFERENCES parents(id)
    ON DELETE CASCADE, note TEXT);
  CREATE TABLE grandchildren(id INTEGER PRIMARY KEY, child INTEGER REFERENCES children(id)
    ON DELETE CASCADE);
  CREATE TABLE friends(id INTEGER PRIMARY KEY, parent TEXT REFERENCES parents(id)
    ON DELETE SET NULL);
  INSERT INTO parents VALUES('p','P'),('q','Q');
  INSERT INTO children VALUES(1,'p','c1'),(2,'p','c2'),(3,'q','c3');
  INSERT INTO grandchildren VALUES(10,1),(11,2);
  INSERT INTO friends VALUES(5,'p'),(6,'q');
)";

class UndoTest : public RecordedDatabase {
 protected:
  void SetUp() override {
    RecordedDatabase::SetUp();
    make_recorded(kEveryKind);
    before_ = all();
  }
  // Every stored value with its type.
  std::string all() {
    return sql(R"(SELECT (SELECT group_concat(id||quote(name)||typeof(big)||quote(big)||
        quote(part)||typeof(part)||quote(raw)||quote(password),';') FROM items) || '|' ||
      (SELECT group_concat(a||b||v) FROM pairs) || '|' ||
      (SELECT group_concat(rowid||text) FROM lines) || '|' ||
      (SELECT group_concat(id||name) FROM parents) || '|' ||
      (SELECT group_concat(id||quote(parent)||note) FROM children) || '|' ||
      (SELECT ifnull(group_concat(id||child),'') FROM grandchildren) || '|' ||
      (SELECT group_concat(id||quote(parent)) FROM friends))");
  }
  void expect_undone(const std::string& op, const std::string& args) {
    EXPECT_THAT(write(op, args), Not(StartsWith("ERROR"))) << args;
    EXPECT_NE(all(), before_) << args;
    EXPECT_EQ(undo_last(), "") << args;
    EXPECT_EQ(all(), before_) << args;
  }
  std::string before_;
};

TEST_F(UndoTest, PutsAnyKindOfRowBackBitForBit) {
  expect_undone(
      "update",
      R"({"class_name":"items","object_id":"1","data":{"name":"z","big":1,"part":1.5,"raw":null}})");
  expect_undone("delete", R"({"class_name":"items","object_id":"1"})");
  expect_undone("create", R"({"class_name":"items","data":{"name":"new"}})");
  expect_undone("update", R"({"class_name":"pairs","object_id":"x,2","data":{"v":"neu"}})");
  expect_undone("delete", R"({"class_name":"pairs","object_id":"x,1"})");
  expect_undone("create", R"({"class_name":"pairs","data":{"a":"y","b":1,"v":"w"}})");
  expect_undone("delete", R"({"class_name":"lines","object_id":"7"})");
  expect_undone("update", R"({"class_name":"lines","object_id":"9","data":{"text":"neun"}})");
}

TEST_F(UndoTest, PutsBackTheWritesOfATransactionInReverseOrder) {
  expect_undone("transaction", R"({"writes":[
    {"op":"update","class_name":"items","object_id":"1","data":{"name":"free"}},
    {"op":"update","class_name":"items","object_id":"2","data":{"name":"a"}},
    {"op":"update","class_name":"items","object_id":"1","data":{"name":"b"}},
    {"op":"create","class_name":"items","data":{"name":"n"}},
    {"op":"update","class_name":"items","object_id":"4","data":{"name":"m"}},
    {"op":"delete","class_name":"items","object_id":"3"},
    {"op":"create","class_name":"parents","data":{"id":"r","name":"R"}},
    {"op":"create","class_name":"children","data":{"parent":"r"}}]})");
  expect_undone("delete",
                R"({"class_name":"items","objects":[{"object_id":"1"},{"object_id":"3"}]})");
}

TEST_F(UndoTest, PutsBackTheChangesByForeignKeys) {
  expect_undone("delete", R"({"class_name":"parents","object_id":"p"})");
  EXPECT_THAT(show(last()), HasSubstr(R"("operation":"undo")"));
  const WritesQuestion deletions{10, "sales", "", ""};
  EXPECT_THAT(list(deletions), HasSubstr(R"("rows":1)"));
  EXPECT_THAT(show(text_in(list(deletions), "id")), HasSubstr(R"("by_foreign_key":true)"));
}

TEST_F(UndoTest, IsRefusedIfARowIsNotAsTheWriteLeftItAndChangesNothing) {
  write("update", R"({"class_name":"items","objects":[{"object_id":"1","data":{"name":"z"}},
    {"object_id":"2","data":{"name":"y"}}]})");
  const std::string id = last();
  run_sql("UPDATE items SET big=7, password='other' WHERE id=2");
  const std::string now = all();
  EXPECT_EQ(undo(id),
            "invalid_argument: Nothing was put back, because the data is not as the write left it: "
            "items '2' (big, password). Undo the later writes first, or change the rows by hand.");
  EXPECT_EQ(details_, R"({"kind":"changed_since","changes":[{"class_name":"items","object_id":"2",)"
                      R"("fields":["big","password"]}]})");
  EXPECT_EQ(all(), now);
  run_sql("DELETE FROM items WHERE id=2");
  EXPECT_THAT(undo(id), HasSubstr("items '2' (it is gone)"));
  write("delete", R"({"class_name":"items","object_id":"1"})");
  run_sql("INSERT INTO items(id) VALUES(1)");
  EXPECT_THAT(undo_last(), HasSubstr("items '1' (it is there again)"));
}

TEST_F(UndoTest, IsRefusedIfOthersReferToTheCreatedObject) {
  write("create", R"({"class_name":"parents","data":{"id":"r","name":"R"}})");
  run_sql("INSERT INTO children VALUES(9,'r','by another')");
  EXPECT_THAT(undo_last(), HasSubstr("children '9' refers to an object that the write made"));
  EXPECT_EQ(sql("SELECT count(*) FROM children WHERE parent='r'"), "1");
}

TEST_F(UndoTest, HappensOnceAndIsAWriteThatCanBeUndoneToo) {
  write("update", R"({"class_name":"items","object_id":"2","data":{"name":"y"}})");
  const std::string after = all(), id = last();
  ASSERT_EQ(undo(id), "");
  EXPECT_EQ(undone_, R"({"id":")" + last() + R"(","undoes":")" + id + R"(","rows":1})");
  EXPECT_THAT(undo(id), StartsWith("invalid_argument: The write was undone already, by " + last()));
  EXPECT_THAT(list(), HasSubstr(R"("undoable":false,"undone_by":")" + last()));
  EXPECT_THAT(list(), HasSubstr(R"("agent":"ops","tool":"writes.undo","operation":"undo")"));
  ASSERT_EQ(undo_last(), "");
  EXPECT_EQ(all(), after);
  ASSERT_EQ(undo(id), "");
  EXPECT_EQ(all(), before_);
}

TEST_F(UndoTest, WorksAfterARestart) {
  write("delete", R"({"class_name":"parents","object_id":"p"})");
  reopen();
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(all(), before_);
}

TEST_F(UndoTest, IsRefusedIfTheClassLostAFieldSince) {
  write("update", R"({"class_name":"children","object_id":"3","data":{"note":"c"}})");
  const std::string id = last();
  run_sql("ALTER TABLE children ADD COLUMN more TEXT DEFAULT 'm'");
  EXPECT_EQ(undo(id), "") << "a new one does not matter";
  EXPECT_EQ(sql("SELECT note || more FROM children WHERE id=3"), "c3m");
  EXPECT_EQ(undo_last(), "");
  const std::string again = last();
  run_sql("ALTER TABLE children RENAME COLUMN note TO remark");
  EXPECT_EQ(undo(again),
            "invalid_argument: Nothing was put back, because the data is not as the write left it: "
            "class children (these fields were removed or renamed: note). Undo the later writes "
            "first, or change the rows by hand.");
  EXPECT_EQ(details_,
            R"({"kind":"changed_since","changes":[{"class_name":"children","fields":["note"]}]})");
  run_sql("ALTER TABLE children DROP COLUMN remark");
  EXPECT_THAT(undo(again),
              HasSubstr("class children (these fields were removed or renamed: note)"));
}

TEST_F(UndoTest, PutsBackAClassWhoseRowsReferToEachOther) {
  run_sql(R"(CREATE TABLE tree(id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree);
    INSERT INTO tree VALUES(2,NULL),(1,2);)");
  write("delete_class", R"({"class_name":"tree"})");
  EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema WHERE name='tree'"), "0");
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(sql("SELECT group_concat(id||ifnull(up,'-')) FROM tree"), "12,2-");
}

TEST_F(UndoTest, NamesTheRowThatWouldLeaveAReferenceWithoutItsTarget) {
  run_sql("CREATE TABLE notes(id INTEGER PRIMARY KEY, item INTEGER REFERENCES items(id))");
  write("create", R"({"class_name":"items","data":{"name":"new"}})");
  run_sql("INSERT INTO notes SELECT 1, id FROM items WHERE name='new'");
  EXPECT_THAT(undo_last(), HasSubstr("refuses to put back items '4' (missing_reference)"));
  EXPECT_EQ(sql("SELECT count(*) FROM items"), "4");
}

TEST_F(UndoTest, NeedsTheEnginesGatesOfTheWrite) {
  write("update", R"({"class_name":"items","object_id":"2","data":{"name":"y"}})");
  const std::string rows = last();
  write("create_class", R"({"class_name":"notes","fields":{"text":"String"}})");
  const std::string made = last();
  rights_ = {true, false};
  reopen();
  EXPECT_THAT(undo(made), HasSubstr("the gate GANTRY_ALLOW_SCHEMA_OPS is closed"));
  rights_ = {false, true};
  reopen();
  EXPECT_THAT(undo(rows), StartsWith("access_denied: "));
  EXPECT_EQ(details_, R"({"kind":"gate","missing":["GANTRY_ALLOW_WRITE_TOOLS"]})");
  rights_ = {};
  reopen();
  EXPECT_THAT(undo(rows), HasSubstr("the gate GANTRY_ALLOW_WRITE_TOOLS is closed"));
  EXPECT_THAT(show(rows), HasSubstr(R"("undoable":true)"));  // it can still be read
}

TEST_F(UndoTest, RunsTheTriggersOfTheSchemaAndIsOneErrorIfTheyRefuse) {
  run_sql(R"(CREATE TABLE counts(n INTEGER); INSERT INTO counts VALUES(0);
    CREATE TRIGGER more AFTER INSERT ON lines BEGIN UPDATE counts SET n=n+1; END;
    CREATE TRIGGER fewer AFTER DELETE ON lines BEGIN UPDATE counts SET n=n-1; END;
    CREATE TRIGGER keep BEFORE UPDATE OF name ON parents WHEN NEW.name='P' BEGIN
      SELECT RAISE(ABORT,'a text of the schema'); END;)");
  write("create", R"({"class_name":"lines","data":{"text":"x"}})");
  EXPECT_EQ(sql("SELECT n FROM counts"), "1");
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(sql("SELECT n FROM counts"), "0");
  write("update", R"({"class_name":"parents","object_id":"p","data":{"name":"N"}})");
  EXPECT_THAT(undo_last(), HasSubstr("refuses to put back parents 'p' (failed_validation)"));
  EXPECT_EQ(sql("SELECT name FROM parents WHERE id='p'"), "N");
}

TEST_F(UndoTest, OfUnknownAndUnreadableWritesIsNotFound) {
  EXPECT_THAT(undo("0123"), StartsWith("not_found: There is no write '0123'"));
  EXPECT_THAT(show("0123"), StartsWith("not_found: "));
  write("create", R"({"class_name":"lines","data":{"text":"x"}})");
  const std::string id = last();
  change_frames(journal_file(directory_), [](LockedFile& file, const PlacedFrame& one) {
    EXPECT_TRUE(
        file.overwrite(one.at + sizeof one.frame + one.frame.head_size, one.frame.body_size));
  });
  EXPECT_THAT(undo(id), HasSubstr("cannot be read"));
  EXPECT_EQ(sql("SELECT count(*) FROM lines"), "3");
}

TEST_F(UndoTest, TellsOfTheCommitOnceAndOnlyIfThereIsOne) {
  int told = 0;
  service_->on_commit([&told] { ++told; });
  write("create", R"({"class_name":"lines","data":{"text":"x"}})");
  EXPECT_EQ(told, 1);
  const std::string id = last();
  EXPECT_EQ(undo(id), "");
  EXPECT_EQ(told, 2);
  EXPECT_NE(undo(id), "");
  EXPECT_EQ(told, 2);
  EXPECT_THAT(ask("count", R"({"class_name":"lines"})"), HasSubstr(R"("count":2)"));
}

}  // namespace
}  // namespace gantry::data
