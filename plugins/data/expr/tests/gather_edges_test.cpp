// Accumulators over no value, one value, and values that are no numbers or not finite.
#include "evaluation.hpp"
#include "expr/accumulators/accumulator.hpp"

namespace gantry::data::expr::gather_edges_test {
namespace {

const std::string kNan = R"({"$numberDouble":"NaN"})";
const std::string kInfinity = R"({"$numberDouble":"Infinity"})";
const std::string kMinus = R"({"$numberDouble":"-Infinity"})";

TEST(GatherEdges, NothingHasASumAndACountButNoAverage) {
  EXPECT_EQ(simple("$sum", {}), "0");
  EXPECT_EQ(gathered(R"({"$count":{}})", {}), "0");
  EXPECT_EQ(simple("$push", {}), "[]");
  EXPECT_EQ(simple("$addToSet", {""}), "[]");
  for (const char* op : {"$avg", "$min", "$max", "$stdDevPop", "$stdDevSamp"}) {
    EXPECT_EQ(simple(op, {}), "null") << op;
    EXPECT_EQ(simple(op, {"null", "", "null"}), "null") << op;
  }
}

TEST(GatherEdges, OneNumberHasNoDeviationAmongASample) {
  EXPECT_EQ(simple("$stdDevPop", {"7"}), "0.0");
  EXPECT_EQ(simple("$stdDevSamp", {"7"}), "null");
  EXPECT_EQ(simple("$stdDevSamp", {"7", "7"}), "0.0");
}

TEST(GatherEdges, NanAndInfinityGoThroughSumsAndAverages) {
  EXPECT_EQ(simple("$sum", {"1", kNan}), kNan);
  EXPECT_EQ(simple("$sum", {"1", kInfinity}), kInfinity);
  EXPECT_EQ(simple("$sum", {kInfinity, kMinus}), kNan);
  EXPECT_EQ(simple("$avg", {kMinus, "5"}), kMinus);
  EXPECT_EQ(simple("$avg", {kNan, "5"}), kNan);
  EXPECT_EQ(simple("$min", {"1", kMinus, kNan}), kNan);
  EXPECT_EQ(simple("$max", {"1", kInfinity, kNan}), kInfinity);
}

TEST(GatherEdges, WhatIsNoNumberIsLeftOutOfSumsAndKeptByExtremes) {
  const std::vector<std::string> mixed = {"\"5\"", "true", "[9]", "2", "{\"a\":1}"};
  EXPECT_EQ(simple("$sum", mixed), "2");
  EXPECT_EQ(simple("$avg", mixed), "2.0");
  EXPECT_EQ(simple("$min", mixed), "2");
  EXPECT_EQ(simple("$max", mixed), "true");
  EXPECT_EQ(simple("$push", mixed), R"(["5",true,[9],2,{"a":1}])");
}

TEST(GatherEdges, ASumKeepsTheWidestTypeThatItMet) {
  EXPECT_EQ(simple("$sum", {"2147483647", "1"}), "2147483648");
  EXPECT_EQ(simple("$sum", {R"({"$numberLong":"1"})", "1"}), R"({"$numberLong":"2"})");
  EXPECT_EQ(simple("$sum", {"1", "1.0"}), "2.0");
  EXPECT_EQ(simple("$sum", {"9007199254740992", "1"}), "9007199254740993");
  EXPECT_EQ(simple("$avg", {"1", "1"}), "1.0");
}

TEST(GatherEdges, ManySmallFractionsAddUpExactly) {
  EXPECT_EQ(simple("$sum", std::vector<std::string>(10, "0.1")), "1.0");
  EXPECT_EQ(simple("$avg", std::vector<std::string>(1000, "0.1")), "0.1");
}

TEST(GatherEdges, SetsTakeEqualNumbersAndNanOnce) {
  EXPECT_EQ(simple("$addToSet", {"1", "1.0", kNan, kNan, "null", "null"}), "[1," + kNan + ",null]");
  EXPECT_EQ(simple("$addToSet", {R"({"a":1,"b":2})", R"({"b":2,"a":1})", R"({"a":1.0,"b":2})"}),
            R"([{"a":1,"b":2},{"b":2,"a":1}])");
}

TEST(GatherEdges, TheFirstOfTiesStaysAndNIsNoMoreThanThereAre) {
  const std::vector<std::string> ties = {R"({"k":1,"i":0})", R"({"k":1,"i":1})", R"({"i":2})"};
  EXPECT_EQ(gathered(R"({"$top":{"sortBy":{"v.k":-1},"output":"$v.i"}})", ties), "0");
  EXPECT_EQ(gathered(R"({"$bottom":{"sortBy":{"v.k":-1},"output":"$v.i"}})", ties), "2");
  EXPECT_EQ(gathered(R"({"$topN":{"n":9,"sortBy":{"v.k":1},"output":"$v.i"}})", ties), "[2,0,1]");
  EXPECT_EQ(gathered(R"({"$topN":{"n":2,"sortBy":{"v.k":1},"output":"$v.none"}})", ties),
            "[null,null]");
  EXPECT_EQ(gathered(R"({"$firstN":{"n":9,"input":"$v.i"}})", ties), "[0,1,2]");
  EXPECT_EQ(gathered(R"({"$maxN":{"n":9,"input":"$v.k"}})", ties), "[1,1]");
}

TEST(GatherEdges, SharesOfNumbersAreNumbersThatAreThere) {
  const auto shares = [](const char* p, const std::vector<std::string>& values) {
    return gathered(
        R"({"$percentile":{"input":"$v","method":"approximate","p":)" + std::string(p) + "}}",
        values);
  };
  EXPECT_EQ(shares("[0,0.25,0.5,0.75,1]", {"4", "1", "3", "2"}), "[1.0,1.0,2.0,3.0,4.0]");
  EXPECT_EQ(shares("[0.5]", {}), "[null]");
  EXPECT_EQ(shares("[0.5]", {kNan, "\"x\"", "7"}), "[7.0]");
  EXPECT_EQ(shares("[0,1]", {kInfinity, "0", kMinus}), "[" + kMinus + "," + kInfinity + "]");
}

TEST(GatherEdges, RefusalsNameTheFieldTheOptionOrTheRepair) {
  EXPECT_EQ(unsaid(gathered("5", {}), {"total", "{$sum: \"$amount\"}"}), "");
  EXPECT_EQ(unsaid(gathered(R"({"$sum":["$v",1]})", {}), {"$sum", "one expression", "$add"}), "");
  EXPECT_EQ(unsaid(gathered(R"({"$count":1})", {}), {"$count", "{$count: {}}"}), "");
  EXPECT_EQ(unsaid(gathered(R"({"$firstN":{"n":0,"input":"$v"}})", {}), {"$firstN", "above zero"}),
            "");
  EXPECT_EQ(unsaid(gathered(R"({"$firstN":{"n":1,"inputs":"$v"}})", {}),
                   {"$firstN", "no option inputs", "n, input"}),
            "");
  EXPECT_EQ(unsaid(gathered(R"({"$topN":{"sortBy":{"v":1},"output":1}})", {}), {"$topN needs n"}),
            "");
  EXPECT_EQ(unsaid(gathered(R"({"$median":{"input":"$v","method":"exact"}})", {}),
                   {"$median", "\"approximate\""}),
            "");
  EXPECT_EQ(unsaid(gathered(R"({"$percentile":{"input":"$v","p":[2],"method":"approximate"}})", {}),
                   {"$percentile", "0 to 1", "p: [0.5, 0.95]"}),
            "");
  EXPECT_EQ(unsaid(gathered(R"({"$avrg":"$v"})", {}), {"total", "$avrg", "did you mean $avg?"}),
            "");
  EXPECT_EQ(unsaid(gathered(R"({"$zzzzzzzz":"$v"})", {}), {"$zzzzzzzz", "$sum", "$push"}), "");
  EXPECT_EQ(unsaid(simple("$mergeObjects", {"[1]"}), {"$mergeObjects", "array"}), "");
  EXPECT_EQ(unsaid(simple("$concatArrays", {"1"}), {"$concatArrays", "int"}), "");
}

}  // namespace
}  // namespace gantry::data::expr::gather_edges_test
