#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/plugin/states.hpp"
#include "tools/gantry/text/color.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/number.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

TEST(Table, AlignsColumnsByTheWidthsOfATerminal) {
  EXPECT_EQ(table({{"A", "LONG"}, {"größe", "x"}, {"b", "", "end"}}),
            "A      LONG\ngröße  x\nb            end\n");
  EXPECT_EQ(table({}), "");
  EXPECT_EQ(table({{"日本", "x"}, {"e\u0301", "y"}, {"\xff", "z"}}),
            "日本  x\ne\u0301     y\n\xff     z\n");
  EXPECT_EQ(fitted({{"日本語の表題", "x"}}, 12)[0][0], "日本語の…");
}

TEST(Colors, FollowTheChoiceAndTheEnvironment) {
  CLI::App app;
  Color color;
  Color::declare(app, color);
  EXPECT_EQ(color.paint(Tint::red, "a"), "a") << "no terminal";
  app.parse("--color always");
  EXPECT_EQ(color.paint(Tint::red, "a"), "\033[31ma\033[0m");
  EXPECT_EQ(color.paint(Tint::none, "a"), "a");
  app.parse("--color never");
  EXPECT_EQ(color.paint(Tint::red, "a"), "a");
  EXPECT_THROW(app.parse("--color blue"), CLI::ParseError);
}

TEST(Numbers, AreRefusedInAShortSentence) {
  const auto said = [](const CLI::Validator& check, std::string text) { return check(text); };
  for (const char* good : {"1", "1000", "007"}) EXPECT_EQ(said(whole_number(1, 1000), good), "");
  EXPECT_EQ(said(whole_number(1), "18446744073709551615"), "");
  for (const char* bad : {"0", "1001", "-1", "1.5", "x", "", "1x"}) {
    EXPECT_EQ(said(whole_number(1, 1000), bad),
              "a whole number from 1 to 1000 is needed, got '" + std::string(bad) + "'");
  }
  EXPECT_EQ(said(whole_number(1), "0"), "a whole number of 1 or more is needed, got '0'");
  for (const char* good : {"0", "0.5", "60"}) EXPECT_EQ(said(seconds_up_to(60), good), "");
  for (const char* bad : {"-1", "60.1", "nan", "x", ""}) {
    EXPECT_EQ(said(seconds_up_to(60), bad),
              "seconds from 0 to 60 are needed, got '" + std::string(bad) + "'");
  }
}

TEST(CliJson, HasNullForMembersAndNoItemsWhereNoneAre) {
  const auto given = parsed(R"({"a":[1,2],"b":null})");
  EXPECT_EQ(items(member(given, "a")).size(), 2u);
  EXPECT_TRUE(member(given, "c").IsNull());
  EXPECT_TRUE(member(given["a"], "a").IsNull()) << "no object";
  EXPECT_TRUE(items(given).empty()) << "no array";
  EXPECT_NE(find_member(given, "b"), nullptr) << "null, but there";
  EXPECT_EQ(find_member(given, "c"), nullptr);
}

TEST(CliJson, TakesResultsAndErrorsApart) {
  EXPECT_EQ(*result_of(R"({"jsonrpc":"2.0","id":1,"result":{"a":[1]}})"), R"({"a":[1]})");
  EXPECT_EQ(result_of(R"({"id":1,"error":{"message":"no"}})").message(), "no");
  for (const auto bad : {"", "garbage", "[]", "{}", R"({"error":7})"}) {
    const auto result = result_of(bad);
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.status().code(), GANTRY_FAILED);
    EXPECT_FALSE(result.message().empty());
  }
}

TEST(CliJson, MakesTextsPrintable) {
  EXPECT_EQ(printable("a\n\x1b[31mb\t\x7f"), "a  [31mb  ");
  EXPECT_EQ(printable_lines("a\n\x1b[31mb\t\x7f"), "a\n [31mb\t ");
  EXPECT_EQ(printable("\u009b31m \u00e9 \u202ex\u2066y\u2013"), " 31m \u00e9  x y\u2013");
}

TEST(CliJson, EscapesControlAndDirectionCharacters) {
  const auto given =
      parsed("{\"a\u202e\":[\"\u009b31m\u0085\x7f\\u001b\u2069\",\"\u00e9\u20ac\"]}");
  const std::string seen = R"({"a\u202e":["\u009b31m\u0085\u007f\u001B\u2069",")";
  EXPECT_EQ(compact(given), seen + "\u00e9\u20ac\"]}");
  for (const std::string& text : {compact(given), pretty(given)}) {
    EXPECT_STREQ(parsed(text)["a\u202e"][0].GetString(), "\u009b31m\u0085\x7f\x1b\u2069");
  }
  EXPECT_EQ(object({{"a", "\u202ab"}}), R"({"a":"\u202ab"})");
  EXPECT_EQ(visible_json("\xc2"), "\xc2");
}

TEST(CliJson, SurvivesAnythingAHostSends) {
  EXPECT_TRUE(parsed(std::string(200'000, '[')).IsNull());
  EXPECT_EQ(text_at(parsed("[1]"), "a"), "");
  EXPECT_EQ(text_at(parsed(R"({"a":1})"), "a"), "");
  EXPECT_EQ(number_at(parsed(R"({"a":-1})"), "a"), 0u);
  EXPECT_TRUE(names_of(parsed(R"({"plugins":7})")).empty());
  EXPECT_EQ(object({{"a\"", "b\n"}}), R"({"a\"":"b\n"})");
}

TEST(StateTable, ShowsFailuresRestartsAndOlderGenerations) {
  const auto answer = parsed(R"({"plugins":[
    {"name":"alpha","version":"1.0.0","generation":3,"state":"serving","isolation":"process",
     "restarts":1,"last_failure":"it does not start","draining":2},
    {"name":"","file":"/p/x.so","generation":0,"state":"refused","isolation":"in-process",
     "reason":"no\u001b[31m ELF\nfile"}]})");
  EXPECT_EQ(state_table(answer),
            "NAME     VERSION  GENERATION  STATE    ISOLATION   REMARKS\n"
            "alpha    1.0.0    3           serving  process     the newest file is not used: it "
            "does not start; 1 restart; 2 older generations still in calls\n"
            "/p/x.so  -        -           refused  in-process  no [31m ELF file\n");
  EXPECT_EQ(state_table(parsed(R"({"plugins":[]})")), "no plugins\n");
  EXPECT_EQ(state_table(parsed("7")), "no plugins\n");
}

}  // namespace
}  // namespace gantry::cli
