// Rows written directly from the database are byte for byte the same as rows written by way of
// documents.
#include <string>

#include "ops/tests/small_database.hpp"

namespace gantry::data {
namespace {

constexpr const char* kSql = R"sql(
CREATE TABLE home(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE _gantry_secret(id INTEGER PRIMARY KEY);
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, born DATE, active BOOLEAN, weight REAL,
  photo BLOB, home_id INTEGER REFERENCES home(id), secret_id INTEGER REFERENCES _gantry_secret(id),
  password_hash TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE visit(id INTEGER PRIMARY KEY, day DATE, paid BOOLEAN, home_id INTEGER REFERENCES home(id),
  secret_id INTEGER REFERENCES _gantry_secret(id), photo BLOB, password_hash TEXT, created_at TEXT);
CREATE TABLE paper(code TEXT PRIMARY KEY, body JSON, at DATETIME);
CREATE TABLE pair(a TEXT, b INTEGER, n INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE TABLE own(_id TEXT, objectId TEXT, createdAt TEXT, n INTEGER);
CREATE TABLE many(id INTEGER PRIMARY KEY, n INTEGER);
CREATE VIEW light AS SELECT name, weight FROM person;
INSERT INTO home VALUES (1, 'Zürich'), (2, 'a "quoted" \ town');
INSERT INTO person VALUES
  (1, 'Ann', '2001-02-03', 1, 60.5, x'00ff', 1, 7, 'x', '2020-01-02T03:04:05.678Z',
   '2021-01-02 03:04:05'),
  (2, 'Bob', 'no date', 7, 9e999, NULL, 2, NULL, 'x', '2020-01-02T03:04:05.678Z', NULL),
  (3, CAST(x'ff41' AS TEXT), NULL, 0, NULL, x'', 1, NULL, NULL, '2020-05-05T05:05:05Z', 'never'),
  (4, NULL, '1999-12-31', NULL, -0.0, NULL, NULL, NULL, NULL, '2020-05-05T05:05:05Z', NULL),
  (5, char(1) || 'Eve', '2001-02-03', 1, 1e300, NULL, 9, 1, NULL, '2020-05-05T05:05:05Z', NULL);
INSERT INTO visit VALUES (1, '2001-02-03', 1, 1, 7, x'00ff', 'x', '2020-01-02T03:04:05.678Z'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, '2020-01-02T03:04:05.678Z'),
  (3, '2001-02-03', 0, 2, NULL, NULL, NULL, '2020-01-02T03:04:05.678Z');
INSERT INTO paper VALUES ('p', '{"__type":"Pointer","className":"home","objectId":"1"}', NULL),
  ('q', '{"_id":"1","objectId":"1"}', '2001-02-03 04:05:06'), ('r', 'no JSON', 'never');
INSERT INTO pair VALUES ('x,y', 1, NULL), ('x%', 2, 3);
INSERT INTO own VALUES ('1', '1', '2020-01-02T03:04:05Z', 1), (NULL, '2', NULL, NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 250)
INSERT INTO many SELECT i, nullif(i % 7, 3) FROM n;
)sql";

class PlainRows : public SmallDatabase {
 protected:
  void SetUp() override { make(kSql); }

  std::string ask(bool pushdown, const std::string& arguments, std::size_t max_bytes) {
    configure({pushdown, false, false});
    const auto reply =
        service_->run(R"({"op":"aggregate","args":)" + arguments + "}", {{}, max_bytes, nullptr});
    return reply ? reply->rows + reply->meta : reply.error().code + ": " + reply.error().message;
  }
  void expect_same(const std::string& arguments, std::size_t max_bytes = 4u << 20) {
    EXPECT_EQ(ask(true, arguments, max_bytes), ask(false, arguments, max_bytes)) << arguments;
  }
};

constexpr const char* kPipelines[] = {
    "[]",
    R"([{"$limit":3}])",
    R"([{"$skip":1}])",
    R"([{"$sort":{"weight":-1}},{"$limit":2}])",
    R"([{"$match":{"objectId":{"$ne":"2"}}}])",
    R"([{"$match":{"name":{"$exists":false}}},{"$limit":1}])",
    R"([{"$match":{"n":{"$gte":2}}},{"$skip":3},{"$limit":100}])",
};

TEST_F(PlainRows, AreTheBytesOfDocuments) {
  for (const char* name : {"home", "person", "visit", "paper", "pair", "own", "many"}) {
    for (const char* pipeline : kPipelines) {
      const std::string begin = std::string(R"({"class_name":")") + name + R"(","pipeline":)";
      expect_same(begin + pipeline + "}");
      expect_same(begin + pipeline + R"(,"compact_pointers":false})");
    }
  }
  expect_same(R"({"class_name":"light","pipeline":[{"$limit":3}]})");
}

TEST_F(PlainRows, HoldPointersAndDatesAndNoNulls) {
  EXPECT_EQ(ask(true, R"({"class_name":"visit","pipeline":[{"$limit":2}]})", 4u << 20),
            R"([{"objectId":"1","createdAt":"2020-01-02T03:04:05.678Z","id":1,)"
            R"("day":{"__type":"Date","iso":"2001-02-03T00:00:00.000Z"},"paid":true,"home_id":"1",)"
            R"("secret_id":{"className":"_gantry_secret","__redacted":true},)"
            R"("photo":{"__type":"Bytes","base64":"AP8="},)"
            R"("created_at":{"__type":"Date","iso":"2020-01-02T03:04:05.678Z"}},)"
            R"({"objectId":"2","createdAt":"2020-01-02T03:04:05.678Z","id":2,)"
            R"("created_at":{"__type":"Date","iso":"2020-01-02T03:04:05.678Z"}}])"
            R"({"pipeline_stages":1,"result_count":2,"pointer_classes":{"home_id":"home"}})");
}

TEST_F(PlainRows, AreRefusedInTheSameWordsWhenTooLarge) {
  expect_same(R"({"class_name":"many","pipeline":[{"$limit":200}]})", 2000);
  EXPECT_TRUE(ask(true, R"({"class_name":"many","pipeline":[{"$limit":200}]})", 2000)
                  .starts_with("invalid_argument"));
}

TEST_F(PlainRows, TellThatThereAreMore) {
  const std::string answer = ask(true, R"({"class_name":"many","pipeline":[]})", 4u << 20);
  EXPECT_NE(answer.find(R"("result_count":200)"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"("auto_limited":true)"), std::string::npos) << answer;
}

TEST_F(PlainRows, EndWithTheirBudget) {
  Budget budget;
  budget.cancelled = [] { return true; };
  configure({true, false, false});
  const auto reply =
      service_->run(R"({"op":"aggregate","args":{"class_name":"many","pipeline":[]}})",
                    {budget, 4u << 20, nullptr});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, "cancelled");
}

}  // namespace
}  // namespace gantry::data
