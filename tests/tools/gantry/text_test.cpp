#include <gtest/gtest.h>

#include "tools/gantry/plugin/states.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

TEST(Table, AlignsColumnsByCodePoints) {
  EXPECT_EQ(table({{"A", "LONG"}, {"größe", "x"}, {"b", "", "end"}}),
            "A      LONG\ngröße  x\nb            end\n");
  EXPECT_EQ(table({}), "");
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
}

TEST(CliJson, SurvivesAnythingAHostSends) {
  EXPECT_TRUE(parsed(std::string(200'000, '[')).IsNull());
  EXPECT_EQ(text_at(parsed("[1]"), "a"), "");
  EXPECT_EQ(text_at(parsed(R"({"a":1})"), "a"), "");
  EXPECT_EQ(number_at(parsed(R"({"a":-1})"), "a"), 0u);
  EXPECT_TRUE(names_of(parsed(R"({"plugins":7})")).empty());
  EXPECT_EQ(object({{"a\"", "b\n"}}), R"({"a\"":"b\n"})");
}

TEST(StateTable, ShowsWhatPeopleShouldKnow) {
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
