#include "host/observe/log.hpp"

#include <algorithm>
#include <regex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/host/observe/collected.hpp"

namespace gantry::host {
namespace {

TEST(Log, WritesOneJsonObjectALine) {
  Collected out;
  Log log({.level = Level::info, .json = true, .fd = out.fd()});
  log.write(Level::warn, "it \"happened\"\n",
            {{"text", "a\nb"}, {"n", 7}, {"yes", true}, {"real", 1.5}, Field::json("list", "[1]")});
  log.flush();
  rapidjson::Document line;
  line.Parse(out.text().c_str());
  ASSERT_FALSE(line.HasParseError()) << out.text();
  EXPECT_STREQ(line["message"].GetString(), "it \"happened\"\n");
  EXPECT_STREQ(line["text"].GetString(), "a\nb");
  EXPECT_EQ(line["n"].GetInt(), 7);
  EXPECT_TRUE(line["yes"].GetBool());
  EXPECT_DOUBLE_EQ(line["real"].GetDouble(), 1.5);
  EXPECT_EQ(line["list"].Size(), 1u);
  EXPECT_TRUE(line.HasMember("time") && line.HasMember("level"));
}

TEST(Log, KeepsTextLinesWhole) {
  Collected out;
  Log log({.level = Level::info, .fd = out.fd()});
  log.write(Level::info, "first\nsecond", {{"plain", "word"}, {"odd", "a b\n"}});
  log.flush();
  const std::string text = out.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_NE(text.find("first second plain=word odd=\"a b\\n\""), std::string::npos) << text;
}

TEST(Log, BeginsALineWithItsTimeAndLevel) {
  using namespace std::string_literals;
  const std::pair<Level, std::string> levels[] = {{Level::trace, "trace  "},
                                                  {Level::debug, "debug  "},
                                                  {Level::info, "info   "},
                                                  {Level::warn, "warning"},
                                                  {Level::error, "error  "}};
  const auto time = R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z)"s;
  for (const auto& [level, padded] : levels) {
    Collected text, json;
    { Log({.level = Level::trace, .fd = text.fd()}).write(level, "words"); }
    { Log({.level = Level::trace, .json = true, .fd = json.fd()}).write(level, "words"); }
    const std::string name = padded.substr(0, padded.find(' '));
    EXPECT_TRUE(std::regex_match(text.text(), std::regex(time + " " + padded + " words\n")))
        << text.text();
    EXPECT_TRUE(
        std::regex_match(json.text(), std::regex("\\{\"time\":\"" + time + "\",\"level\":\"" +
                                                 name + "\",\"message\":\"words\"\\}\n")))
        << json.text();
  }
}

TEST(Log, LeavesOutLinesBelowTheLevel) {
  Collected out;
  Log log({.level = Level::warn, .fd = out.fd()});
  EXPECT_FALSE(log.wants(Level::info));
  log.write(Level::info, "quiet");
  log.write(Level::error, "loud");
  log.flush();
  EXPECT_EQ(out.text().find("quiet"), std::string::npos);
  EXPECT_NE(out.text().find("loud"), std::string::npos);
}

TEST(Log, LosesNothingThatWasWrittenBeforeItEnds) {
  Collected out;
  {
    Log log({.level = Level::info, .fd = out.fd()});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 250; ++i) log.write(Level::info, "line", {{"i", i}});
      });
    }
    for (auto& thread : threads) thread.join();
  }
  const std::string text = out.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1000);
}

TEST(Level, HasNames) {
  EXPECT_EQ(level_from("trace"), Level::trace);
  EXPECT_EQ(level_from("debug"), Level::debug);
  EXPECT_EQ(level_from("info"), Level::info);
  EXPECT_EQ(level_from("warn"), Level::warn);
  EXPECT_EQ(level_from("error"), Level::error);
  EXPECT_EQ(level_from("off"), Level::off);
  EXPECT_FALSE(level_from("loud"));
}

}  // namespace
}  // namespace gantry::host
