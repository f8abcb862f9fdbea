#include <gtest/gtest.h>

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

using gantry::Json;
using gantry::JsonWriter;

namespace {

Json parsed(std::string_view text) {
  gantry::Result<Json> json = Json::parse(text);
  EXPECT_TRUE(json.is_ok()) << text << ": " << json.message();
  return json ? *json : Json();
}

TEST(Json, FindsMembersAndWalksElements) {
  const Json json = parsed(R"( {"a" : [1, "two",{"x":[]}] , "b":{"c":null},"d":-1.5e2 } )");
  ASSERT_TRUE(json.find("a"));
  std::vector<std::string> texts;
  for (const Json& element : json.find("a")->elements()) texts.emplace_back(element.text());
  EXPECT_EQ(texts, (std::vector<std::string>{"1", "\"two\"", "{\"x\":[]}"}));
  EXPECT_TRUE(json.find("b")->find("c")->is_null());
  EXPECT_EQ(json.find("d")->as_double(), -150.0);
  EXPECT_FALSE(json.find("e"));
}

TEST(Json, EmptyContainersHaveNothing) {
  for (const Json& element : parsed("[ ]").elements()) FAIL() << element.text();
  for (const auto& member : parsed("{ }").members()) FAIL() << member.first;
  for (const Json& element : parsed("7").elements()) FAIL() << element.text();
}

TEST(Json, ResolvesEscapes) {
  EXPECT_EQ(parsed(R"("a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z")").as_string(), "a\"\\/\b\f\n\r\té😀z");
  EXPECT_EQ(parsed(R"({"k\u0065y":1})").find("key")->as_integer(), 1);
}

TEST(Json, IntegersMayBeWrittenWithPointOrExponent) {
  EXPECT_EQ(parsed("3.0").as_integer(), 3);
  EXPECT_EQ(parsed("3e2").as_integer(), 300);
  EXPECT_EQ(parsed("-0").as_unsigned(), 0U);
  EXPECT_EQ(parsed("9223372036854775807").as_integer(), INT64_MAX);
  EXPECT_FALSE(parsed("9223372036854775808").as_integer());
  EXPECT_EQ(parsed("18446744073709551615").as_unsigned(), UINT64_MAX);
  EXPECT_FALSE(parsed("3.5").as_integer());
  EXPECT_FALSE(parsed("-1").as_unsigned());
  EXPECT_FALSE(parsed("\"1\"").as_integer());
}

TEST(Json, DoublesKnowTheirLimits) {
  EXPECT_FALSE(parsed("1e999").as_double());
  EXPECT_EQ(parsed("1e-999").as_double(), 0.0);
}

TEST(Json, RefusesInvalidJson) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "-",
                           "1e",
                           "nul",
                           "truex",
                           "\"",
                           "\"\\x\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\u12g4\"",
                           "\"\n\"",
                           "\"\xff\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "1 2",
                           "[1 2]",
                           "{\"a\" 1}",
                           "]",
                           "NaN"}) {
    EXPECT_FALSE(Json::parse(text).is_ok()) << text;
  }
}

TEST(Json, NamesThePlaceOfAnError) {
  EXPECT_EQ(Json::parse("[1,}").message(), "not JSON: expected a value at byte 3");
}

TEST(Json, BoundsTheNesting) {
  EXPECT_TRUE(Json::parse(std::string(64, '[') + std::string(64, ']')).is_ok());
  EXPECT_FALSE(Json::parse(std::string(65, '[') + std::string(65, ']')).is_ok());
  EXPECT_FALSE(Json::parse(std::string(100000, '[')).is_ok());
}

TEST(JsonWriter, PutsCommasAndEscapes) {
  std::string out = "x";
  JsonWriter writer(out);
  writer.begin_object().key("a").begin_array().number(1).string("q\"\\\n\x01é").null().end_array();
  writer.key("b").boolean(true).key("c").begin_object().end_object().end_object();
  EXPECT_EQ(out, R"(x{"a":[1,"q\"\\\n\u0001é",null],"b":true,"c":{}})");
}

TEST(JsonWriter, ReplacesValuesThatJsonCannotHold) {
  std::string out;
  JsonWriter(out)
      .begin_array()
      .number(1.0 / 0.0)
      .string("a\xff")
      .number(0.1)
      .number(3.0)
      .end_array();
  EXPECT_EQ(out, "[null,\"a\xef\xbf\xbd\",0.1,3]");
}

}  // namespace
