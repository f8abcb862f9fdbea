// Whole imports into real databases.
#include <gtest/gtest.h>

#include "files.hpp"
#include "tools/gantry/import/progress.hpp"

namespace gantry::cli::importing::import_test {
namespace {

TEST(Import, ParseExportsKeepIdsDatesPointersAndRights) {
  const Folder folder;
  const std::string text = R"({"results":[
    {"objectId":"p1","createdAt":"2020-01-02T03:04:05.678Z","updatedAt":"2020-01-02T03:04:05.678Z",
     "title":"x","author":{"__type":"Pointer","className":"_User","objectId":"u1"},
     "when":{"__type":"Date","iso":"1970-01-01T00:00:00.001Z"},"tags":["a"],
     "place":{"__type":"GeoPoint","latitude":1,"longitude":2},
     "file":{"__type":"File","name":"f","url":"u"},"raw":{"__type":"Bytes","base64":"aGk="},
     "likes":{"__type":"Relation","className":"_User"},"any":1,
     "ACL":{"*":{"read":true},"u1":{"write":true}}},
    {"objectId":"p2","any":"b","ACL":null}]})";
  const auto done = import_into(folder, job(folder.write("f.json", text), Format::parse));
  ASSERT_TRUE(done.outcome) << done.outcome.message() << done.said;
  EXPECT_EQ(done.outcome->absent, std::vector<std::string>{"_User"});
  EXPECT_EQ(folder.query("SELECT createdAt,author,\"when\",tags,raw,_rperm,_wperm,any FROM C"
                         " WHERE objectId='p1'"),
            R"(1577934245678|u1|1|["a"]|hi|["*"]|["u1"]|1)");
  EXPECT_EQ(folder.query("SELECT any,_rperm FROM C WHERE objectId='p2'"), "\"b\"|NULL");
  EXPECT_EQ(folder.query("SELECT \"table\",\"to\" FROM pragma_foreign_key_list('C')"),
            "_User|objectId");
  EXPECT_EQ(
      folder.query("SELECT count(*) FROM pragma_table_info('C') WHERE name IN('likes','ACL')"),
      "0");
}

TEST(Import, AllOrNothingWithEveryReason) {
  const Folder folder;
  folder.change(
      "CREATE TABLE C(id INTEGER PRIMARY KEY, n INTEGER NOT NULL, s TEXT) STRICT;"
      "INSERT INTO C VALUES(1,1,'x')");
  Job given = csv(folder, "id,n,s\n2,5,a\n1,6,b\n3,,c\n4,x,d\n2,7,e\n");
  const auto done = import_into(folder, given);
  ASSERT_FALSE(done.outcome);
  EXPECT_EQ(done.outcome.status().code(), GANTRY_FAILED);
  EXPECT_NE(done.outcome.message().find("4 refused rows"), std::string::npos);
  EXPECT_NE(done.said.find("row 2 (line 3): C.id is there already"), std::string::npos)
      << done.said;
  EXPECT_NE(done.said.find("row 3 (line 4): C.n needs a value"), std::string::npos) << done.said;
  EXPECT_NE(done.said.find("row 4 (line 5): n: \"x\" is no integer"), std::string::npos);
  EXPECT_NE(done.said.find("row 5 (line 6): C.id is there already"), std::string::npos);
  EXPECT_EQ(folder.query("SELECT count(*) FROM C"), "1");
  given.skip_invalid = true;
  given.shown = 1;
  const auto some = import_into(folder, given);
  ASSERT_TRUE(some.outcome);
  EXPECT_EQ(some.outcome->taken, 1u);
  EXPECT_EQ(some.outcome->refused, 4u);
  EXPECT_EQ(std::count(some.said.begin(), some.said.end(), '\n'), 1);
  EXPECT_EQ(folder.query("SELECT id,n,s FROM C"), "1|1|x\n2|5|a");
}

TEST(Import, AFileWithoutAReadableRowIsRefusedWithReasons) {
  const Folder folder;
  const auto done = import_into(folder, csv(folder, "id,name\n1,a,b\n2,c,d\n"));
  ASSERT_FALSE(done.outcome);
  EXPECT_EQ(done.outcome.status().code(), GANTRY_FAILED);
  EXPECT_NE(done.outcome.message().find("2 refused rows"), std::string::npos);
  EXPECT_NE(done.said.find("row 1 (line 2): "), std::string::npos) << done.said;
}

TEST(Import, ValuesThatTheDatabaseWouldChangeAreRefused) {
  const Folder folder;
  const auto done =
      import_into(folder, lines(folder, "{\"n\":1.5}\n{\"n\":{\"$numberDouble\":\"NaN\"}}\n"));
  ASSERT_FALSE(done.outcome);
  EXPECT_NE(done.said.find("row 2 (line 2): n: NaN"), std::string::npos) << done.said;
}

TEST(Import, AFieldWithoutAColumnIsNamed) {
  const Folder folder;
  folder.change("CREATE TABLE C(objectId TEXT PRIMARY KEY, Name TEXT)");
  Job given = lines(folder, "{\"name\":\"a\",\"extra\":1}\n");
  const auto done = import_into(folder, given);
  EXPECT_EQ(done.said, "row 1 (line 1): extra: the class has no such column\n");
  given.wishes.left_out = {"extra"};
  EXPECT_TRUE(import_into(folder, given).outcome);
  given.wishes.left_out.clear();
  given.skip_unknown = true;
  EXPECT_TRUE(import_into(folder, given).outcome);
  EXPECT_EQ(folder.query("SELECT count(*),count(objectId),min(Name) FROM C"), "2|2|a");
}

TEST(Import, RefusalsHoldNoControlCharactersOfTheFile) {
  const Folder folder;
  folder.change("CREATE TABLE C(a)");
  const auto done = import_into(folder, lines(folder, R"({"x\u001b[2J\u009by\n":1})"));
  EXPECT_EQ(done.said, "row 1 (line 1): x [2J  y : the class has no such column\n");
  const auto wide = import_into(folder, lines(folder, "{\"" + std::string(5000, 'x') + "\":1}"));
  EXPECT_LT(wide.said.size(), 1100u);
}

TEST(Import, FillsItsOwnClassesAgainInTheSameForms) {
  const Folder folder;
  const std::string row =
      R"({"a":true,"d":{"$date":"1970-01-01T00:00:01Z"},"o":{"x":1},"m":1,"s":"t"})";
  ASSERT_TRUE(import_into(folder, lines(folder, row + "\n{\"m\":\"x\"}\n")).outcome);
  const auto again = import_into(folder, lines(folder, row + "\n{\"m\":[2]}\n{\"m\":\"y\"}\n"));
  ASSERT_TRUE(again.outcome) << again.outcome.message() << again.said;
  EXPECT_EQ(folder.query("SELECT count(*),count(DISTINCT objectId),sum(a),sum(d) FROM C"),
            "5|5|2|2000");
  EXPECT_EQ(folder.query("SELECT group_concat(m,' ') FROM C"), "1 \"x\" 1 [2] \"y\"");
  const auto wrong = import_into(folder, lines(folder, "{\"a\":5}\n{\"d\":\"soon\"}\n{\"o\":1}\n"));
  EXPECT_FALSE(wrong.outcome);
  EXPECT_NE(wrong.said.find("d: \"soon\" is no date"), std::string::npos) << wrong.said;
  EXPECT_NE(wrong.said.find("o: an integer is no object"), std::string::npos) << wrong.said;
}

TEST(Import, QuotesEveryName) {
  const Folder folder;
  Job given = lines(folder, R"({"select":1,"a\"b":2,"c`d":3,"e'f":4,"x y":5,"größe":true,"--":6})");
  given.name = "drop \"table\" `x`; --";
  const auto done = import_into(folder, given);
  ASSERT_TRUE(done.outcome) << done.outcome.message();
  EXPECT_EQ(folder.query("SELECT \"select\",\"a\"\"b\",\"c`d\",\"e'f\",\"x y\",größe,\"--\" FROM "
                         "\"drop \"\"table\"\" `x`; --\""),
            "1|2|3|4|5|1|6");
  ASSERT_TRUE(import_into(folder, given).outcome);
}

TEST(Import, DocumentsStayWhole) {
  const Folder folder;
  Job given = lines(
      folder, "{\"_id\":1,\"a\":[1.0,{\"b\":null}]}\n{\"_id\":{\"$oid\":\"5f\"}}\n{\"c\":2}\n");
  given.document = "doc";
  ASSERT_TRUE(import_into(folder, given).outcome);
  EXPECT_EQ(folder.query("SELECT doc FROM C LIMIT 2"),
            "{\"_id\":1,\"a\":[1.0,{\"b\":null}]}\n{\"_id\":{\"$oid\":\"5f\"}}");
  const auto again = import_into(folder, given);
  EXPECT_NE(again.said.find("row 1 (line 1): _id is there already"), std::string::npos)
      << again.said;
  EXPECT_NE(again.said.find("row 2 (line 2): _id is there already"), std::string::npos)
      << again.said;
  EXPECT_EQ(folder.query("SELECT count(*) FROM C"), "3");
  given.document.clear();
  EXPECT_EQ(import_into(folder, given).outcome.message(),
            "the class C holds documents; say --document doc");
}

TEST(Import, IdsOfDifferentTypesAreDifferentDocuments) {
  const Folder folder;
  Job given = lines(folder,
                    "{\"_id\":1}\n{\"_id\":true}\n{\"_id\":\"1\"}\n{\"_id\":{\"a\":1}}\n"
                    "{\"_id\":\"{\\\"a\\\":1}\"}\n");
  given.document = "doc";
  const auto done = import_into(folder, given);
  ASSERT_TRUE(done.outcome) << done.outcome.message() << done.said;
  EXPECT_EQ(folder.query("SELECT count(*) FROM C"), "5");
  const Folder other;
  given = lines(other, "{\"_id\":1}\n{\"_id\":1.0}\n");
  given.document = "doc";
  EXPECT_FALSE(import_into(other, given).outcome);
}

TEST(Import, DatesBeyondTheYear9999AreRefused) {
  const Folder folder;
  const auto done =
      import_into(folder, lines(folder, R"({"d":{"$date":{"$numberLong":"99999999999999999"}}})"));
  EXPECT_EQ(done.said, "row 1 (line 1): d: the date is not between the years 0 and 9999\n");
}

TEST(Import, RowsThatTheClassIgnoresAreNotCounted) {
  const Folder folder;
  folder.change("CREATE TABLE C(a UNIQUE ON CONFLICT IGNORE)");
  Job given = csv(folder, "a\n1\n1\n2\n");
  given.skip_invalid = true;
  const auto done = import_into(folder, given);
  ASSERT_TRUE(done.outcome);
  EXPECT_EQ(done.outcome->taken, 2u);
  EXPECT_EQ(done.outcome->refused, 1u);
}

TEST(Import, FieldsThatARowLeavesOutGetTheirDefault) {
  const Folder folder;
  folder.change(
      "CREATE TABLE C(id INTEGER PRIMARY KEY, a TEXT DEFAULT 'x', b INTEGER NOT NULL DEFAULT 7,"
      " c TEXT DEFAULT (upper('y')), d TEXT)");
  const auto done = import_into(folder, lines(folder, R"({"id":1}
{"id":2,"a":null,"b":1,"c":"z","d":"w"}
{"id":3,"c":null}
{}
{"id":9,"a":"q"}
)"));
  ASSERT_TRUE(done.outcome) << done.outcome.message() << done.said;
  EXPECT_EQ(folder.query("SELECT id,a,b,c,d FROM C ORDER BY id"),
            "1|x|7|Y|NULL\n2|NULL|1|z|w\n3|x|7|NULL|NULL\n4|x|7|Y|NULL\n9|q|7|Y|NULL");
}

TEST(Import, RowsWithoutTheirParentRowAreRefusedWithAReason) {
  const Folder folder;
  folder.change(
      "CREATE TABLE Team(id INTEGER PRIMARY KEY); INSERT INTO Team VALUES(1);"
      "CREATE TABLE C(id INTEGER PRIMARY KEY, team TEXT REFERENCES Team, boss INTEGER REFERENCES c,"
      " gone TEXT REFERENCES Nowhere(x)); INSERT INTO C VALUES(100,'77',NULL,NULL)");
  const std::string text = R"({"id":1,"team":"1","boss":2,"gone":"g"}
{"id":2,"team":null,"boss":100}
{"id":3,"team":"9"}
{"id":4,"boss":3}
{"id":5,"boss":4}
{"id":6,"boss":6}
)";
  Job given = lines(folder, text);
  const auto done = import_into(folder, given);
  ASSERT_FALSE(done.outcome);
  EXPECT_NE(done.said.find("row 3 (line 3): team: Team has no row \"9\" that it refers to"),
            std::string::npos)
      << done.said;
  EXPECT_EQ(folder.query("SELECT id FROM C"), "100");

  given.skip_invalid = true;
  const auto some = import_into(folder, given);
  ASSERT_TRUE(some.outcome) << some.outcome.message();
  EXPECT_EQ(some.outcome->taken, 3u);
  EXPECT_EQ(some.outcome->refused, 3u);
  EXPECT_EQ(folder.query("SELECT id FROM C ORDER BY id"), "1\n2\n6\n100");
}

TEST(Import, TablesWithoutRowNumbersCheckTheirKeysRowByRow) {
  const Folder folder;
  folder.change(
      "CREATE TABLE Team(id INTEGER PRIMARY KEY); INSERT INTO Team VALUES(1);"
      "CREATE TABLE C(id TEXT PRIMARY KEY, team INTEGER REFERENCES Team) WITHOUT ROWID");
  Job given = lines(folder, "{\"id\":\"a\",\"team\":1}\n{\"id\":\"b\",\"team\":2}\n");
  given.skip_invalid = true;
  const auto done = import_into(folder, given);
  ASSERT_TRUE(done.outcome) << done.outcome.message();
  EXPECT_NE(done.said.find("row 2 (line 2): a foreign key of the class refers to nothing"),
            std::string::npos)
      << done.said;
  EXPECT_EQ(folder.query("SELECT id FROM C"), "a");
}

TEST(Import, ViewsAndOtherFilesAreRefused) {
  const Folder folder;
  folder.change("CREATE TABLE t(a); CREATE VIEW C AS SELECT a FROM t");
  EXPECT_NE(import_into(folder, lines(folder, "{\"a\":1}")).outcome.message().find("view"),
            std::string::npos);
  Job given = lines(folder, "{\"a\":1}");
  given.database = folder.write("b.db", std::string(2000, 'x'));
  EXPECT_NE(import_into(folder, given).outcome.message().find("not an SQLite database"),
            std::string::npos);
}

TEST(Import, ALockedDatabaseIsReportedAfterTheWait) {
  const Folder folder;
  folder.change("CREATE TABLE t(a)");
  sqlite3* other = nullptr;
  sqlite3_open(folder.at("a.db").c_str(), &other);
  sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  Job given = lines(folder, "{\"a\":1}");
  given.wait = std::chrono::milliseconds(50);
  const auto done = import_into(folder, given);
  EXPECT_EQ(done.outcome.status().code(), GANTRY_BUSY);
  EXPECT_NE(done.outcome.message().find("locked by another program"), std::string::npos);
  sqlite3_close(other);
  EXPECT_TRUE(import_into(folder, given).outcome);
}

TEST(Import, StoppingLeavesNothing) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "{\"a\":1}\n";
  Job given = lines(folder, text);
  given.database = folder.at("a.db");
  given.name = "C";
  given.create = true;
  Progress progress(false);
  int asked = 0;
  const Surroundings around{progress, [&] { return ++asked > 12; }, [] { return true; },
                            [](const std::string&) {}};
  const auto outcome = run(given, around);
  EXPECT_EQ(outcome.status().code(), GANTRY_CANCELLED);
  EXPECT_FALSE(std::filesystem::exists(folder.at("a.db")));
}

TEST(Progress, ShowsShareBytesAndRows) {
  EXPECT_EQ(progress_line("Reading", 500'000, 1'000'000, 7),
            "Reading  [############------------]  50 %  0.5 MB  7 rows");
  EXPECT_EQ(progress_line("Reading", 500'000, 0, 0), "Reading    0.5 MB");
}

}  // namespace
}  // namespace gantry::cli::importing::import_test
