#include "sdk/contract/raw_json.hpp"

#include <gtest/gtest.h>

namespace gantry::contract::raw_json_test {
namespace {

std::string message_of(std::string_view text) {
  const auto parsed = RawJson::parse(text);
  return parsed ? "accepted" : parsed.message();
}

TEST(RawJson, TakesPartsOutAsTheyWereWritten) {
  const auto root = RawJson::parse(" { \"a\" : {\"x\" : 1.50, \"y\":[ ] } , \"b\":\"}\\\"\" } ");
  ASSERT_TRUE(root.is_ok());
  EXPECT_EQ(root->find("a")->text(), "{\"x\" : 1.50, \"y\":[ ] }");
  EXPECT_EQ(root->find("b")->string(), "}\"");
  EXPECT_FALSE(root->find("c"));
}

TEST(RawJson, UnescapesNamesAndStrings) {
  const auto root = RawJson::parse(R"({"\u0061\"b":"\u00e9\n"})");
  ASSERT_TRUE(root.is_ok());
  EXPECT_EQ(root->members()[0].first, "a\"b");
  EXPECT_EQ(root->members()[0].second.string(), "é\n");
}

TEST(RawJson, ListsElementsInOrder) {
  const auto root = RawJson::parse(R"([1, "two",[3] ,{"four":4},null,true])");
  const auto elements = root->elements();
  ASSERT_EQ(elements.size(), 6u);
  EXPECT_EQ(elements[0].integer(), 1);
  EXPECT_EQ(elements[2].text(), "[3]");
  EXPECT_EQ(elements[3].kind(), RawJson::Kind::object);
  EXPECT_EQ(elements[4].kind(), RawJson::Kind::null);
  EXPECT_TRUE(elements[5].boolean());
}

TEST(RawJson, EmptyContainersHaveNothing) {
  EXPECT_TRUE(RawJson::parse("[ ]")->elements().empty());
  EXPECT_TRUE(RawJson::parse("{ }")->members().empty());
}

TEST(RawJson, OnlyWholeNumbersAreIntegers) {
  EXPECT_EQ(RawJson::parse("-12")->integer(), -12);
  EXPECT_FALSE(RawJson::parse("1.5")->integer());
  EXPECT_FALSE(RawJson::parse("99999999999999999999")->integer());
}

TEST(RawJson, RefusesANameTwice) {
  EXPECT_EQ(message_of(R"({"a":{"b":1,"c":2,"b":3}})"),
            "is not usable JSON: at byte 21: the name \"b\" is there twice in one object");
  EXPECT_EQ(message_of(R"({"a":{"b":1},"b":2})"), "accepted");
}

TEST(RawJson, RefusesTooDeepNesting) {
  const std::string deep = std::string(129, '[') + std::string(129, ']');
  EXPECT_NE(message_of(deep).find("nested more than 128 deep"), std::string::npos);
  EXPECT_EQ(message_of(deep.substr(1, 256)), "accepted");
}

TEST(RawJson, RefusesInvalidJson) {
  for (std::string_view text :
       {"", " ", "{", "{}x", "{'a':1}", "[1,]", "nul", "\"\xff\"", "\xef\xbb\xbf{}", "// x\n{}"}) {
    EXPECT_NE(message_of(text), "accepted") << text;
  }
  EXPECT_NE(message_of(std::string_view("{}\0{", 4)), "accepted");
}

}  // namespace
}  // namespace gantry::contract::raw_json_test
