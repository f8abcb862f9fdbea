#include "evaluation.hpp"

namespace gantry::data::expr::logic_test {
namespace {

TEST(Comparison, IsATotalOrderOverTypes) {
  EXPECT_EQ(evaluated(R"({"$lt":[null,0]})"), "true");
  EXPECT_EQ(evaluated(R"({"$lt":["$none",null]})"), "true");
  EXPECT_EQ(evaluated(R"({"$eq":["$none",null]})"), "false");
  EXPECT_EQ(evaluated(R"({"$eq":[1,1.0]})"), "true");
  EXPECT_EQ(evaluated(R"({"$cmp":["a",1]})"), "1");
  EXPECT_TRUE(is_refused(R"({"$eq":[1]})"));
  EXPECT_TRUE(is_refused(R"({"$gt":1})"));
}

TEST(Comparison, TakesAPointerAndItsBareIdForTheSame) {
  const std::string pointer = R"({"p":{"__type":"Pointer","className":"c","objectId":"x"}})";
  EXPECT_EQ(evaluated(R"({"$eq":["$p","x"]})", pointer), "true");
  EXPECT_EQ(evaluated(R"({"$ne":["x","$p"]})", pointer), "false");
  EXPECT_EQ(evaluated(R"({"$eq":["$p","y"]})", pointer), "false");
  EXPECT_EQ(evaluated(R"({"$in":["$p",["y","x"]]})", pointer), "true");
  EXPECT_EQ(evaluated(R"({"$in":["x",["$p"]]})", pointer), "true");
  EXPECT_EQ(evaluated(R"({"$eq":[{"objectId":"x"},"x"]})"), "false");
  EXPECT_EQ(evaluated(R"({"$eq":["$p",{"objectId":"x"}]})", pointer), "false");
}

TEST(Booleans, TakeZeroNullAndMissingForFalse) {
  EXPECT_EQ(evaluated(R"({"$and":[1,"",[],{}]})"), "true");
  EXPECT_EQ(evaluated(R"({"$and":[1,"$none"]})"), "false");
  EXPECT_EQ(evaluated(R"({"$or":[0,null,false]})"), "false");
  EXPECT_EQ(evaluated(R"({"$or":[]})"), "false");
  EXPECT_EQ(evaluated(R"({"$and":[]})"), "true");
  EXPECT_EQ(evaluated(R"({"$not":["$none"]})"), "true");
  EXPECT_TRUE(is_refused(R"({"$not":[1,2]})"));
}

TEST(Cond, HasTwoForms) {
  EXPECT_EQ(evaluated(R"({"$cond":["$a",1,2]})", R"({"a":0})"), "2");
  EXPECT_EQ(evaluated(R"({"$cond":{"else":2,"then":1,"if":"$a"}})", R"({"a":"x"})"), "1");
  EXPECT_TRUE(is_refused(R"({"$cond":[1,2]})"));
  EXPECT_TRUE(is_refused(R"({"$cond":{"if":1,"then":2}})"));
  EXPECT_TRUE(is_refused(R"({"$cond":{"if":1,"then":2,"else":3,"or":4}})"));
}

TEST(IfNull, TakesTheFirstThatIsThere) {
  EXPECT_EQ(evaluated(R"({"$ifNull":["$a",null,"$b",7]})", R"({"b":0})"), "0");
  EXPECT_EQ(evaluated(R"({"$ifNull":["$a","$b"]})"), "missing");
  EXPECT_TRUE(is_refused(R"({"$ifNull":["$a"]})"));
  EXPECT_TRUE(is_refused(R"({"$ifNull":["$a",{"$mergeObjects":1},2]})", R"({"a":1})"));
}

TEST(Switch, TakesTheFirstBranchThatHolds) {
  const char* both = R"({"$switch":{"branches":[{"case":"$a","then":1},{"case":"$b","then":2}]}})";
  EXPECT_EQ(evaluated(both, R"({"a":0,"b":1})"), "2");
  EXPECT_TRUE(is_refused(both, "{}"));
  EXPECT_TRUE(is_refused(R"({"$switch":{"branches":[]}})"));
  EXPECT_TRUE(is_refused(R"({"$switch":{"branches":[{"case":1}]}})"));
  EXPECT_EQ(evaluated(R"({"$switch":{"branches":[{"case":false,"then":1}],"default":9}})"), "9");
}

TEST(Switch, LooksOnlyAtBranchesThatMayBeTakenAndAtItsDefault) {
  EXPECT_EQ(evaluated(R"({"$switch":{"branches":[{"case":true,"then":1},
                          {"case":{"$mergeObjects":1},"then":2}]}})"),
            "1");
  EXPECT_TRUE(is_refused(R"({"$switch":{"branches":[{"case":true,"then":1}],
                             "default":{"$mergeObjects":1}}})"));
}

TEST(Let, SeesOuterVariablesAndHidesThem) {
  EXPECT_EQ(evaluated(R"({"$let":{"vars":{"x":1},"in":{"$let":{"vars":{"x":2,"y":"$$x"},
                          "in":["$$x","$$y"]}}}})"),
            "[2,1]");
  EXPECT_EQ(evaluated(R"({"$let":{"vars":{"CURRENT":"$a"},"in":"$b"}})", R"({"a":{"b":3}})"), "3");
  EXPECT_TRUE(is_refused(R"({"$let":{"vars":{"x":1,"y":"$$x"},"in":1}})"));
  EXPECT_TRUE(is_refused(R"({"$let":{"vars":{"X":1},"in":1}})"));
  EXPECT_TRUE(is_refused(R"({"$let":{"vars":{"x":1}}})"));
}

TEST(Rand, IsADoubleBelowOneAndTakesNothing) {
  const std::string text = evaluated(R"({"$rand":{}})");
  EXPECT_GE(std::stod(text), 0);
  EXPECT_LT(std::stod(text), 1);
  EXPECT_TRUE(is_refused(R"({"$rand":1})"));
}

}  // namespace
}  // namespace gantry::data::expr::logic_test
