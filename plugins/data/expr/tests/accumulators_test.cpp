#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "expr/accumulators/accumulator.hpp"

namespace gantry::data::expr {
namespace {

const std::string kMost = R"({"$numberLong":"9223372036854775807"})";
const std::string kLeast = R"({"$numberLong":"-9223372036854775808"})";

TEST(SumAccumulator, IsExactForLongsAndCompensatedForDoubles) {
  EXPECT_EQ(simple("$sum", {}), "0");
  EXPECT_EQ(simple("$sum", {"1", "\"x\"", "null", "", "2"}), "3");
  EXPECT_EQ(simple("$sum", {kMost, kMost, kLeast, kLeast}), R"({"$numberLong":"-2"})");
  EXPECT_EQ(simple("$sum", {kMost, "1"}), "9223372036854775808.0");
  EXPECT_EQ(simple("$sum", {"1e100", "1.0", "-1e100"}), "1.0");
  EXPECT_EQ(simple("$sum", {"1e308", "1e308", "1"}), R"({"$numberDouble":"Infinity"})");
}

TEST(AvgAccumulator, AddsLongsExactlyInAGroupButNotInAnExpression) {
  EXPECT_EQ(simple("$avg", {kMost, kLeast}), "-0.5");
  EXPECT_EQ(evaluated(R"({"$avg":[)" + kMost + "," + kLeast + "]}"), "0.0");
  EXPECT_EQ(simple("$avg", {"null", "\"x\""}), "null");
  EXPECT_EQ(simple("$avg", {"1", "2"}), "1.5");
}

TEST(DeviationAccumulators, NeedEnoughNumbers) {
  EXPECT_EQ(simple("$stdDevPop", {"1", "3"}), "1.0");
  EXPECT_EQ(simple("$stdDevSamp", {"1", "3", "5"}), "2.0");
  EXPECT_EQ(simple("$stdDevSamp", {"1", "\"x\""}), "null");
  EXPECT_EQ(simple("$stdDevPop", {}), "null");
}

TEST(ExtremeAccumulators, UseTheTotalOrderAndPassNullOver) {
  EXPECT_EQ(simple("$min", {"null", "5", "\"a\"", ""}), "5");
  EXPECT_EQ(simple("$max", {"[1]", "9", "\"a\""}), "[1]");
  EXPECT_EQ(simple("$max", {"null", ""}), "null");
  EXPECT_EQ(simple("$min", {R"({"$numberDouble":"NaN"})", "-1"}), R"({"$numberDouble":"NaN"})");
}

TEST(EndAccumulators, GiveNullForMissing) {
  EXPECT_EQ(simple("$first", {"", "2"}), "null");
  EXPECT_EQ(simple("$last", {"1", "2"}), "2");
  EXPECT_EQ(gathered(R"({"$firstN":{"n":2,"input":"$v"}})", {"", "2", "3"}), "[null,2]");
  EXPECT_EQ(gathered(R"({"$lastN":{"n":2,"input":"$v"}})", {"1", "2", "3"}), "[2,3]");
}

TEST(ListAccumulators, LeaveMissingOut) {
  EXPECT_EQ(simple("$push", {"1", "", "null", "1"}), "[1,null,1]");
  EXPECT_EQ(simple("$addToSet", {"1", "", "1.0", "null"}), "[1,null]");
  EXPECT_EQ(simple("$concatArrays", {"[1]", "", "[1,2]"}), "[1,1,2]");
  EXPECT_EQ(simple("$setUnion", {"[1]", "", "[1,2]"}), "[1,2]");
  EXPECT_EQ(simple("$concatArrays", {"null"}).substr(0, 8), "refused:");
}

TEST(MergeObjectsAccumulator, LetsTheLaterWin) {
  EXPECT_EQ(simple("$mergeObjects", {R"({"a":1,"b":1})", "null", R"({"a":2})"}),
            R"({"a":2,"b":1})");
  EXPECT_EQ(simple("$mergeObjects", {}), "{}");
  EXPECT_EQ(simple("$mergeObjects", {"1"}).substr(0, 8), "refused:");
}

TEST(RankedAccumulators, OrderBySortBy) {
  const std::vector<std::string> values = {"[1,\"a\"]", "[3,\"b\"]", "[2,\"c\"]", "[3,\"d\"]"};
  const auto ranked = [&](const std::string& spec) { return gathered(spec, values); };
  EXPECT_EQ(ranked(R"({"$top":{"sortBy":{"v.0":-1},"output":"$v"}})"), R"([3,"b"])");
  EXPECT_EQ(ranked(R"({"$bottom":{"sortBy":{"v.0":-1},"output":"$v"}})"), R"([1,"a"])");
  EXPECT_EQ(ranked(R"({"$topN":{"n":2,"sortBy":{"v.0":1},"output":{"$last":"$v"}}})"),
            R"(["a","c"])");
  EXPECT_EQ(ranked(R"({"$bottomN":{"n":2,"sortBy":{"v.0":1},"output":{"$last":"$v"}}})"),
            R"(["b","d"])");
  EXPECT_EQ(gathered(R"({"$maxN":{"n":2,"input":"$v"}})", {"1", "null", "3", "2"}), "[3,2]");
  EXPECT_EQ(gathered(R"({"$minN":{"n":9,"input":"$v"}})", {"2", "", "1"}), "[1,2]");
}

TEST(RankedAccumulators, TakeAnArrayByItsLeastOrGreatestElement) {
  const std::vector<std::string> values = {"[5,1]", "3", "[]", "null"};
  EXPECT_EQ(gathered(R"({"$topN":{"n":4,"sortBy":{"v":1},"output":"$v"}})", values),
            "[[],null,[5,1],3]");
  EXPECT_EQ(gathered(R"({"$topN":{"n":1,"sortBy":{"v":-1},"output":"$v"}})", values), "[[5,1]]");
}

TEST(RankedAccumulators, RefuseKeysWithTwoArrays) {
  const std::string spec = R"({"$top":{"sortBy":{"v.a":1,"v.b":1},"output":1}})";
  EXPECT_EQ(gathered(spec, {R"({"a":[1,2],"b":3})"}), "1");
  EXPECT_EQ(gathered(spec, {R"({"a":[1,2],"b":[3]})"}).substr(0, 8), "refused:");
}

TEST(Quantiles, AreExactRanks) {
  EXPECT_EQ(gathered(R"({"$percentile":{"input":"$v","p":[0.5,0,1],"method":"approximate"}})",
                     {"30", "10", "20", "\"x\"", "40"}),
            "[20.0,10.0,40.0]");
  EXPECT_EQ(gathered(R"({"$median":{"input":"$v","method":"approximate"}})", {"3", "1", "2"}),
            "2.0");
  EXPECT_EQ(gathered(R"({"$median":{"input":"$v","method":"approximate"}})", {"null"}), "null");
  EXPECT_EQ(evaluated(R"({"$percentile":{"input":"$v","p":[0.5,1],"method":"approximate"}})"),
            "[null,null]");
  EXPECT_EQ(evaluated(R"({"$median":{"input":[4,"$v"],"method":"approximate"}})", R"({"v":2})"),
            "2.0");
}

TEST(Quantiles, RefuseOtherSharesAndMethods) {
  for (const char* options :
       {R"("p":[1.5],"method":"approximate")", R"("p":[],"method":"approximate")",
        R"("p":null,"method":"approximate")", R"("p":["$v"],"method":"approximate")",
        R"("p":[0.5],"method":"exact")", R"("p":[0.5])"}) {
    const std::string spec = std::string(R"({"$percentile":{"input":"$v",)") + options + "}}";
    EXPECT_EQ(gathered(spec, {"1"}).substr(0, 8), "refused:") << options;
    EXPECT_TRUE(is_refused(spec)) << options;
  }
}

TEST(AccumulatorExpressions, GoIntoTheOnlyArgument) {
  const char* document = R"({"a":[1,2,[5]],"b":4})";
  EXPECT_EQ(evaluated(R"({"$sum":"$a"})", document), "3");
  EXPECT_EQ(evaluated(R"({"$sum":["$a"]})", document), "3");
  EXPECT_EQ(evaluated(R"({"$sum":["$a","$b"]})", document), "4");
  EXPECT_EQ(evaluated(R"({"$max":["$a","$b"]})", document), "[1,2,[5]]");
  EXPECT_EQ(evaluated(R"({"$max":"$a"})", document), "[5]");
  EXPECT_EQ(evaluated(R"({"$min":[]})", document), "null");
  EXPECT_EQ(evaluated(R"({"$stdDevPop":[1,3]})", document), "1.0");
}

TEST(AccumulatorExpressions, TakeEndsAndExtremesOfArrays) {
  EXPECT_EQ(evaluated(R"({"$first":"$a"})", R"({"a":[]})"), "missing");
  EXPECT_EQ(evaluated(R"({"$last":"$a"})", R"({"a":[1,2]})"), "2");
  EXPECT_EQ(evaluated(R"({"$first":"$a"})"), "null");
  EXPECT_TRUE(is_refused(R"({"$first":"$a"})", R"({"a":1})"));
  EXPECT_EQ(evaluated(R"({"$lastN":{"n":2,"input":[1,2,3]}})"), "[2,3]");
  EXPECT_EQ(evaluated(R"({"$maxN":{"n":2,"input":[1,null,3]}})"), "[3,1]");
  EXPECT_TRUE(is_refused(R"({"$firstN":{"n":1,"input":"$a"}})"));
  EXPECT_TRUE(is_refused(R"({"$minN":{"n":0,"input":[1]}})"));
  EXPECT_TRUE(is_refused(R"({"$minN":{"n":1.5,"input":[1]}})"));
}

TEST(ParseAccumulator, RefusesInvalidAccumulators) {
  EXPECT_EQ(gathered("5", {}).substr(0, 8), "refused:");
  EXPECT_EQ(gathered(R"({"$sum":1,"$avg":1})", {}).substr(0, 8), "refused:");
  EXPECT_EQ(gathered(R"({"$sum":["$v"]})", {}).substr(0, 8), "refused:");
  EXPECT_EQ(gathered(R"({"$count":1})", {}).substr(0, 8), "refused:");
  EXPECT_EQ(gathered(R"({"$firstN":{"input":"$v"}})", {}).substr(0, 8), "refused:");
  EXPECT_EQ(gathered(R"({"$top":{"n":1,"sortBy":{"v":1},"output":1}})", {}).substr(0, 8),
            "refused:");
  EXPECT_EQ(gathered(R"({"$top":{"sortBy":{"v":2},"output":1}})", {}).substr(0, 8), "refused:");
  EXPECT_NE(gathered(R"({"$accumulator":{}})", {}).find("code"), std::string::npos);
  EXPECT_NE(gathered(R"({"$summ":1})", {}).find("$sum"), std::string::npos);
  EXPECT_EQ(gathered(R"({"$count":{}})", {"1", ""}), "2");
}

// The memory that a group keeps of {v: text}; it is charged to the query and returned when the
// group is dropped.
std::size_t charged_by(const AccumulatorPlan& plan, Accumulator& accumulator, std::size_t bytes) {
  Context context;
  context.root = context.current = value_of(R"({"v":")" + std::string(bytes, 'x') + "\"}");
  plan.feed(accumulator, context);
  context.root = context.current = Value();
  return Spending::current()->used();
}

TEST(Charge, FollowsTheKeptValues) {
  for (const char* spec :
       {R"({"$push":"$v"})", R"({"$addToSet":"$v"})", R"({"$last":"$v"})", R"({"$max":"$v"})",
        R"({"$mergeObjects":{"a":"$v"}})", R"({"$topN":{"n":1,"sortBy":{"v":-1},"output":1}})",
        R"({"$lastN":{"n":1,"input":"$v"}})"}) {
    const Spending::Scope spending(Budget{});
    Variables variables;
    const auto plan = parse_accumulator("total", value_of(spec), variables);
    Context context;
    const auto accumulator = plan->start(context);
    const std::size_t little = charged_by(*plan, *accumulator, 0);
    EXPECT_GE(charged_by(*plan, *accumulator, 100'000), little + 100'000) << spec;
  }
}

TEST(Charge, EndsForValuesThatARankingDrops) {
  const Spending::Scope spending(Budget{});
  Variables variables;
  const auto plan =
      parse_accumulator("total", value_of(R"({"$minN":{"n":1,"input":"$v"}})"), variables);
  Context context;
  const auto accumulator = plan->start(context);
  EXPECT_GE(charged_by(*plan, *accumulator, 100'000), 100'000U);
  EXPECT_LT(charged_by(*plan, *accumulator, 1), 20'000U);
}

TEST(ParseAccumulator, KnowsItsNamesInOrder) {
  const auto names = accumulator_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names.size(), 24U);
}

}  // namespace
}  // namespace gantry::data::expr
