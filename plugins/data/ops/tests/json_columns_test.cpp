// JSON columns with values of any kind.
#include <gtest/gtest.h>

#include <string>

#include "small_database.hpp"

namespace gantry::data::json_columns_test {
namespace {

class JsonColumns : public SmallDatabase {};

TEST_F(JsonColumns, MeanTheSameInWhereAndInPipelines) {
  make(R"(
    CREATE TABLE j(id INTEGER PRIMARY KEY, v JSON);
    INSERT INTO j VALUES (1, '{"a":1}'), (2, '{"a":{"$numberLong":"1"}}'),
      (3, '{"a":{"$numberInt":"1"}}'), (4, '{"a":{"$numberDouble":"1.0"}}'), (5, '{"a":1.0}'),
      (6, '{"a":{"$numberLong":"9007199254740993"}}'), (7, '{"a":{"$numberDouble":"NaN"}}'),
      (8, '{"a":"1"}'), (9, CAST(x'7B2261223A22FF227D' AS TEXT)), (10, CAST(x'FF' AS TEXT)),
      (11, 'plain'), (12, NULL), (13, '{"a":[{"$numberLong":"1"},"x"]}'), (14, '{"a":1,"a":2}'),
      (15, '{"a":{"$date":"2020-01-01T00:00:00Z"}}'), (16, 'null'), (17, '{"a":0E44}');)");
  for (const char* condition : {R"({"v.a":1})",
                                R"({"v.a":2})",
                                R"({"v.a":{"$type":"long"}})",
                                R"({"v.a":{"$type":"int"}})",
                                R"({"v.a":{"$type":"double"}})",
                                R"({"v.a":{"$type":"string"}})",
                                R"({"v":{"$type":"string"}})",
                                R"({"v":{"$type":"binData"}})",
                                R"({"v":{"$type":"object"}})",
                                R"({"v.a":{"$exists":true}})",
                                R"({"v.a":{"$gt":1}})",
                                R"({"v.a":{"$in":[1,"1"]}})",
                                R"({"v.a":{"$mod":[2,1]}})",
                                R"({"v.a":0})",
                                R"({"v":null})",
                                R"({"v":"plain"})",
                                R"({"v.a":{"$type":"date"}})",
                                R"({"v.a":{"$elemMatch":{"$type":"long"}}})",
                                R"({"v.a":9007199254740993})",
                                R"({"v.a":{"$not":{"$gte":1}}})"}) {
    const std::string where = std::string(R"({"class_name":"j","where":)") + condition + "}";
    const std::string match = std::string(R"({"class_name":"j","pipeline":[{"$match":)") +
                              condition + R"(},{"$sort":{"_id":1}},{"$project":{"_id":1}}]})";
    const std::string counted = ask("count", where);
    const std::string matched = ask("aggregate", match);
    std::size_t found = 0;
    for (auto at = matched.find("objectId"); at != matched.npos;
         at = matched.find("objectId", at + 1)) {
      ++found;
    }
    EXPECT_NE(counted.find("\"count\":" + std::to_string(found) + "}"), counted.npos)
        << condition << ": " << counted << " but " << matched;
  }
}

TEST_F(JsonColumns, GiveDistinctElementsOfArraysOnTheWayAndAtTheEnd) {
  make(R"(
    CREATE TABLE j(id INTEGER PRIMARY KEY, v JSON);
    INSERT INTO j VALUES (1, '[{"a":[1,2]},{"a":3},4]'), (2, '{"a":[2,null]}'), (3, NULL),
      (4, '{"a":[]}'), (5, '{"a":null}');)");
  const std::string said = ask("distinct", R"({"class_name":"j","field":"v.a"})");
  EXPECT_TRUE(said.starts_with("[null,1,2,3]")) << said;
}

}  // namespace
}  // namespace gantry::data::json_columns_test
