// The required behaviour of the example in every language, tested against the built file.
#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

using namespace gantry::testing;
using ::testing::HasSubstr;

namespace {

TEST(WordCount, CountsTheWordsOfAText) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("word_count", R"({"text":"one two\n three"})"),
              HasStructured(R"({"words":3})"));
}

TEST(WordCount, CountsOnlyTheWordThatIsAskedFor) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("word_count", R"({"text":"to be or not to be","word":"be"})"),
              HasStructured(R"({"words":2})"));
}

TEST(WordCount, ResolvesEscapesBeforeItCompares) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(
      host.call("word_count", R"({"word":"caf\u00e9 \"x\"\ud83d\ude00","text":"café \"x\"😀"})"),
      HasStructured(R"({"words":0})"));
  EXPECT_THAT(host.call("word_count", R"({"word":"\u00e9\ud83d\ude00","text":"a\té😀 b"})"),
              HasStructured(R"({"words":1})"));
}

TEST(WordCount, ReportsProgressForEachRepetition) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  const Reply reply = host.call("word_count", R"({"text":"a b","repeat":3})");
  EXPECT_THAT(reply, HasStructured(R"({"words":6})"));
  ASSERT_EQ(reply.progress.size(), 3U);
  EXPECT_EQ(reply.progress.back().done, 3);
  EXPECT_EQ(reply.progress.back().total, 3);
}

TEST(WordCount, AsksForAWordInAnEmptyText) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("word_count", R"({"text":""})"),
              FailsWith("invalid_argument", HasSubstr("give at least one word")));
}

TEST(WordCount, HasASchemaThatRefusesUnknownAndMissingArguments) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_THAT(host.call("word_count", R"({"texts":"a"})"), FailsWith("invalid_argument"));
  EXPECT_THAT(host.call("word_count", "{}"), FailsWith("invalid_argument", HasSubstr("text")));
  EXPECT_THAT(host.call("word_count", R"({"text":"a","repeat":0})"),
              FailsWith("invalid_argument", HasSubstr("repeat")));
}

TEST(WordCount, AnswersUnknownKindsAndItemsWithoutFalling) {
  FakeHost host(Loaded{GANTRY_PLUGIN_FILE});
  EXPECT_EQ(host.tools(), std::vector<std::string>{"word_count"});
  EXPECT_EQ(host.call("word_counts").status, GANTRY_NOT_FOUND);
}

}  // namespace
