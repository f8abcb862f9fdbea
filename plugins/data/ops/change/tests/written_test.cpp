// What is recorded, listed and shown; classes; bounds; a journal that fails; killed processes.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "ops/change/tests/recorded_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kMarked = R"(
  CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, password TEXT, doc TEXT);
  INSERT INTO items VALUES(1,'a','hash','{"_hashed_password":"h","x":1}'),(2,'b',NULL,NULL);
  CREATE TABLE marked(id INTEGER PRIMARY KEY, text TEXT, at INTEGER);
  CREATE INDEX marked_at ON marked(at) WHERE at > 3;
  INSERT INTO marked VALUES(4,'four',4),(5,NULL,NULL);
  CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT);
)";
constexpr const char* kRename = R"({"class_name":"items","object_id":"1","data":{"name":"z"}})";

// While it lives, no file of the process grows beyond so many bytes.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_{};
};

class WrittenTest : public RecordedDatabase {
 protected:
  void SetUp() override {
    RecordedDatabase::SetUp();
    make_recorded(kMarked);
  }
  std::size_t listed(const WritesQuestion& question = {}) {
    const std::string text = list(question);
    std::size_t count = 0;
    for (auto at = text.find("\"id\":"); at != text.npos; at = text.find("\"id\":", at + 1))
      ++count;
    return count;
  }
};

TEST_F(WrittenTest, AWriteNamesItsAgentToolAndClasses) {
  write("update", kRename);
  EXPECT_THAT(list(), ::testing::MatchesRegex(
                          R"(\{"writes":\[\{"id":"[0-9a-f]{24}","time":"[-0-9]+T[:.0-9]+Z",)"
                          R"("agent":"sales","user":"u17","tool":"update_object",)"
                          R"("correlation_id":"c-1","operation":"update","classes":\["items"\],)"
                          R"("rows":1,"undoable":true\}\]\})"));
}

TEST_F(WrittenTest, ChangesAreShownWithTheirHiddenValuesRedacted) {
  write("update", kRename);
  EXPECT_THAT(
      show(last()),
      HasSubstr(R"("changes":[{"class_name":"items","object_id":"1","operation":"update",)"
                R"("before":{"id":1,"name":"a","password":{"__redacted":true},"doc":{"x":1}},)"
                R"("after":{"id":1,"name":"z","password":{"__redacted":true},"doc":{"x":1}}}]})"));
  write("delete", R"({"class_name":"items","object_id":"1"})");
  EXPECT_THAT(show(last()), Not(HasSubstr("\"after\"")));
  EXPECT_THAT(show(last()), Not(HasSubstr("hash")));
}

TEST_F(WrittenTest, ListsArePagedAndChosenByAgentAndClass) {
  for (int i = 0; i < 5; ++i) write("update", kRename, R"({"name":"other"})");
  write("create", R"({"class_name":"marked","data":{"text":"x"}})");
  EXPECT_EQ(listed(), 6U);
  EXPECT_EQ(listed({50, "other", "", ""}), 5U);
  EXPECT_EQ(listed({50, "other", "marked", ""}), 0U);
  EXPECT_EQ(listed({50, "", "marked", ""}), 1U);
  const std::string page = list({2, "other", "", ""});
  EXPECT_EQ(listed({2, "other", "", text_in(page, "next_cursor")}), 2U);
  EXPECT_EQ(listed({5, "other", "", text_in(page, "next_cursor")}), 3U);
  EXPECT_THAT(list({5, "other", "", ""}), Not(HasSubstr("next_cursor")));
  EXPECT_THAT(list({5, "", "", "x"}), StartsWith("invalid_argument: 'cursor'"));
}

TEST_F(WrittenTest, UncommittedWritesAreNotRecorded) {
  write("update", R"({"class_name":"items","object_id":"1","data":{"name":"z"},"dry_run":true})");
  write("create", R"({"class_name":"items","objects":[{"data":{"id":9}},{"data":{"id":9}}]})");
  write("create_class", R"({"class_name":"notes","fields":{"a":"String"},"dry_run":true})");
  EXPECT_EQ(list(), R"({"writes":[]})");
}

TEST_F(WrittenTest, AClassThatWasMadeIsDroppedIfItIsStillEmpty) {
  write("create_class", R"({"class_name":"notes","fields":{"text":"String"}})");
  const std::string id = last();
  run_sql("INSERT INTO notes(objectId) VALUES('k')");
  EXPECT_THAT(undo(id), HasSubstr("class notes (objects were added or removed)"));
  run_sql("DELETE FROM notes; CREATE INDEX i ON notes(text)");
  EXPECT_THAT(undo(id), HasSubstr("class notes (its definition was changed)"));
  run_sql("DROP INDEX i");
  EXPECT_EQ(undo(id), "");
  EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema WHERE name='notes'"), "0");
  EXPECT_EQ(undo_last(), "");  // the undo
  EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema WHERE name='notes'"), "1");
}

TEST_F(WrittenTest, AClassThatWasDeletedIsMadeAgainWithItsIndexesAndRows) {
  const char* const text = "SELECT group_concat(sql) FROM sqlite_schema WHERE tbl_name='marked'";
  const char* const rows = "SELECT group_concat(id||quote(text)||quote(at)) FROM marked";
  const std::string schema = sql(text), stored = sql(rows);
  write("delete_class", R"({"class_name":"marked"})");
  EXPECT_THAT(list(), HasSubstr(R"("operation":"delete_class","classes":["marked"],"rows":2)"));
  const std::string id = last();
  run_sql("CREATE TABLE marked(x)");
  EXPECT_THAT(undo(id), HasSubstr("class marked (there is one of this name again)"));
  run_sql("DROP TABLE marked");
  EXPECT_EQ(undo(id), "");
  EXPECT_EQ(sql(text), schema);
  EXPECT_EQ(sql(rows), stored);
  EXPECT_EQ(undo_last(), "");
  EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema WHERE name='marked'"), "0");
}

TEST_F(WrittenTest, AClassThatCannotBeMadeAgainIsDeletedAllTheSame) {
  write("delete_class", R"({"class_name":"counted"})");
  EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema WHERE name='counted'"), "0");
  EXPECT_THAT(list(), HasSubstr(R"("undoable":false,"reason":"the class numbers its rows)"));
  EXPECT_THAT(undo_last(), HasSubstr("cannot be undone: the class numbers its rows"));
}

TEST_F(WrittenTest, AWriteBeyondTheLimitIsMadeAndCannotBeUndone) {
  keep_journal(4096);
  const std::string large(5000, 'y');
  EXPECT_THAT(write("create", R"({"class_name":"marked","data":{"text":")" + large + "\"}}"),
              HasSubstr(large));
  EXPECT_THAT(list(), HasSubstr(R"("rows":1,"undoable":false,"reason":"its rows take more room)"));
  EXPECT_THAT(undo_last(), HasSubstr("writes_bytes"));
  EXPECT_THAT(show(last()), HasSubstr(R"("changes":[])"));
}

TEST_F(WrittenTest, IfTheJournalCannotBeWrittenNothingIs) {
  write("update", kRename);
  std::filesystem::remove_all(directory_);
  std::ofstream(directory_) << "a file in its place";
  EXPECT_THAT(write("update", R"({"class_name":"items","object_id":"1","data":{"name":"y"}})"),
              StartsWith("ERROR store_error: Nothing was written, because the write cannot be "
                         "recorded for undo: "));
  EXPECT_EQ(sql("SELECT name FROM items WHERE id=1"), "z");
  std::filesystem::remove(directory_);
  EXPECT_THAT(write("update", R"({"class_name":"items","object_id":"1","data":{"name":"y"}})"),
              HasSubstr("\"y\""));
}

TEST_F(WrittenTest, AFullJournalRefusesTheWriteAndSaysWhy) {
  // The database needs less room than the journal has by then.
  for (int i = 0; i < 100; ++i) write("update", kRename);
  std::string answer;
  {
    const SmallFiles full(std::filesystem::file_size(journal_file(directory_)));
    answer = write("delete", R"({"class_name":"items","object_id":"1"})");
  }
  EXPECT_THAT(answer,
              ::testing::AllOf(StartsWith("ERROR store_error: Nothing was written, because the "
                                          "write cannot be recorded for undo: "),
                               HasSubstr(".writes: File too large. The operator"),
                               Not(HasSubstr(directory_.string()))));
  EXPECT_EQ(sql("SELECT count(*) FROM items"), "2");
  EXPECT_EQ(write("delete", R"({"class_name":"items","object_id":"1"})").find("ERROR"),
            std::string::npos);
}

TEST_F(WrittenTest, OfAKilledProcessOnlyCommittedWritesAreShownAndKept) {
  write("update", kRename);
  const std::string id = last();
  make_all_pending();
  reopen();
  EXPECT_EQ(last(), id);
  EXPECT_EQ(undo(id), "");  // settled by the transaction
  make_all_pending();
  run_sql("UPDATE items SET name='not as written' WHERE id=1");
  reopen();
  EXPECT_EQ(list(), R"({"writes":[]})");
  EXPECT_THAT(undo(id), StartsWith("not_found"));
}

TEST_F(WrittenTest, APendingWriteOfAColumnThatIsGoneKeepsNoWriteFromBeingMade) {
  run_sql("ALTER TABLE marked ADD COLUMN extra TEXT");
  reopen();
  write("update", R"({"class_name":"marked","object_id":"4","data":{"text":"z"}})");
  ASSERT_EQ(listed(), 1u);
  make_all_pending();
  run_sql("ALTER TABLE marked DROP COLUMN extra");
  reopen();
  EXPECT_EQ(list(), R"({"writes":[]})");
  EXPECT_THAT(write("update", kRename), HasSubstr("\"z\""));
  EXPECT_EQ(listed(), 1u);
}

TEST_F(WrittenTest, WithoutAJournalWritesAreMadeAndListsSaySo) {
  service_->keep_journal(nullptr);
  EXPECT_THAT(write("update", kRename), HasSubstr("\"z\""));
  EXPECT_THAT(list(), StartsWith("invalid_argument: This server records no writes"));
  EXPECT_THAT(undo("x"), StartsWith("invalid_argument: This server records no writes"));
}

TEST_F(WrittenTest, TheDatabasesFolderHasNoFileOfTheJournal) {
  write("update", kRename);
  const auto folder = path_.parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    EXPECT_FALSE(name.ends_with(".writes")) << name;
  }
}

}  // namespace
}  // namespace gantry::data
