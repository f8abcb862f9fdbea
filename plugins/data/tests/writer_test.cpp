// The writing side of the store: what it changes, what it leaves, and how it refuses.
#include "store/writer.hpp"

#include <gtest/gtest.h>

#include "store/sqlite/writer_connection.hpp"
#include "store/sqlite/writer_insertion.hpp"
#include "test_database.hpp"

namespace gantry::data::writer_test {
namespace {

using testing::TestDatabase;

std::string message_of(const std::optional<DataError>& error) {
  return error ? error->message : "";
}

// Values separated by |, rows by line breaks.
std::string query(const TestDatabase& database, const std::string& sql) {
  sqlite3* db = nullptr;
  std::string out;
  sqlite3_open(database.path().c_str(), &db);
  const auto add = [](void* text, int count, char** values, char**) {
    auto& all = *static_cast<std::string*>(text);
    if (!all.empty()) all += "\n";
    for (int i = 0; i < count; ++i)
      all += (i == 0 ? "" : "|") + std::string(values[i] ? values[i] : "NULL");
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), add, &out, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
  return out;
}

WriterPtr open(const TestDatabase& database, WriterOptions options = {}) {
  auto writer = open_writer(database.path(), std::move(options));
  EXPECT_TRUE(writer) << (writer ? "" : writer.error().message);
  return writer ? *std::move(writer) : nullptr;
}

StoredValue text(std::string_view bytes) { return {StoredValue::Type::text, 0, 0, bytes}; }
StoredValue integer(std::int64_t value) { return {StoredValue::Type::integer, value, 0, {}}; }

// One row into all given fields; the error, if any.
std::optional<DataError> insert(Insertion& insertion, const std::vector<StoredValue>& values) {
  const auto row = insertion.insert(values, std::vector<bool>(values.size(), true));
  return row ? std::nullopt : std::optional(row.error());
}

TEST(Writer, NewClassesAreReadAsTheyWereDescribed) {
  const TestDatabase database;
  auto writer = open(database, {.create = true});
  ASSERT_TRUE(writer);
  const NewClass team{"Team", {{"id", Kind::integer}}, "id"};
  const NewClass made{"A \"b\"",
                      {{"objectId"},
                       {"n", Kind::integer},
                       {"x", Kind::number},
                       {"flag", Kind::boolean},
                       {"day", Kind::date},
                       {"o", Kind::object},
                       {"raw", Kind::bytes},
                       {"team", Kind::integer, "Team", "id"}},
                      "objectId"};
  ASSERT_EQ(message_of(writer->create_class(team)), "");
  ASSERT_EQ(message_of(writer->create_class(made)), "");
  ASSERT_EQ(message_of(writer->create_index("A \"b\"", {"n", "objectId"})), "");
  EXPECT_EQ(query(database, "SELECT name FROM pragma_index_list('A \"b\"') WHERE origin='c'"),
            "A \"b\"_n_objectId");
  writer.reset();
  const auto store = database.open();
  const auto catalog = store->catalog();
  ASSERT_TRUE(catalog);
  const ClassInfo* const found = (*catalog)->find("A \"b\"");
  ASSERT_TRUE(found);
  std::string kinds;
  for (const Field& field : found->fields) kinds += " " + std::string(kind_name(field.kind));
  EXPECT_EQ(kinds, " String Integer Number Boolean Date Object Bytes Pointer");
  EXPECT_EQ(found->fields[7].target_class, "Team");
  EXPECT_EQ(found->id_form, IdForm::column);
}

TEST(Writer, AnIndexTakesAnotherNameIfItsOwnIsTaken) {
  const TestDatabase database(
      "CREATE TABLE C(n, doc); CREATE INDEX C_n ON C(n); CREATE INDEX c__id ON C(doc);"
      "ALTER TABLE C RENAME TO Old");
  auto writer = open(database);
  ASSERT_EQ(message_of(writer->create_class({"C", {{"doc", Kind::object}}, "", true})), "");
  ASSERT_EQ(message_of(writer->create_index("C", {"doc"})), "");
  ASSERT_EQ(message_of(writer->create_index("Old", {"n"})), "");
  EXPECT_EQ(query(database, "SELECT name FROM sqlite_schema WHERE type='index' ORDER BY name"),
            "C__id_2\nC_doc\nC_n\nOld_n\nc__id");
}

TEST(Writer, DocumentsOfOneIdAreRefused) {
  const TestDatabase database;
  auto writer = open(database, {.create = true});
  ASSERT_EQ(message_of(writer->create_class({"D", {{"doc", Kind::object}}, "", true})), "");
  auto insertion = writer->prepare_insert("D", {"doc"});
  ASSERT_TRUE(insertion);
  for (const char* document : {R"({"_id":1})", R"({"_id":true})", R"({"_id":"1"})"}) {
    EXPECT_EQ(message_of(insert(**insertion, {text(document)})), "") << document;
  }
  const auto again = insert(**insertion, {text(R"({"_id":1.0})")});
  ASSERT_TRUE(again);
  EXPECT_TRUE(is_refusal(*again));
  EXPECT_EQ(again->kind, refused::kDuplicateValue);
}

TEST(Writer, TheSettingsOfADatabaseStay) {
  for (const std::string mode : {"delete", "truncate", "wal"}) {
    const TestDatabase database(
        "PRAGMA page_size=1024; PRAGMA encoding='UTF-16le';"
        "PRAGMA auto_vacuum=1; PRAGMA user_version=7;"
        "PRAGMA journal_mode=" +
        mode + "; CREATE TABLE C(s)");
    auto writer = open(database);
    ASSERT_EQ(message_of(writer->start_transaction()), "");
    auto insertion = writer->prepare_insert("C", {"s"});
    ASSERT_TRUE(insertion);
    EXPECT_EQ(message_of(insert(**insertion, {text("ä")})), "");
    insertion->reset();
    EXPECT_EQ(message_of(writer->commit_transaction()), "");
    writer.reset();
    EXPECT_EQ(query(database,
                    "PRAGMA page_size; PRAGMA encoding; PRAGMA auto_vacuum; PRAGMA user_version;"
                    "SELECT s FROM C"),
              "1024\nUTF-16le\n1\n7\nä");
    EXPECT_EQ(query(database, "PRAGMA journal_mode"), mode == "wal" ? "wal" : "delete");
  }
}

TEST(Writer, FieldsThatARowDoesNotHaveGetTheirDefault) {
  const TestDatabase database("CREATE TABLE C(id INTEGER PRIMARY KEY, a TEXT DEFAULT 'x', b TEXT)");
  auto writer = open(database);
  auto insertion = writer->prepare_insert("C", {"id", "a", "b"});
  ASSERT_TRUE(insertion);
  const auto put = [&](bool has_a, bool has_b) {
    const std::vector<StoredValue> values(3);
    const auto row = (*insertion)->insert(values, {true, has_a, has_b});
    ASSERT_TRUE(row) << row.error().message;
  };
  put(false, false);
  put(true, true);
  put(false, true);
  EXPECT_EQ(query(database, "SELECT * FROM C"), "1|x|NULL\n2|NULL|NULL\n3|x|NULL");
}

TEST(Writer, EmptyValuesAreNotNull) {
  const TestDatabase database("CREATE TABLE C(t TEXT NOT NULL, b BLOB NOT NULL)");
  auto writer = open(database);
  auto insertion = writer->prepare_insert("C", {"t", "b"});
  const std::vector<StoredValue> values{text({}), {StoredValue::Type::blob, 0, 0, {}}};
  EXPECT_EQ(message_of(insert(**insertion, values)), "");
  EXPECT_EQ(query(database, "SELECT typeof(t),typeof(b),length(t),length(b) FROM C"),
            "text|blob|0|0");
}

TEST(Writer, RefusedRowsHaveAReasonAndTheOthersStay) {
  const TestDatabase database(
      "CREATE TABLE C(id TEXT PRIMARY KEY, n INTEGER NOT NULL, p INTEGER CHECK(p > 0)) STRICT;"
      "CREATE UNIQUE INDEX i ON C(n, p);"
      "CREATE TRIGGER t BEFORE INSERT ON C WHEN new.p = 99 BEGIN"
      " SELECT RAISE(ABORT, 'price: too high'); END");
  auto writer = open(database);
  ASSERT_EQ(message_of(writer->start_transaction()), "");
  auto insertion = writer->prepare_insert("C", {"id", "n", "p"});
  ASSERT_TRUE(insertion);
  const auto refusal = [&](const std::vector<StoredValue>& values) {
    const auto error = insert(**insertion, values);
    if (!error) return std::string();
    EXPECT_TRUE(is_refusal(*error));
    return error->kind + " " + error->denied_field + ": " + error->message;
  };
  EXPECT_EQ(refusal({text("a"), integer(1), integer(1)}), "");
  EXPECT_EQ(refusal({text("a"), integer(2), integer(1)}),
            "duplicate_value id: C.id \"a\" is there already");
  EXPECT_EQ(refusal({text("b"), integer(1), integer(1)}),
            "duplicate_value : C.n, C.p is there already");
  EXPECT_EQ(refusal({text("c"), {}, integer(1)}), "required_field : C.n needs a value");
  EXPECT_EQ(refusal({text("d"), integer(3), integer(0)}),
            "failed_validation : the check \"p > 0\" of the class refuses it");
  EXPECT_EQ(refusal({text("e"), integer(3), integer(99)}), "failed_validation : price: too high");
  EXPECT_EQ(refusal({text("f"), text("x"), integer(1)}),
            "failed_validation : cannot store TEXT value in INTEGER column C.n");
  EXPECT_EQ(refusal({text("g"), integer(9), integer(9)}), "");
  insertion->reset();
  EXPECT_EQ(message_of(writer->commit_transaction()), "");
  EXPECT_EQ(query(database, "SELECT id FROM C"), "a\ng");
}

TEST(Writer, ARowThatTheClassIgnoresIsRefused) {
  const TestDatabase database(
      "CREATE TABLE C(id INTEGER UNIQUE ON CONFLICT IGNORE); CREATE VIRTUAL TABLE F USING fts5(t);"
      "CREATE TRIGGER t BEFORE INSERT ON C WHEN new.id = 2 BEGIN SELECT RAISE(IGNORE); END");
  auto writer = open(database);
  auto insertion = writer->prepare_insert("C", {"id"});
  EXPECT_EQ(message_of(insert(**insertion, {integer(1)})), "");
  for (const std::int64_t id : {1, 2}) {
    const auto ignored = insert(**insertion, {integer(id)});
    ASSERT_TRUE(ignored) << id;
    EXPECT_EQ(ignored->kind, refused::kFailedValidation);
  }
  auto text_insertion = writer->prepare_insert("F", {"t"});
  EXPECT_EQ(message_of(insert(**text_insertion, {text("a")})), "");
  EXPECT_EQ(query(database, "SELECT id, t FROM C, F"), "1|a");
}

TEST(Writer, ANewDatabaseWithoutACommitIsRemoved) {
  const TestDatabase database;
  const auto fill = [&](bool commits) {
    auto writer = open(database, {.create = true});
    EXPECT_EQ(message_of(writer->start_transaction()), "");
    EXPECT_EQ(message_of(writer->create_class({"C", {{"s"}}, ""})), "");
    if (commits) {
      EXPECT_EQ(message_of(writer->commit_transaction()), "");
    }
  };
  std::ofstream(database.path() + "-journal") << "left by a full disk";
  fill(false);
  EXPECT_TRUE(database.files().empty());
  const std::string target = database.directory() + "/target.db";
  std::filesystem::create_symlink(target, database.path());
  fill(false);
  EXPECT_EQ(database.files(), std::set<std::string>{"data.db"});
  fill(true);
  EXPECT_EQ(query(database, "SELECT count(*) FROM C"), "0");
}

TEST(Writer, ADatabaseThatAnotherProgramFilledFirstStays) {
  const TestDatabase database;
  auto late = open(database, {.create = true});
  testing::Writer(database.path()).run("CREATE TABLE C(s)");
  ASSERT_EQ(message_of(late->start_transaction()), "");
  late.reset();
  EXPECT_EQ(query(database, "SELECT count(*) FROM C"), "0");
}

TEST(Writer, AClassThatRollsBackIsNoRefusalOfOneRow) {
  const TestDatabase database("CREATE TABLE C(id INTEGER UNIQUE ON CONFLICT ROLLBACK)");
  auto writer = open(database);
  ASSERT_EQ(message_of(writer->start_transaction()), "");
  auto insertion = writer->prepare_insert("C", {"id"});
  EXPECT_EQ(message_of(insert(**insertion, {integer(1)})), "");
  const auto error = insert(**insertion, {integer(1)});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, error_code::kStoreError);
  EXPECT_EQ(error->message,
            "the class refused a row and everything before it: C.id is there already");
}

TEST(Writer, ForeignKeysAreCheckedWhenAllRowsAreThere) {
  const TestDatabase database(
      "CREATE TABLE Team(id INTEGER PRIMARY KEY); INSERT INTO Team VALUES(1);"
      "CREATE TABLE C(id TEXT PRIMARY KEY, team TEXT REFERENCES Team, boss TEXT REFERENCES C);"
      "CREATE TABLE Free(id); CREATE TABLE W(id TEXT PRIMARY KEY, team INTEGER REFERENCES Team)"
      " WITHOUT ROWID");
  auto writer = open(database);
  auto none = writer->foreign_keys("Free");
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  auto keys = writer->foreign_keys("C");
  ASSERT_TRUE(keys && *keys);
  EXPECT_TRUE((*keys)->refer_to_own_class());
  auto insertion = writer->prepare_insert("C", {"id", "team", "boss"});
  const auto put = [&](const std::vector<StoredValue>& values) {
    return *(*insertion)->insert(values, {true, true, true});
  };
  const RowId first = put({text("a"), text("1"), text("b")});
  EXPECT_EQ(message_of((*keys)->check(first)), "boss: C has no row \"b\" that it refers to");
  const RowId second = put({text("b"), text("9"), {}});
  EXPECT_EQ(message_of((*keys)->check(first)), "");
  const auto missing = (*keys)->check(second);
  ASSERT_TRUE(missing);
  EXPECT_TRUE(is_refusal(*missing));
  EXPECT_EQ(missing->message, "team: Team has no row \"9\" that it refers to");
  EXPECT_EQ(message_of((*keys)->delete_row(second)), "");
  EXPECT_EQ(query(database, "SELECT id FROM C"), "a");

  // Without row numbers the database checks each row.
  auto own = writer->foreign_keys("W");
  ASSERT_TRUE(own);
  EXPECT_FALSE(*own);
  auto rows = writer->prepare_insert("W", {"id", "team"});
  const auto refused = insert(**rows, {text("a"), integer(2)});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->kind, refused::kMissingReference);
}

TEST(Writer, AMissingRowIsNamedAsItsIdIs) {
  const TestDatabase database(
      "CREATE TABLE Team(id BLOB PRIMARY KEY); CREATE TABLE C(team BLOB REFERENCES Team)");
  auto writer = open(database);
  auto keys = writer->foreign_keys("C");
  ASSERT_TRUE(keys && *keys);
  auto insertion = writer->prepare_insert("C", {"team"});
  const StoredValue bytes{StoredValue::Type::blob, 0, 0, "\xff\x0a"};
  const RowId row = *(*insertion)->insert(std::vector{bytes}, {true});
  EXPECT_EQ(message_of((*keys)->check(row)), "team: Team has no row \"0xff0a\" that it refers to");
}

TEST(Writer, WaitsForAnotherWriterAndGivesUp) {
  const TestDatabase database("CREATE TABLE C(s)");
  testing::Writer other(database.path());
  other.run("BEGIN IMMEDIATE");
  auto writer = open(database, {.wait = std::chrono::milliseconds(50)});
  const auto error = writer->start_transaction();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, error_code::kTimeout);
  EXPECT_EQ(error->message,
            database.path() + " is locked by another program; try again when it is done");
  other.run("COMMIT");
  EXPECT_EQ(message_of(writer->start_transaction()), "");
}

TEST(Writer, StopsWhileItWaits) {
  const TestDatabase database("CREATE TABLE C(s)");
  testing::Writer other(database.path());
  other.run("BEGIN IMMEDIATE");
  int asked = 0;
  auto writer = open(database, {.stopped = [&] { return ++asked > 2; }});
  const auto error = writer->start_transaction();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, error_code::kCancelled);
  EXPECT_LT(asked, 10);
}

TEST(Writer, AnOpenTransactionIsAborted) {
  const TestDatabase database("CREATE TABLE C(s)");
  auto writer = open(database);
  ASSERT_EQ(message_of(writer->start_transaction()), "");
  auto insertion = writer->prepare_insert("C", {"s"});
  EXPECT_EQ(message_of(insert(**insertion, {text("a")})), "");
  insertion->reset();
  writer.reset();
  EXPECT_EQ(query(database, "SELECT count(*) FROM C"), "0");
}

TEST(Writer, RollsBackTheTransactionOfACrashedProgram) {
  const TestDatabase database("CREATE TABLE C(s); INSERT INTO C VALUES(zeroblob(100000))");
  const TestDatabase crashed;
  {
    testing::Writer other(database.path());
    other.run(
        "PRAGMA cache_size=1; BEGIN; UPDATE C SET s = randomblob(100000);"
        "INSERT INTO C VALUES(randomblob(100000))");
    std::filesystem::copy_file(database.path(), crashed.path());
    std::filesystem::copy_file(database.path() + "-journal", crashed.path() + "-journal");
  }
  EXPECT_FALSE(sqlite::Store::open(crashed.path()).is_ok());
  open(crashed).reset();
  EXPECT_TRUE(sqlite::Store::open(crashed.path()).is_ok());
  EXPECT_EQ(query(crashed, "SELECT count(*), sum(length(s)) FROM C"), "1|100000");
}

TEST(Writer, OtherFilesAndSchemesAreRefused) {
  const TestDatabase database;
  const auto missing = open_writer(database.path(), {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, error_code::kStoreError);
  EXPECT_FALSE(std::filesystem::exists(database.path()));
  std::ofstream(database.path()) << std::string(2000, 'x');
  const auto other = open_writer("sqlite:" + database.path(), {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            database.path() + " is not an SQLite database, or it is encrypted");
  const auto scheme = open_writer("postgresql://x/y", {});
  ASSERT_FALSE(scheme);
  EXPECT_EQ(scheme.error().code, error_code::kInvalidArgument);
}

TEST(WriterConnection, AFullDiskIsReportedInASentence) {
  const TestDatabase database("CREATE TABLE C(s TEXT)");
  auto connection = sqlite::WriterConnection::open(database.path(), {});
  ASSERT_TRUE(connection);
  ASSERT_EQ(message_of((*connection)->run("PRAGMA max_page_count=4")), "");
  auto insertion = sqlite::WriterInsertion::prepare(**connection, "C", {"s"});
  ASSERT_TRUE(insertion);
  const std::string large(100'000, 'x');
  const auto error = insert(**insertion, {text(large)});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, error_code::kStoreError);
  EXPECT_EQ(error->message, "the disk of " + database.path() + " is full");
}

TEST(WriterConnection, EveryErrorNamesTheFile) {
  for (const int code : {SQLITE_BUSY, SQLITE_READONLY, SQLITE_FULL, SQLITE_IOERR_WRITE,
                         SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_ERROR}) {
    EXPECT_NE(sqlite::write_error(code, "x.db", "detail").message.find("x.db"), std::string::npos)
        << code;
  }
}

}  // namespace
}  // namespace gantry::data::writer_test
