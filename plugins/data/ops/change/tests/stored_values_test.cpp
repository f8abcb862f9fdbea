// What create and update store of a value: exactly what was given, or nothing.
#include "ops/change/tests/changed_rows.hpp"
#include "values/iso_date.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(ChangedRowsTest, CreateSetsTheTimesInTheFormOfTheColumn) {
  create("customers", R"({"name":"Bob"})");
  EXPECT_EQ(sql("SELECT length(created_at)||substr(created_at,11,1) FROM customers WHERE id=2"),
            "19 ");
  EXPECT_EQ(sql("SELECT created_at = updated_at FROM customers WHERE id=2"), "1");
  update("customers", "1", R"({"rate":2})");
  EXPECT_EQ(sql("SELECT created_at FROM customers WHERE id=1"), "2020-01-01 00:00:00");
  EXPECT_EQ(sql("SELECT updated_at > '2026-01-01' FROM customers WHERE id=1"), "1");
}

// As programs in other languages store them.
TEST_F(ChangedRowsTest, TimesHaveTheShapeOfTheColumnsOtherTimes) {
  const char* const kShapes[] = {
      "2020-01-02 03:04:05.123456",      "2020-01-02T03:04:05.1234567",
      "2020-01-02T03:04:05.123+02:00",   "2020-01-02 03:04:05.123 +00:00",
      "2020-01-02T03:04:05.123456-0500", "2020-01-02 03:04"};
  for (const std::string shape : kShapes) {
    run_sql(
        ("DROP TABLE IF EXISTS timed; CREATE TABLE timed(id INTEGER PRIMARY KEY, n INTEGER, "
         "created_at DATETIME NOT NULL, updated_at DATETIME); INSERT INTO timed VALUES (1, 1, '" +
         shape + "', '" + shape + "')")
            .c_str());
    open(ReadSettings{});
    EXPECT_THAT(create("timed", R"({"n":2})"), HasSubstr(R"("rows":1)")) << shape;
    const std::string stored = sql("SELECT updated_at FROM timed WHERE id=2");
    EXPECT_EQ(iso_shape(stored), iso_shape(shape));
    const auto instant = parse_iso_date(stored);
    EXPECT_TRUE(instant && *instant > 1'700'000'000'000) << stored;
    update("timed", "1", R"({"n":3})");
    EXPECT_EQ(iso_shape(sql("SELECT updated_at FROM timed WHERE id=1")), iso_shape(shape));
  }
}

TEST_F(ChangedRowsTest, ADateThatWasReadIsWrittenBackAsItWasStored) {
  run_sql(
      "CREATE TABLE plans(id INTEGER PRIMARY KEY, due DATETIME, n INTEGER);"
      "INSERT INTO plans VALUES (1,'2020-01-02 03:04:05.123456',1)");
  open(ReadSettings{});
  update("plans", "1", R"({"due":"2020-01-02T03:04:05.123Z","n":2})");
  EXPECT_EQ(sql("SELECT due||n FROM plans"), "2020-01-02 03:04:05.1234562");
  update("plans", "1", R"({"due":"2020-01-02T03:04:05.124Z"})");
  EXPECT_EQ(sql("SELECT due FROM plans"), "2020-01-02 03:04:05.124000");
  update("plans", "1", R"({"due":"2020-01-02 03:04:05.124000"})");
  update("plans", "1", R"({"due":"2020-01-02 03:04:05.124999"})");
  EXPECT_EQ(sql("SELECT due FROM plans"), "2020-01-02 03:04:05.124999");
}

// Such a type has numeric affinity, as SQLite reads its name.
TEST_F(ChangedRowsTest, ATextIsNeverStoredAsANumberOfOtherDigits) {
  run_sql("CREATE TABLE codes(id INTEGER PRIMARY KEY, zip STRING, ref UUID, tag ENUM)");
  open(ReadSettings{});
  for (const char* text :
       {"00123", "1e5", " 12", "+5", "1.0e3", "-0", "5.", "12345678901234567890"}) {
    for (const char* field : {"zip", "ref", "tag"}) {
      const std::string data = std::string("{\"") + field + "\":\"" + text + "\"}";
      EXPECT_THAT(create("codes", data), HasSubstr("a column of type TEXT keeps it")) << data;
    }
  }
  for (const char* text : {"SW1A", "123", "-7", "1.5", "infinity", "nan", "0x10", "1 2", ""}) {
    EXPECT_THAT(create("codes", std::string("{\"zip\":\"") + text + "\"}"),
                HasSubstr(R"("rows":1)"));
    EXPECT_EQ(sql("SELECT zip FROM codes ORDER BY id DESC"), text);
  }
}

// Parsers round them.
TEST_F(ChangedRowsTest, NumbersKeepTheirDigitsOrAreRefused) {
  for (const char* data : {R"({"name":"x","tags":{"n":123456789012345678901234567890}})",
                           R"({"name":"x","rate":0.12345678901234567890123})",
                           R"({"name":"x","tags":[{"n":[3.141592653589793238462643]}]})",
                           R"({"name":123456789012345678901234567890})"}) {
    EXPECT_THAT(create("customers", data), HasSubstr("more digits than numbers keep")) << data;
  }
  EXPECT_THAT(create("docs", R"({"n":18446744073709551615})"),
              HasSubstr("more digits than numbers keep"));
  EXPECT_THAT(create("customers", R"({"name":"x","tags":{"n":18446744073709551615,"r":1.10}})"),
              HasSubstr("18446744073709551615"));
  run_sql(
      "CREATE TABLE sums(id INTEGER PRIMARY KEY, n, j JSON);"
      "INSERT INTO sums VALUES (1, 9007199254740993, '[1]'), (2, 7, 7), (3, 1.5, '')");
  open(ReadSettings{});
  EXPECT_THAT(update("sums", "1", R"({"n":{"__op":"Increment","amount":0.5}})"),
              HasSubstr("beyond"));
  EXPECT_EQ(sql("SELECT n FROM sums"), "9007199254740993");
  for (const char* op : {"Add", "AddUnique", "Remove"}) {
    for (const char* id : {"2", "3"}) {
      EXPECT_THAT(
          update("sums", id, std::string(R"({"j":{"__op":")") + op + R"(","objects":[1]}})"),
          HasSubstr("holds no array"))
          << op;
    }
  }
  EXPECT_EQ(sql("SELECT group_concat(j, '|') FROM sums"), "[1]|7|");
  run_sql(R"(INSERT INTO docs VALUES('{"_id":"big","n":123456789012345678901234567890}'))");
  EXPECT_THAT(update("docs", "big", R"({"n":{"__op":"Increment","amount":1}})"),
              HasSubstr("more digits than Increment keeps"));
}

TEST_F(ChangedRowsTest, ValuesThatDoNotFitAreRefusedAndNothingIsWritten) {
  EXPECT_THAT(create("customers", R"({"name":"B","points":1.5})"),
              StartsWith("ERROR invalid_argument: Field 'points' of class 'customers': "));
  EXPECT_EQ(details_, R"({"kind":"unfit_value","class_name":"customers","fields":["points"]})");
  EXPECT_THAT(create("customers", R"({"name":"B","photo":"text"})"),
              StartsWith("ERROR invalid_argument: Field 'photo'"));
  EXPECT_THAT(create("customers", R"({"name":"B","points":18446744073709551615})"),
              HasSubstr("beyond 64 bits"));
  EXPECT_THAT(create("customers", R"({"name":"B","nam":"x"})"), HasSubstr("has no field 'nam'"));
  EXPECT_EQ(sql("SELECT count(*) FROM customers"), "1");
}

TEST_F(ChangedRowsTest, PointersAreTakenInEveryForm) {
  for (const char* customer :
       {"1", "\"1\"", R"({"__type":"Pointer","className":"customers","objectId":"1"})"}) {
    EXPECT_THAT(create("orders", R"({"customer_id":)" + std::string(customer) + "}"),
                HasSubstr(R"("customer_id":1)"));
  }
}

TEST_F(ChangedRowsTest, ParseOperationsApplyToTheStoredValue) {
  EXPECT_THAT(update("customers", "1", R"({"points":{"__op":"Increment","amount":3}})"),
              HasSubstr(R"("points":8)"));
  EXPECT_THAT(update("customers", "1", R"({"rate":{"__op":"Increment","amount":0.5}})"),
              HasSubstr(R"("rate":0.5)"));
  EXPECT_THAT(update("customers", "1", R"({"tags":{"__op":"Add","objects":[1,{"a":2}]}})"),
              HasSubstr(R"("tags":[1,{"a":2}])"));
  EXPECT_THAT(update("customers", "1", R"({"tags":{"__op":"AddUnique","objects":[1,3]}})"),
              HasSubstr(R"("tags":[1,{"a":2},3])"));
  EXPECT_THAT(update("customers", "1", R"({"tags":{"__op":"Remove","objects":[{"a":2}]}})"),
              HasSubstr(R"("tags":[1,3])"));
  EXPECT_THAT(update("customers", "1", R"({"points":{"__op":"Delete"}})"),
              Not(HasSubstr("points")));
  EXPECT_THAT(update("customers", "1", R"({"points":{"__op":"Increment","amount":0.5}})"),
              HasSubstr("holds whole numbers"));
  EXPECT_THAT(update("customers", "1", R"({"name":{"__op":"Increment","amount":1}})"),
              HasSubstr("holds no numbers"));
  EXPECT_THAT(update("customers", "1", R"({"points":{"__op":"Divide"}})"),
              HasSubstr("'__op' must be"));
  update("customers", "1", R"({"points":9223372036854775807})");
  EXPECT_THAT(update("customers", "1", R"({"points":{"__op":"Increment","amount":1}})"),
              HasSubstr("beyond 64 bits"));
}

}  // namespace
}  // namespace gantry::data
