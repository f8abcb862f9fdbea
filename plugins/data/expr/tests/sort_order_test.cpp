// The order of documents by fields: how a document's key is found, and what cannot be one.
#include "expr/sort_order.hpp"

#include "evaluation.hpp"

namespace gantry::data::expr::sort_order_test {
namespace {

// The keys of a document, as JSON; "refused: why".
std::string key_of(std::string_view order, std::string_view document) {
  try {
    const SortKey key = SortOrder("$sort", value_of(order)).key_of(value_of(document));
    return text_of(Value::array(Array(key.begin(), key.end())));
  } catch (const QueryError& error) {
    return std::string("refused: ") + error.what();
  }
}

int compared(std::string_view order, std::string_view a, std::string_view b) {
  const SortOrder by("$sort", value_of(order));
  return by.compare(by.key_of(value_of(a)), by.key_of(value_of(b)));
}

TEST(SortKeys, TakeMissingForNullAtEveryDepth) {
  EXPECT_EQ(key_of(R"({"a":1,"b.c":1})", R"({"b":{"c":2}})"), "[null,2]");
  EXPECT_EQ(key_of(R"({"a.b.c":1})", R"({"a":5})"), "[null]");
  EXPECT_EQ(key_of(R"({"a.b.c":1})", R"({"a":{"b":null}})"), "[null]");
}

TEST(SortKeys, TakeTheElementThatComesFirstInTheOrder) {
  EXPECT_EQ(key_of(R"({"a":1})", R"({"a":[3,1,2]})"), "[1]");
  EXPECT_EQ(key_of(R"({"a":-1})", R"({"a":[3,1,2]})"), "[3]");
  EXPECT_EQ(key_of(R"({"a":1})", R"({"a":["x",null,5]})"), "[null]");
  EXPECT_EQ(key_of(R"({"a":1})", R"({"a":[[1,2],[0]]})"), "[[0]]");
  EXPECT_EQ(key_of(R"({"a.b":-1})", R"({"a":[{"b":1},{"b":[7,2]},{}]})"), "[7]");
}

TEST(SortKeys, FollowPlacesOfArraysBeforeTheirElements) {
  EXPECT_EQ(key_of(R"({"a.1":1})", R"({"a":[9,4]})"), "[4]");
  EXPECT_EQ(key_of(R"({"a.1.b":1})", R"({"a":[{"b":1},{"b":8}]})"), "[8]");
  EXPECT_EQ(key_of(R"({"a.7":1})", R"({"a":[9,4]})"), "[null]");
}

TEST(SortKeys, AnEmptyArrayComesBeforeNull) {
  EXPECT_LT(compared(R"({"a":1})", R"({"a":[]})", R"({"a":null})"), 0);
  EXPECT_GT(compared(R"({"a":-1})", R"({"a":[]})", R"({"a":null})"), 0);
  EXPECT_EQ(compared(R"({"a.b":1})", R"({"a":[]})", R"({"a":null})"), 0);
}

TEST(SortKeys, OrderTypesBeforeValues) {
  const char* ascending[] = {"{}",
                             R"({"v":{"$numberDouble":"NaN"}})",
                             R"({"v":-1})",
                             R"({"v":{"$numberLong":"9007199254740992"}})",
                             R"({"v":{"$numberLong":"9007199254740993"}})",
                             R"({"v":""})",
                             R"({"v":"a"})",
                             R"({"v":{"a":1}})",
                             R"({"v":{"$binary":{"base64":"AQ==","subType":"00"}}})",
                             R"({"v":false})",
                             R"({"v":true})",
                             R"({"v":{"$date":{"$numberLong":"-1"}}})",
                             R"({"v":{"$date":{"$numberLong":"0"}}})"};
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(compared(R"({"v":1})", ascending[i - 1], ascending[i]), 0) << ascending[i];
    EXPECT_GT(compared(R"({"v":-1})", ascending[i - 1], ascending[i]), 0) << ascending[i];
  }
}

TEST(SortKeys, AreEqualForEqualNumbersOfDifferentTypes) {
  EXPECT_EQ(compared(R"({"v":1})", R"({"v":1})", R"({"v":1.0})"), 0);
  EXPECT_EQ(compared(R"({"v":1})", R"({"v":0})", R"({"v":-0.0})"), 0);
  EXPECT_EQ(compared(R"({"v":1,"w":-1})", R"({"v":1,"w":2})", R"({"v":1.0,"w":1})"), -1);
}

TEST(SortKeys, OfTwoArraysAreRefusedByBothNames) {
  EXPECT_EQ(unsaid(key_of(R"({"a":1,"b":1})", R"({"a":[1],"b":[2]})"),
                   {"$sort", "'a'", "'b'", "$unwind"}),
            "");
  EXPECT_EQ(key_of(R"({"a.x":1,"a.y":1})", R"({"a":[{"x":2,"y":1},{"x":1,"y":5}]})"), "[1,5]");
}

TEST(SortOrders, SayWhatTheyWant) {
  EXPECT_EQ(unsaid(key_of("{}", "{}"), {"$sort", "at least one field"}), "");
  EXPECT_EQ(unsaid(key_of("5", "{}"), {"$sort", "{field: 1}"}), "");
  EXPECT_EQ(unsaid(key_of(R"({"a":2})", "{}"), {"$sort", "1 or -1"}), "");
  EXPECT_EQ(unsaid(key_of(R"({"a":"desc"})", "{}"), {"$sort", "1 or -1", "a string"}), "");
  EXPECT_EQ(unsaid(key_of(R"({"a":{"$meta":"textScore"}})", "{}"), {"$meta", "$addFields"}), "");
  EXPECT_EQ(unsaid(key_of(R"({"a..b":1})", "{}"), {"a..b", "single dots"}), "");
}

TEST(SortOrders, TakeThirtyTwoFieldsAndNoMore) {
  std::string order = "{";
  for (int i = 0; i < 32; ++i) order += R"("f)" + std::to_string(i) + R"(":1,)";
  EXPECT_FALSE(key_of(order.substr(0, order.size() - 1) + "}", "{}").starts_with("refused"));
  EXPECT_EQ(unsaid(key_of(order + R"("more":1})", "{}"), {"$sort", "at most 32 fields"}), "");
}

TEST(SortOrders, NameTheFieldsThatTheyRead) {
  std::set<std::string> paths;
  SortOrder("$sort", value_of(R"({"a.b":1,"c":-1,"r":{"$meta":"randVal"}})")).add_paths(paths);
  EXPECT_EQ(paths, (std::set<std::string>{"a.b", "c"}));
}

}  // namespace
}  // namespace gantry::data::expr::sort_order_test
