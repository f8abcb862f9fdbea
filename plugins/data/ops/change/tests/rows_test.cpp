// Which objects create, update and delete reach: keys, documents, refusals of the database.
#include "ops/change/tests/changed_rows.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(ChangedRowsTest, CreateStoresValuesExactlyAndAnswersTheObjectAsAReadShowsIt) {
  const auto made = create("customers", R"({"name":"Bob","rate":1.5,"born":"2001-02-03",
    "tags":{"a":[1,"x"]},"photo":{"$base64":"AAE="}})");
  EXPECT_THAT(made, StartsWith(R"([{"id":2,"name":"Bob","points":5,"rate":1.5)"));
  EXPECT_THAT(made, HasSubstr(R"("full":"Bob!")"));
  EXPECT_THAT(made, HasSubstr(R"({"rows":1})"));
  EXPECT_EQ(sql("SELECT hex(photo)||tags FROM customers WHERE id=2"), R"(0001{"a":[1,"x"]})");
  const auto read = ask("get", R"({"class_name":"customers","object_id":"2"})");
  EXPECT_EQ("[" + read.substr(0, read.size() - 2) + R"(]{"rows":1})", made);
}

TEST_F(ChangedRowsTest, NoKeyIsNull) {
  run_sql("CREATE TABLE two(a TEXT, b INTEGER, PRIMARY KEY(a, b))");
  open(ReadSettings{});
  EXPECT_THAT(create("notes", R"({"code":null,"body":"made"})"), HasSubstr(R"("rows":1)"));
  EXPECT_EQ(sql("SELECT length(code) FROM notes WHERE body='made'"), "24");
  EXPECT_THAT(create("two", R"({"a":"x","b":null})"), HasSubstr("the object's id is not null"));
}

TEST_F(ChangedRowsTest, AKeyOfTextIsGivenOrMade) {
  EXPECT_THAT(create("notes", R"({"code":"n1","body":"x"})"), HasSubstr(R"("code":"n1")"));
  EXPECT_THAT(create("notes", R"({"objectId":"n2"})"), HasSubstr(R"("code":"n2")"));
  create("notes", R"({"body":"made"})");
  EXPECT_EQ(sql("SELECT length(code) FROM notes WHERE body='made'"), "24");
}

TEST_F(ChangedRowsTest, ARowWithoutRowidIsFoundByItsKey) {
  EXPECT_THAT(create("pairs", R"({"a":"x","b":1,"c":"1"})"), HasSubstr(R"("c":"1")"));
  EXPECT_THAT(update("pairs", "x,1", R"({"c":"2"})"), HasSubstr(R"("c":"2")"));
  EXPECT_THAT(remove("pairs", "x,1"), HasSubstr(R"([{"objectId":"x,1"}])"));
  EXPECT_EQ(sql("SELECT count(*) FROM pairs"), "0");
}

TEST_F(ChangedRowsTest, UpdateChangesTheNamedFieldsAndRunsTriggers) {
  EXPECT_THAT(update("orders", "1", R"({"total":11,"status":null})"),
              StartsWith(R"([{"id":1,"number":"A1","total":11.0,"customer_id":1}])"));
  EXPECT_EQ(sql("SELECT line FROM log"), "updated 1");
}

TEST_F(ChangedRowsTest, SomeFieldsAreNeverWritten) {
  for (const char* field : {"full", "createdAt", "updated_at", "id", "objectId", "_id"}) {
    const std::string name = field;
    EXPECT_THAT(update("customers", "1", "{\"" + name + "\":\"9\"}"),
                StartsWith("ERROR invalid_argument: Field '" + name +
                           "' of class 'customers' cannot be written"));
    EXPECT_THAT(create("customers", R"({"name":"B",")" + name + "\":\"9\"}"),
                StartsWith("ERROR invalid_argument: Field '" + name));
  }
  EXPECT_THAT(update("notes", "n1", R"({"password":1})"), StartsWith("ERROR not_found"));
  create("notes", R"({"code":"n1"})");
  EXPECT_THAT(update("notes", "n1", R"({"password":1})"), StartsWith("ERROR access_denied"));
  EXPECT_THAT(update("customers", "1", R"({"tags":{"a":[{"_hashed_password":1}]}})"),
              StartsWith("ERROR access_denied: Field '_hashed_password'"));
}

TEST_F(ChangedRowsTest, RefusalsOfTheDatabaseNameFieldsAndNoValues) {
  EXPECT_THAT(create("customers", "{}"), StartsWith("ERROR invalid_argument: Field 'name'"));
  EXPECT_EQ(details_, R"({"kind":"required_field","class_name":"customers","fields":["name"]})");
  EXPECT_THAT(create("orders", R"({"number":"A1"})"), HasSubstr("already has an object"));
  EXPECT_EQ(details_, R"({"kind":"duplicate_value","class_name":"orders","fields":["number"]})");
  create("customers", R"({"name":"B","points":-1})");
  EXPECT_EQ(details_,
            R"({"kind":"failed_validation","class_name":"customers","fields":["points"]})");
  EXPECT_THAT(create("orders", R"({"customer_id":77})"),
              HasSubstr("refers to an object that does not exist"));
  EXPECT_EQ(details_,
            R"({"kind":"missing_reference","class_name":"orders","fields":["customer_id"]})");
  EXPECT_THAT(remove("customers", "1"), HasSubstr("Other objects refer to this object"));
  EXPECT_EQ(sql("SELECT count(*) FROM customers"), "1");
  create("notes", R"({"code":"keep"})");
  EXPECT_THAT(remove("notes", "keep"), Not(HasSubstr("secret")));
  EXPECT_EQ(sql("SELECT count(*) FROM notes"), "1");
}

TEST_F(ChangedRowsTest, ADocumentKeepsMembersWithoutANewValue) {
  update("docs", "d1", R"({"b":{"__type":"Date","iso":"2020-01-01T00:00:00.000Z"},"tags":null})");
  EXPECT_EQ(sql("SELECT doc FROM docs"),
            R"({"_id":"d1","a":1.50,"deep":{"n":1e3},"b":{"$date":"2020-01-01T00:00:00.000Z"}})");
  update("docs", "d1", R"({"a":{"__op":"Increment","amount":2},
    "list":{"__op":"AddUnique","objects":[1,1]}})");
  EXPECT_THAT(sql("SELECT doc FROM docs"), HasSubstr(R"("a":3.5,)"));
  EXPECT_THAT(sql("SELECT doc FROM docs"), HasSubstr(R"("list":[1])"));
}

TEST_F(ChangedRowsTest, ADocumentHasAnIdOfItsOwn) {
  EXPECT_THAT(create("docs", R"({"a":1})"), HasSubstr(R"("rows":1)"));
  EXPECT_EQ(sql("SELECT length(doc->>'_id') FROM docs WHERE rowid=2"), "24");
  EXPECT_THAT(create("docs", R"({"_id":"d2","a":1})"), HasSubstr(R"("objectId":"d2")"));
  EXPECT_THAT(create("docs", R"({"_id":"d2"})"), StartsWith("ERROR invalid_argument"));
  EXPECT_EQ(details_, R"({"kind":"duplicate_value","class_name":"docs"})");
  EXPECT_THAT(update("docs", "d2", R"({"_id":"d3"})"), HasSubstr("does not change"));
  EXPECT_THAT(update("docs", "d2", R"({"a.b":1})"), HasSubstr("have no dots"));
  EXPECT_THAT(remove("docs", "d2"), HasSubstr(R"([{"objectId":"d2"}])"));
  EXPECT_EQ(sql("SELECT count(*) FROM docs"), "2");
}

TEST_F(ChangedRowsTest, ViewsAreNotWritten) {
  EXPECT_THAT(create("names", R"({"name":"x"})"), HasSubstr("it is a view"));
}

TEST_F(ChangedRowsTest, AnObjectThatIsNotThereIsNotFoundAsInARead) {
  const auto read = ask("get", R"({"class_name":"orders","object_id":"99"})");
  EXPECT_EQ(update("orders", "99", R"({"total":1})"), read);
  EXPECT_EQ(remove("orders", "99"), read);
}

TEST_F(ChangedRowsTest, ACheckWithANameNamesTheFieldsThatItUses) {
  run_sql(
      "CREATE TABLE bills(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, amount REAL"
      "  CONSTRAINT kind CHECK (amount > 0), password TEXT, due INTEGER, paid INTEGER,"
      "  CONSTRAINT \"in \"\"order\"\"\" CHECK ((due < paid) OR password IS NOT NULL));"
      "CREATE TABLE other(id INTEGER PRIMARY KEY, due INTEGER);"
      "CREATE TRIGGER billed AFTER INSERT ON other"
      "  BEGIN INSERT INTO bills(amount,due,paid) VALUES(1,2,new.due); END");
  EXPECT_THAT(create("bills", R"({"amount":-1})"), HasSubstr("a check of 'amount' does not"));
  EXPECT_EQ(details_, R"({"kind":"failed_validation","class_name":"bills","fields":["amount"]})");
  create("bills", R"({"amount":1,"due":2,"paid":1})");
  EXPECT_EQ(details_,
            R"({"kind":"failed_validation","class_name":"bills","fields":["due","paid"]})");
  create("other", R"({"due":1})");
  EXPECT_EQ(details_, R"({"kind":"failed_validation","class_name":"other"})");
}

TEST_F(ChangedRowsTest, ANumberingThatIsAtItsEndIsToldAsThat) {
  run_sql(
      "CREATE TABLE slots(id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER);"
      "CREATE TABLE other(id INTEGER PRIMARY KEY, n INTEGER);"
      "CREATE TRIGGER slotted AFTER INSERT ON other BEGIN INSERT INTO slots(n) VALUES(1); END;"
      "INSERT INTO slots VALUES(9223372036854775807,1)");
  EXPECT_THAT(create("slots", R"({"n":2})"),
              StartsWith("ERROR invalid_argument: Class 'slots' takes no new object: its "
                         "numbering has reached its last number"));
  EXPECT_EQ(details_, R"({"kind":"no_more_numbers","class_name":"slots"})");
  EXPECT_THAT(create("other", R"({"n":2})"), Not(HasSubstr("slots")));
  EXPECT_THAT(create("other", R"({"n":2})"), HasSubstr("another table's numbering"));
}

TEST_F(ChangedRowsTest, AnIdIsTakenAsAReadShowsIt) {
  run_sql(
      "CREATE TABLE files(key BLOB PRIMARY KEY, n INTEGER);"
      "INSERT INTO files VALUES(x'00FF',1)");
  EXPECT_THAT(ask("update", R"({"class_name":"files","objects":[
                {"object_id":{"$base64":"AP8="},"data":{"n":2}}]})"),
              HasSubstr(R"("n":2)"));
  EXPECT_THAT(ask("delete", R"({"class_name":"files","object_id":{"$base64":"AP8="}})"),
              HasSubstr(R"("rows":1)"));
  EXPECT_THAT(ask("update", R"({"class_name":"orders","objects":[
                {"object_id":1,"data":{"total":3}}]})"),
              HasSubstr(R"("total":3.0)"));
  for (const char* id : {"1.5", "true", "[1]", R"({"$base64":"?"})", R"({"a":"AP8="})"}) {
    EXPECT_THAT(ask("update", R"({"class_name":"orders","objects":[{"object_id":)" +
                                  std::string(id) + R"(,"data":{"total":3}}]})"),
                StartsWith("ERROR invalid_argument: objects[0]: 'object_id' must be"))
        << id;
  }
}

TEST_F(ChangedRowsTest, AnEmptyVersionIsRefusedAndNotTakenForNone) {
  const std::string one = R"("object_id":"1","data":{"total":99},"if_unchanged":""})";
  EXPECT_THAT(ask("update", R"({"class_name":"orders",)" + one),
              StartsWith("ERROR invalid_argument: 'if_unchanged' is empty."));
  EXPECT_THAT(ask("update", R"({"class_name":"orders","objects":[{)" + one + "]}"),
              StartsWith("ERROR invalid_argument: objects[0]: 'if_unchanged' is empty."));
  EXPECT_THAT(ask("delete", R"({"class_name":"orders","object_id":"1","if_unchanged":""})"),
              StartsWith("ERROR invalid_argument: 'if_unchanged' is empty."));
  EXPECT_EQ(sql("SELECT total FROM orders"), "10.0");
}

TEST_F(ChangedRowsTest, AnErrorOfTheSchemaNamesTheClassAlone) {
  run_sql(
      "CREATE TABLE safe(id INTEGER PRIMARY KEY, code TEXT);"
      "CREATE TABLE hushed(id INTEGER PRIMARY KEY, code TEXT REFERENCES safe(code));"
      "CREATE TABLE lost(id INTEGER PRIMARY KEY, code TEXT REFERENCES hushed_gone(code));"
      "CREATE TABLE left(id INTEGER PRIMARY KEY, code TEXT);"
      "CREATE TRIGGER moved AFTER UPDATE ON left BEGIN INSERT INTO hushed_gone VALUES(1); END;"
      "CREATE TABLE sums(id INTEGER PRIMARY KEY, code TEXT);"
      "CREATE TRIGGER summed AFTER UPDATE ON sums"
      "  BEGIN SELECT json_extract('hushed','$.a'); END;"
      "CREATE TABLE ends(id INTEGER PRIMARY KEY, code TEXT);"
      "CREATE TRIGGER ended AFTER UPDATE ON ends BEGIN SELECT RAISE(ROLLBACK,'hushed'); END;"
      "INSERT INTO safe VALUES(1,'x'); INSERT INTO hushed VALUES(1,'x');"
      "INSERT INTO lost VALUES(1,'x'); INSERT INTO left VALUES(1,'x');"
      "INSERT INTO sums VALUES(1,'x'); INSERT INTO ends VALUES(1,'x')");
  for (const char* cls : {"safe", "lost", "left", "sums"}) {
    EXPECT_THAT(update(cls, "1", R"({"code":"y"})"),
                StartsWith("ERROR invalid_argument: Class '" + std::string(cls) +
                           "' refuses the change: a foreign key, a trigger or an expression of "
                           "its table is in error."));
    EXPECT_EQ(details_, R"({"kind":"broken_schema","class_name":")" + std::string(cls) + R"("})");
  }
  for (const char* cls : {"safe", "lost", "left", "sums", "ends"}) {
    EXPECT_THAT(update(cls, "1", R"({"code":"y"})"), Not(HasSubstr("hushed")));
    EXPECT_THAT(remove(cls, "1"), Not(HasSubstr("hushed")));
    EXPECT_THAT(create(cls, R"({"code":"y"})"), Not(HasSubstr("hushed")));
  }
  EXPECT_THAT(remove("safe", "1"), StartsWith("ERROR invalid_argument: Class 'safe' refuses"));
}

TEST_F(ChangedRowsTest, AnObjectThatATriggerRemovesOrRenamesIsNotFound) {
  run_sql(
      "CREATE TABLE slots(id INTEGER PRIMARY KEY, n INTEGER);"
      "CREATE TRIGGER moves AFTER UPDATE OF n ON slots WHEN new.n=1"
      "  BEGIN UPDATE slots SET id=new.id+10 WHERE id=new.id; END;"
      "CREATE TRIGGER removes AFTER UPDATE OF n ON slots WHEN new.n=2"
      "  BEGIN DELETE FROM slots WHERE id=new.id; END;"
      "CREATE TRIGGER empties AFTER INSERT ON slots WHEN new.n=2"
      "  BEGIN DELETE FROM slots WHERE id=new.id; END;"
      "INSERT INTO slots VALUES(1,0)");
  for (const char* n : {"1", "2"}) {
    EXPECT_THAT(update("slots", "1", R"({"n":)" + std::string(n) + "}"),
                StartsWith("ERROR not_found: After this write there is no object with id '1' in "
                           "class 'slots'"));
    EXPECT_EQ(details_, R"({"kind":"object_gone","class_name":"slots"})");
  }
  EXPECT_THAT(create("slots", R"({"n":2})"), StartsWith("ERROR not_found: After this write"));
  EXPECT_EQ(sql("SELECT group_concat(id||':'||n) FROM slots"), "1:0");
}

TEST_F(ChangedRowsTest, AReplacingConflictClauseDeletesNoOtherRow) {
  run_sql(
      "CREATE TABLE slots(id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE);"
      "INSERT INTO slots VALUES(1,'a')");
  EXPECT_THAT(create("slots", R"({"name":"a"})"), StartsWith("ERROR invalid_argument"));
  EXPECT_EQ(sql("SELECT id FROM slots"), "1");
}

}  // namespace
}  // namespace gantry::data
