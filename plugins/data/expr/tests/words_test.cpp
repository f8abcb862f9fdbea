// What refusals say: the operator, what is wrong, and what to do instead.
#include "evaluation.hpp"

namespace gantry::data::expr::words_test {
namespace {

TEST(Words, OfArithmeticNameTheOperatorAndTheRepair) {
  EXPECT_EQ(unsaid(evaluated(R"({"$divide":[1,0]})"), {"$divide", "zero", "$match", "$cond"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$mod":[1,0]})"), {"$mod", "zero", "$cond"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$sqrt":-4})"), {"$sqrt", "below zero", "$abs"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$ln":0})"), {"$ln", "above zero", "$match"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$log":[8,1]})"), {"$log", "base other than 1"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$log":[8,-2]})"), {"$log", "above zero"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$pow":[0,-1]})"), {"$pow", "0", "negative", "$cond"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$abs":{"$numberLong":"-9223372036854775808"}})"),
                   {"$abs", "$toDouble"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$round":[1,101]})"), {"$round", "-20 to 100"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$acos":2})"), {"$acos", "-1 to 1", "$match", "$cond"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$bitAnd":[1,1.5]})"), {"$bitAnd", "ints and longs", "double"}),
            "");
}

TEST(Words, OfAWrongTypeNameTheTypeThatCame) {
  const char* document = R"({"s":"x","a":[1],"o":{},"b":true,"d":{"$date":"2024-01-01T00:00:00Z"},
                             "y":{"$binary":{"base64":"","subType":"00"}},"n":1,"r":1.5,
                             "l":{"$numberLong":"1"}})";
  const std::pair<const char*, const char*> kinds[] = {{"$s", "a string"},    {"$a", "an array"},
                                                       {"$o", "an object"},   {"$b", "a boolean"},
                                                       {"$y", "binary data"}, {"$d", "a date"}};
  for (const auto& [field, kind] : kinds) {
    EXPECT_EQ(unsaid(evaluated(R"({"$multiply":[2,")" + std::string(field) + "\"]}", document),
                     {"$multiply", "numbers", kind}),
              "");
  }
  EXPECT_EQ(unsaid(evaluated(R"({"$concat":["a","$n"]})", document), {"$concat", "an int"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$concat":["a","$r"]})", document), {"$concat", "a double"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$concat":["a","$l"]})", document), {"$concat", "a long"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$size":"$none"})", document), {"$size", "a missing field"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$size":null})", document), {"$size", "null"}), "");
}

TEST(Words, OfAWrongCountSayHowManyThereMayBe) {
  EXPECT_EQ(unsaid(evaluated(R"({"$divide":[1]})"), {"$divide", "exactly 2 arguments", "not 1"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$abs":[1,2]})"), {"$abs", "exactly 1 argument,", "not 2"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$round":[1,2,3]})"), {"$round", "1 to 2 arguments"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$setEquals":[[1]]})"), {"$setEquals", "at least 2 arguments"}),
            "");
}

TEST(Words, OfNamedArgumentsListThoseThatThereAre) {
  EXPECT_EQ(unsaid(evaluated(R"({"$trim":{"inputs":"a"}})"),
                   {"$trim", "no argument \"inputs\"", "input", "chars"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$trim":{"chars":"a"}})"), {"$trim needs", "\"input\""}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$trim":"a"})"), {"$trim", "an object", "input", "chars"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$dateAdd":{"startDate":"$d","unit":"day","count":1}})"),
                   {"$dateAdd", "\"count\"", "amount", "timezone"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$trim":{"input":"a","input":"b"}})"), {"\"input\"", "twice"}),
            "");
}

TEST(Words, OfUnknownOperatorsNameTheNearestOrTheLiteral) {
  EXPECT_EQ(unsaid(evaluated(R"({"$toUper":"a"})"), {"$toUper", "did you mean $toUpper?"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$zzzzzzzzzz":1})"), {"$zzzzzzzzzz", "{$literal: "}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$meta":"textScore"})"), {"$meta", "no score"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$tsSecond":"$a"})"), {"$tsSecond", "use dates"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$where":"1"})"), {"$where", "runs code"}), "");
}

TEST(Words, OfVariablesNameThoseThatThereAre) {
  EXPECT_EQ(unsaid(evaluated(R"("$$user")"), {"$$user", "$let", "ROOT", "NOW"}), "");
  EXPECT_EQ(unsaid(evaluated(R"("$$CLUSTER_TIME")"), {"CLUSTER_TIME here", "NOW"}), "");
  EXPECT_EQ(unsaid(evaluated(R"("$$1a")"), {"$$1a", "begin with a letter", "$literal"}), "");
  EXPECT_EQ(unsaid(evaluated(R"("$")"), {"no field", "$literal"}), "");
  EXPECT_EQ(unsaid(evaluated(R"("$a..b")"), {"\"a..b\"", "single dots"}), "");
  EXPECT_EQ(unsaid(evaluated(R"("$a.$b")"), {"\"a.$b\"", "$getField"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"a.b":1})"), {"\"a.b\"", "dot", "$setField"}), "");
}

TEST(Words, OfConditionsAndLoops) {
  EXPECT_EQ(unsaid(evaluated(R"({"$switch":{"branches":[{"case":"$a","then":1}]}})"),
                   {"$switch", "default"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$switch":{"branches":[]}})"), {"$switch", "at least one"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$filter":{"input":[1],"cond":true,"limit":0}})"),
                   {"$filter", "above 0"}),
            "");
  EXPECT_EQ(
      unsaid(evaluated(R"({"$sortArray":{"input":[1],"sortBy":2}})"), {"$sortArray", "1 or -1"}),
      "");
  EXPECT_EQ(unsaid(evaluated(R"({"$sortArray":{"input":[1],"sortBy":{"a..b":1}}})"),
                   {"$sortArray", "without a name"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$range":[0,9000000]})"), {"$range", "5,000,000", "step"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$range":[0,5,0]})"), {"$range", "step other than 0"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$zip":{"inputs":[[1]],"defaults":[1]}})"),
                   {"$zip", "useLongestLength: true"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$rand":1})"), {"$rand", "{$rand: {}}"}), "");
}

TEST(Words, OfTextsSayWhereTheyEnd) {
  EXPECT_EQ(unsaid(evaluated(R"({"$substrBytes":["é",1,1]})"),
                   {"$substrBytes", "inside a character", "$substrCP"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$substrCP":["a",-1,1]})"), {"$substrCP", "negative"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$indexOfCP":["a","a",-1]})"),
                   {"$indexOfCP", "starting index", "negative"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$split":["a",""]})"), {"$split", "not empty"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$regexMatch":{"input":"a","regex":"a","options":"g"}})"),
                   {"$regexMatch", "g"}),
            "");
}

TEST(Words, OfObjectsShowTheFormThatIsTaken) {
  EXPECT_EQ(unsaid(evaluated(R"({"$arrayToObject":{"$literal":[["a"]]}})"),
                   {"$arrayToObject", "[\"name\", value]", "{k: \"name\", v: value}"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$arrayToObject":{"$literal":[["a\u0000b",1]]}})"), {"NUL"}), "");
  EXPECT_EQ(unsaid(evaluated(R"({"$setField":{"field":"$a","input":{},"value":1}})"),
                   {"$setField", "a name", "{$literal: "}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$unsetField":{"field":5,"input":{}}})"),
                   {"$unsetField", "written out", "an int"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$mergeObjects":[1]})"), {"$mergeObjects", "objects", "an int"}),
            "");
}

TEST(Words, OfDatesNameUnitsZonesAndFormats) {
  const char* document = R"({"d":{"$date":"2024-01-31T00:00:00Z"}})";
  EXPECT_EQ(
      unsaid(evaluated(R"({"$dateAdd":{"startDate":"$d","unit":"days","amount":1}})", document),
             {"$dateAdd", "unit", "quarter", "millisecond"}),
      "");
  EXPECT_EQ(unsaid(evaluated(R"({"$hour":{"date":"$d","timezone":"Berlin"}})", document),
                   {"$hour", "time zone", "'Europe/Berlin'", "'+05:30'"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$dateToString":{"date":"$d","format":"%e"}})", document),
                   {"$dateToString", "%Y", "%U", "%%"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$dateFromString":{"dateString":"x","format":"%U"}})"),
                   {"$dateFromString", "%Y", "%%"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$dateFromString":{"dateString":"never"}})"),
                   {"$dateFromString", "format", "onError"}),
            "");
  EXPECT_EQ(unsaid(evaluated(R"({"$dateFromParts":{"year":12345}})"),
                   {"$dateFromParts", "'year'", "1 to 9999"}),
            "");
  EXPECT_EQ(
      unsaid(evaluated(R"({"$dateTrunc":{"date":"$d","unit":"week","startOfWeek":"x"}})", document),
             {"$dateTrunc", "startOfWeek", "'monday'"}),
      "");
  EXPECT_EQ(
      unsaid(evaluated(R"({"$dateTrunc":{"date":"$d","unit":"day","binSize":0.5}})", document),
             {"$dateTrunc", "binSize", "above zero"}),
      "");
}

}  // namespace
}  // namespace gantry::data::expr::words_test
