// The operations of gantry.data/1 over a small database, as the families call them.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>

#include "ops/error_details.hpp"
#include "small_database.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kCap = 4u << 20;

class Ops : public SmallDatabase {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE city(code TEXT PRIMARY KEY, name TEXT NOT NULL, twin TEXT REFERENCES city(code));
      CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
                          home TEXT REFERENCES city(code), tags JSON, password TEXT);
      CREATE TABLE pair(a INTEGER, b TEXT, v REAL, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE VIEW adults AS SELECT id, name FROM person WHERE age >= 18;
      INSERT INTO city VALUES('ber','Berlin','par'),('par','Paris','ber'),('x,y','Odd %',NULL);
      INSERT INTO person VALUES
        (1,'Ada',36,'ber','{"langs":["en","fr"],"pet":{"name":"Rex","age":3}}','secret'),
        (2,'Bob',17,'par','[{"k":1,"z":2},{"k":3},5]','secret'),
        (3,'Cyd',NULL,'gone',NULL,'secret');
      INSERT INTO pair VALUES(1,'x,y',1.5),(2,'',2.0);)sql");
  }

  Outcome<Reply> run(const std::string& op, const std::string& args, std::size_t cap = kCap) {
    return service_->run(R"({"op":")" + op + R"(","args":)" + args + "}",
                         {Budget::for_ms(5000), cap, nullptr});
  }
  std::string rows(const std::string& op, const std::string& args) {
    auto reply = run(op, args);
    return reply ? reply->rows : "ERROR " + reply.error().code + ": " + reply.error().message;
  }
  std::string meta(const std::string& op, const std::string& args) {
    auto reply = run(op, args);
    return reply ? reply->meta : "ERROR " + reply.error().code + ": " + reply.error().message;
  }
};

TEST_F(Ops, QueryReturnsRowsInOrderWithPagination) {
  EXPECT_EQ(rows("query", R"({"class_name":"person","keys":["name"],"order":"-name","limit":2})"),
            R"([{"objectId":"3","name":"Cyd"},{"objectId":"2","name":"Bob"}])");
  EXPECT_EQ(meta("query", R"({"class_name":"person","order":"-name","limit":2,"skip":1})"),
            R"({"result_count":2,"pagination":{"limit":2,"skip":1,"has_more":false}})");
  EXPECT_NE(meta("query", R"({"class_name":"person","limit":2})").find(R"("has_more":true)"),
            std::string::npos);
}

TEST_F(Ops, IncludeReplacesPointersAndKeepsThoseWithoutTarget) {
  EXPECT_EQ(
      rows(
          "query",
          R"({"class_name":"person","keys":["name"],"include":["home"],"where":{"objectId":"1"}})"),
      R"([{"objectId":"1","name":"Ada","home":{"__type":"Object","className":"city",)"
      R"("objectId":"ber","code":"ber","name":"Berlin",)"
      R"("twin":{"__type":"Pointer","className":"city","objectId":"par"}}}])");
  EXPECT_EQ(
      rows("query",
           R"({"class_name":"person","keys":["home"],"include":["home"],"where":{"id":3}})"),
      R"([{"objectId":"3","home":{"__type":"Pointer","className":"city","objectId":"gone"}}])");
}

TEST_F(Ops, IncludeFollowsDottedPathsAndKeysReachBelowPointers) {
  EXPECT_EQ(rows("get", R"({"class_name":"person","object_id":"1","keys":["home.twin.name"]})"),
            R"({"objectId":"1","home":{"__type":"Object","className":"city","objectId":"ber",)"
            R"("twin":{"__type":"Object","className":"city","objectId":"par","name":"Paris"}}})");
  const std::string nested =
      rows("query", R"({"class_name":"person","keys":["name"],"include":["home.twin"],"limit":2})");
  EXPECT_NE(nested.find(R"("twin":{"__type":"Object","className":"city","objectId":"par")"),
            std::string::npos)
      << nested;
}

TEST_F(Ops, DottedKeysReturnPartsOfStoredJson) {
  EXPECT_EQ(
      rows("get", R"({"class_name":"person","object_id":"1","keys":["name","tags.pet.name"]})"),
      R"({"objectId":"1","name":"Ada","tags":{"pet":{"name":"Rex"}}})");
  EXPECT_EQ(rows("get", R"({"class_name":"person","object_id":"2","keys":["tags.k"]})"),
            R"({"objectId":"2","tags":[{"k":1},{"k":3}]})");
  EXPECT_EQ(rows("get", R"({"class_name":"person","object_id":"3","keys":["tags.k"]})"),
            R"({"objectId":"3","tags":null})");
}

TEST_F(Ops, UnknownNamesNameTheNearestAndInternalColumnsStayUnknown) {
  EXPECT_EQ(meta("query", R"({"class_name":"persn"})").substr(0, 21), "ERROR access_denied: ");
  EXPECT_NE(meta("query", R"({"class_name":"persn"})").find("person"), std::string::npos);
  EXPECT_NE(meta("query", R"({"class_name":"person","keys":["nmae"]})").find("'name'"),
            std::string::npos);
  EXPECT_EQ(rows("query", R"({"class_name":"person"})").find("secret"), std::string::npos);
  const std::string denied = meta("query", R"({"class_name":"person","keys":["password"]})");
  EXPECT_EQ(denied.substr(0, 21), "ERROR access_denied: ") << denied;
  const std::string pointer = meta("query", R"({"class_name":"person","include":["name"]})");
  EXPECT_NE(pointer.find("pointers: home"), std::string::npos) << pointer;
}

TEST_F(Ops, ObjectsAreFoundByIdAndMissingOnesNamed) {
  auto reply = run("get_many", R"({"class_name":"pair","ids":["1,x%2Cy","9,z","1,x%2Cy"]})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->rows, R"({"1,x%2Cy":{"objectId":"1,x%2Cy","a":1,"b":"x,y","v":1.5}})");
  EXPECT_EQ(reply->meta, R"({"missing":["9,z"],"requested":2,"found":1})");
  EXPECT_EQ(meta("get", R"({"class_name":"pair","object_id":"9,z"})").substr(0, 17),
            "ERROR not_found: ");
  EXPECT_EQ(meta("get", R"({"class_name":"adults","object_id":"1"})").substr(0, 24),
            "ERROR invalid_argument: ");
  std::string ids;
  for (int i = 0; i < 51; ++i) ids += (i ? ",\"" : "\"") + std::to_string(i) + "\"";
  EXPECT_NE(meta("get_many", R"({"class_name":"person","ids":[)" + ids + "]}").find("51 distinct"),
            std::string::npos);
}

class ShownKeys : public Ops {
 protected:
  void SetUp() override {
    make(R"sql(
      CREATE TABLE days(day DATE PRIMARY KEY, v INTEGER);
      CREATE TABLE files(id BLOB PRIMARY KEY, v INTEGER);
      INSERT INTO days VALUES('2026-01-01',1),('2026-01-02',2);
      INSERT INTO files VALUES(x'0102ff',1),(x'0102',2);)sql");
  }
};

TEST_F(ShownKeys, FindTheirObjects) {
  for (const char* args :
       {R"({"class_name":"days","object_id":"2026-01-01T00:00:00Z","keys":["v"]})",
        R"({"class_name":"days","object_id":"2026-01-01","keys":["v"]})",
        R"({"class_name":"files","object_id":"AQL/","keys":["v"]})",
        R"({"class_name":"files","object_id":"0x0102ff","keys":["v"]})"}) {
    EXPECT_NE(rows("get", args).find(R"("v":1)"), std::string::npos) << args;
  }
  const auto days = run(
      "get_many", R"({"class_name":"days","ids":["2026-01-02T00:00:00Z","2026-01-03T00:00:00Z"]})");
  ASSERT_TRUE(days) << days.error().message;
  EXPECT_EQ(days->rows.substr(0, 24), R"({"2026-01-02T00:00:00Z":)");
  EXPECT_NE(days->rows.find(R"("v":2)"), std::string::npos) << days->rows;
  EXPECT_EQ(days->meta, R"({"missing":["2026-01-03T00:00:00Z"],"requested":2,"found":1})");
  EXPECT_EQ(meta("get_many", R"({"class_name":"files","ids":["AQI=","0x0102ff","AQJ/"]})"),
            R"({"missing":["AQJ/"],"requested":3,"found":2})");
}

TEST_F(Ops, CountsUnderAWhere) {
  EXPECT_EQ(meta("count", R"({"class_name":"person"})"), R"({"count":3})");
  EXPECT_EQ(meta("count", R"({"class_name":"person","where":{"age":{"$gte":18}}})"),
            R"({"count":1})");
}

TEST_F(Ops, SchemasListClassesByNameAndPrefix) {
  EXPECT_NE(meta("schemas", "{}").find(R"("total":4)"), std::string::npos) << meta("schemas", "{}");
  EXPECT_NE(meta("schemas", R"({"prefix":"p"})").find(R"("total":2)"), std::string::npos);
  EXPECT_NE(meta("schemas", R"({"prefix":"p","names":["pair","city"]})").find(R"("total":1)"),
            std::string::npos);
  EXPECT_NE(meta("schemas", R"({"prefix":"P"})").find(R"("note":)"), std::string::npos);
}

TEST_F(Ops, SchemaNamesPointersAndHidesInternalColumns) {
  const std::string schema = meta("schema", R"({"class_name":"person"})");
  EXPECT_NE(schema.find(R"("name":"home","type":"Pointer","required":false,"target_class":"city")"),
            std::string::npos)
      << schema;
  EXPECT_EQ(schema.find("password"), std::string::npos);
  rapidjson::Document document;
  document.Parse(schema.c_str());
  EXPECT_FALSE(document.HasParseError());
}

TEST_F(Ops, AnAnswerThatIsTooLargeDropsTheHeaviestFieldThenRows) {
  run_sql(R"sql(
    CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200)
    INSERT INTO note SELECT i, printf('%.*c', 400, 't'), printf('%.*c', 3000, 'b') FROM n;)sql");
  auto reply = run("query", R"({"class_name":"note","limit":200})", 200000);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_LE(reply->rows.size() + reply->meta.size(), 200000u);
  EXPECT_EQ(reply->rows.find("bbb"), std::string::npos);
  EXPECT_NE(reply->meta.find(R"("dropped_fields":["body"],"kept_count":200,"original_count":200,)"
                             R"("hint")"),
            std::string::npos)
      << reply->meta;
  reply = run("query", R"({"class_name":"note","limit":200,"skip":10})", 60000);
  ASSERT_TRUE(reply);
  EXPECT_LE(reply->rows.size(), 60000u);
  rapidjson::Document meta;
  meta.Parse(reply->meta.c_str());
  const auto& cut = meta["_truncated"];
  EXPECT_EQ(cut["original_count"].GetInt(), 190);
  EXPECT_GT(cut["kept_count"].GetInt(), 50);
  EXPECT_EQ(cut["next_skip"].GetInt(), 10 + cut["kept_count"].GetInt());
  EXPECT_TRUE(meta["pagination"]["has_more"].GetBool());
}

TEST_F(Ops, OtherReadsThatAreTooLargeRankTheirFields) {
  run_sql(R"sql(CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                INSERT INTO note VALUES(1,'t',printf('%.*c', 90000, 'b'));)sql");
  auto reply = run("get", R"({"class_name":"note","object_id":"1"})", 50000);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "invalid_argument");
  const std::string details = error_details(reply.error());
  EXPECT_NE(details.find(R"("kind":"response_too_large")"), std::string::npos) << details;
  EXPECT_NE(details.find(R"("largest_fields":[{"name":"body","bytes_per_record":900)"),
            std::string::npos)
      << details;
  EXPECT_NE(details.find(R"("keys":["id","title"])"), std::string::npos) << details;
}

TEST_F(Ops, BadRequestsAreNamed) {
  EXPECT_NE(meta("fly", "{}").find("'op' must be one of query"), std::string::npos);
  EXPECT_NE(meta("query", R"({"class_name":7})").find("'class_name' must be a string"),
            std::string::npos);
  EXPECT_NE(meta("query", R"({"class_name":"person","limit":1001})").find("from 1 to 1000"),
            std::string::npos);
  auto reply = service_->run("[]", {Budget{}, kCap, nullptr});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "invalid_argument");
}

TEST(DatabaseDeadline, LeavesFiveSecondsOrHalf) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  EXPECT_EQ(database_deadline(0, 0), 0);
  EXPECT_EQ(database_deadline(kSecond, 31 * kSecond), 26 * kSecond);
  EXPECT_EQ(database_deadline(kSecond, 11 * kSecond), 6 * kSecond);
}

}  // namespace
}  // namespace gantry::data
