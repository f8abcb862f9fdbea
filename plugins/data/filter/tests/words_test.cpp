// What refusals of filters say.
#include <gtest/gtest.h>

#include "filter/tests/filter.hpp"

namespace gantry::data::filter::words_test {
namespace {

// The first of the parts that the refusal does not say, with the refusal; "" if it says them all.
std::string unsaid(std::string_view filter_text, std::initializer_list<std::string_view> parts) {
  const std::string said = refusal(filter_text);
  for (const std::string_view part : parts) {
    if (said.find(part) == said.npos) return std::string(part) + " in: " + said;
  }
  return "";
}

TEST(FilterWords, OfUnknownOperatorsNameTheNearest) {
  EXPECT_EQ(unsaid(R"({"a":{"$gtr":1}})", {"$gtr", "nearest is $gt"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$containdBy":[]}})", {"nearest is $containedBy"}), "");
  EXPECT_EQ(unsaid(R"({"$orr":[]})", {"$orr", "nearest is $or"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$zzzzzzzzz":1}})", {"$zzzzzzzzz", "begins with $ is an operator"}),
            "");
}

TEST(FilterWords, OfOperatorsInTheWrongPlaceSayTheRightOne) {
  EXPECT_EQ(unsaid(R"({"$in":[1]})", {"behind a field's name", "{field: {$in: "}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$nor":[]}})", {"$nor", "top of a filter"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$options":"i"}})", {"beside $regex", "$options: \"i\""}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$elemMatch":{"$sampleRate":1}}})", {"$sampleRate"}), "");
}

TEST(FilterWords, OfOperandsSayWhatIsTaken) {
  EXPECT_EQ(unsaid(R"({"$or":5})", {"$or", "an array of filters", "an int"}), "");
  EXPECT_EQ(unsaid(R"({"$and":[]})", {"$and", "at least one filter"}), "");
  EXPECT_EQ(unsaid(R"({"$nor":[5]})", {"$nor", "filters as objects", "an int"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$size":"2"}})", {"$size", "a number", "a string"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$size":9007199254740993}})", {"$size", "0 to 2147483647"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$mod":5}})", {"$mod", "[divisor, remainder]", "an int"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$mod":[1,2,3]}})", {"$mod", "exactly two"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$mod":[0,1]}})", {"$mod", "other than 0"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$mod":["2",1]}})", {"$mod", "two numbers", "a string"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$mod":[1e300,1]}})", {"$mod", "64 bits"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$type":"text"}})", {"$type", "string", "binData", "number"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$type":99}})", {"$type", "write its name"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$type":[]}})", {"$type", "at least one"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$type":true}})", {"$type", "name or number", "a bool"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$elemMatch":1}})", {"$elemMatch", "an object", "an int"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$bitsAllSet":"1"}})", {"$bitsAllSet", "mask", "a string"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$bitsAnySet":1.5}})", {"$bitsAnySet", "whole and not negative"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$bitsAnyClear":[-1]}})", {"$bitsAnyClear", "bit positions"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$bitsAnyClear":["1"]}})", {"$bitsAnyClear", "a string"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$regex":5}})", {"$regex", "a string", "an int"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$regex":"x","$options":5}})", {"$options", "letters", "an int"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$regex":"x\u0000"}})", {"$regex", "zero byte", "\\x00"}), "");
  EXPECT_EQ(unsaid(R"({"$sampleRate":2})", {"$sampleRate", "0 to 1"}), "");
  EXPECT_EQ(unsaid(R"({"$sampleRate":"1"})", {"$sampleRate", "a string"}), "");
  EXPECT_EQ(unsaid(R"({"$alwaysTrue":0})", {"$alwaysTrue", "{$alwaysTrue: 1}"}), "");
  EXPECT_EQ(unsaid(R"({"$alwaysFalse":true})", {"{$alwaysFalse: 1}"}), "");
}

TEST(FilterWords, OfListsSayThatTheyHoldValues) {
  EXPECT_EQ(unsaid(R"({"a":{"$in":[{"$regex":"x"}]}})", {"$in", "values, not operators", "$or"}),
            "");
  EXPECT_EQ(unsaid(R"({"a":{"$nin":"x"}})", {"$nin", "an array of values", "a string"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$containedBy":{}}})", {"$containedBy", "an object"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$all":[{"$gt":1}]}})", {"$all", "values or {$elemMatch: "}), "");
}

TEST(FilterWords, OfWhatIsNotServedNameWhatServes) {
  EXPECT_EQ(unsaid(R"({"$where":"1"})", {"$where", "code", "$expr"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$function":{}}})", {"$function", "code", "$expr"}), "");
  EXPECT_EQ(unsaid(R"({"$jsonSchema":{}})", {"$jsonSchema", "$type", "$exists"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$inQuery":{}}})", {"$inQuery", "$lookup"}), "");
  EXPECT_EQ(unsaid(R"({"a":{"$dontSelect":{}}})", {"$dontSelect", "$lookup"}), "");
}

TEST(FilterWords, OfLongNamesAreCut) {
  const std::string name = "$" + std::string(5000, 'x');
  const std::string said = refusal(R"({"a":{")" + name + R"(":1}})");
  EXPECT_LT(said.size(), 300U);
  EXPECT_NE(said.find("$xxxx"), std::string::npos);
}

}  // namespace
}  // namespace gantry::data::filter::words_test
