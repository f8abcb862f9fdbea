// Forms of operators that other tests pass by: the fast ways, and those beside the usual form.
#include "evaluation.hpp"

namespace gantry::data::expr::forms_test {
namespace {

std::string paths_of(std::string_view expression) {
  Variables variables;
  std::set<std::string> paths;
  parse_expression(value_of(expression), variables)->add_paths(paths);
  std::string text;
  for (const std::string& path : paths) text += "[" + path + "]";
  return text;
}

TEST(ReduceOfLists, AppendsArraysAndTextsInTheirOrder) {
  const auto lists = [](const char* document) {
    return evaluated(R"({"$reduce":{"input":"$a","initialValue":[0],
                         "in":{"$concatArrays":["$$value","$$this"]}}})",
                     document);
  };
  EXPECT_EQ(lists(R"({"a":[[1],[2,3],[]]})"), "[0,1,2,3]");
  EXPECT_EQ(lists(R"({"a":[[1],null,[2]]})"), "null");
  EXPECT_EQ(unsaid(lists(R"({"a":[[1],2]})"), {"$concatArrays", "an array", "an int"}), "");
  const auto texts = [](const char* document) {
    return evaluated(R"({"$reduce":{"input":"$a","initialValue":"-",
                         "in":{"$concat":["$$value","$$this","$$this"]}}})",
                     document);
  };
  EXPECT_EQ(texts(R"({"a":["é","b"]})"), R"("-éébb")");
  EXPECT_EQ(texts(R"({"a":["x",null,"b"]})"), "null");
  EXPECT_EQ(unsaid(texts(R"({"a":["x",1]})"), {"$concat", "an int"}), "");
}

TEST(ReduceOfLists, LeavesTheArrayOfTheDocumentAsItWas) {
  EXPECT_EQ(evaluated(R"({"r":{"$reduce":{"input":[[9]],"initialValue":"$a",
                          "in":{"$concatArrays":["$$value","$$this"]}}},"a":"$a"})",
                      R"({"a":[1]})"),
            R"({"r":[1,9],"a":[1]})");
}

TEST(SortedArrays, TakePlacesOfArraysInsideOfObjects) {
  EXPECT_EQ(evaluated(R"({"$sortArray":{"input":"$a","sortBy":{"p.1":1,"p.0":-1}}})",
                      R"({"a":[{"p":[1,9]},{"p":[3,2]},{"p":[4,2]},{"p":[7]}]})"),
            R"([{"p":[7]},{"p":[4,2]},{"p":[3,2]},{"p":[1,9]}])");
  std::string keys;
  for (int i = 0; i < 32; ++i) keys += R"("f)" + std::to_string(i) + R"(":1,)";
  const std::string begin = R"({"$sortArray":{"input":[],"sortBy":{)";
  EXPECT_EQ(evaluated(begin + keys.substr(0, keys.size() - 1) + "}}}"), "[]");
  EXPECT_EQ(unsaid(evaluated(begin + keys + R"("f":1}}})"), {"$sortArray", "at most 32"}), "");
}

TEST(BinaryData, IsTextInUtf8) {
  EXPECT_EQ(evaluated(R"({"$convert":{"input":"é","to":"binData","format":"utf8"}})"),
            R"({"$binary":{"base64":"w6k=","subType":"00"}})");
  EXPECT_EQ(evaluated(R"({"$convert":{"input":{"$binary":{"base64":"w6k=","subType":"00"}},
                          "to":"string","format":"utf8"}})"),
            R"("é")");
  EXPECT_EQ(unsaid(evaluated(R"({"$convert":{"input":"x","to":"binData","format":"uuid"}})"),
                   {"$convert", "not supported here"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$convert":{"input":true,"to":"binData"}})"),
                   {"type bool", "to binary data"}),
            "");
  EXPECT_EQ(evaluated(R"({"$bsonSize":{"a":{"$binary":{"base64":"AQID","subType":"00"}}}})"), "16");
}

TEST(DateShifts, BackwardAreForwardByTheNegativeAmount) {
  const char* document = R"({"d":{"$date":"2024-03-31T12:00:00Z"}})";
  const auto shifted = [&](const char* op, int amount) {
    return evaluated(R"({")" + std::string(op) + R"(":{"startDate":"$d","unit":"month","amount":)" +
                         std::to_string(amount) + "}}",
                     document);
  };
  EXPECT_EQ(shifted("$dateSubtract", 1), R"({"$date":"2024-02-29T12:00:00.000Z"})");
  EXPECT_EQ(shifted("$dateSubtract", -1), shifted("$dateAdd", 1));
  EXPECT_EQ(shifted("$dateSubtract", 0), R"({"$date":"2024-03-31T12:00:00.000Z"})");
}

TEST(DatesInTexts, MayNameTheirZone) {
  const auto read = [](const char* text) {
    return evaluated(R"({"$dateFromString":{"dateString":")" + std::string(text) +
                     R"(","format":"%Y-%m-%d %H:%M %z","onError":"no"}})");
  };
  EXPECT_EQ(read("2024-07-01 12:00 Europe/Berlin"), R"({"$date":"2024-07-01T10:00:00.000Z"})");
  EXPECT_EQ(read("2024-01-01 12:00 Europe/Berlin"), R"({"$date":"2024-01-01T11:00:00.000Z"})");
  EXPECT_EQ(read("2024-01-01 12:00 GMT"), R"({"$date":"2024-01-01T12:00:00.000Z"})");
  EXPECT_EQ(read("2024-01-01 12:00 Mars/Base"), R"("no")");
}

TEST(DatesAsNumbers, EndWhere64BitsEnd) {
  EXPECT_EQ(
      unsaid(evaluated(R"({"$subtract":[{"$date":{"$numberLong":"-9223372036854775808"}},1]})"),
             {"$subtract", "range of dates"}),
      "");
  EXPECT_EQ(unsaid(evaluated(R"({"$add":[{"$date":{"$numberLong":"0"}},1e300]})"),
                   {"$add", "range of dates"}),
            "");
}

TEST(Trims, TakeThousandsOfCharactersEachOnce) {
  std::string chars;
  for (int i = 0; i < 1200; ++i) chars += "éßø";
  EXPECT_EQ(evaluated(R"({"$trim":{"input":"øéxßéø","chars":")" + chars + R"("}})"), R"("x")");
}

TEST(Paths, OfFormsAreThoseOfAllTheirParts) {
  EXPECT_EQ(paths_of(R"({"$switch":{"branches":[{"case":"$a","then":"$b"}],"default":"$c.d"}})"),
            "[a][b][c.d]");
  EXPECT_EQ(paths_of(R"({"$zip":{"inputs":["$a",["$b"]],"useLongestLength":true,
                         "defaults":["$c",0]}})"),
            "[a][b][c]");
  EXPECT_EQ(paths_of(R"({"$map":{"input":"$a","as":"x","in":["$$x.q","$b"]}})"), "[a][b]");
  EXPECT_EQ(paths_of(R"({"$filter":{"input":"$a","cond":"$$this.q","limit":"$n"}})"), "[a][n]");
  EXPECT_EQ(paths_of(R"({"$reduce":{"input":"$a","initialValue":"$b","in":"$c"}})"), "[a][b][c]");
  EXPECT_EQ(paths_of(R"({"$sortArray":{"input":"$a","sortBy":{"q":1}}})"), "[a]");
  EXPECT_EQ(paths_of(R"({"$setField":{"field":"x","input":"$a","value":"$b"}})"), "[a][b]");
  EXPECT_EQ(paths_of(R"({"$convert":{"input":"$a","to":"$b","onError":"$c","onNull":"$d"}})"),
            "[a][b][c][d]");
  EXPECT_EQ(paths_of(R"({"$regexMatch":{"input":"$a","regex":"$b","options":"$c"}})"), "[a][b][c]");
  EXPECT_EQ(paths_of(R"({"$median":{"input":["$a","$b"],"method":"approximate"}})"), "[a][b]");
}

}  // namespace
}  // namespace gantry::data::expr::forms_test
