// The parts of gantry console that need no server and no terminal.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tools/gantry/console/grammar.hpp"
#include "tools/gantry/console/lines.hpp"
#include "tools/gantry/console/prompt_text.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::console {
namespace {

using Words = std::vector<std::string>;

TEST(ConsoleGrammar, BlanksSeparateOutsideOfQuotesAndBrackets) {
  EXPECT_EQ(words_of("  q  Country\tlimit=5 "), (Words{"q", "Country", "limit=5"}));
  EXPECT_EQ(words_of(R"(q C where={"a b": [1, 2]} limit=1)"),
            (Words{"q", "C", R"(where={"a b": [1, 2]})", "limit=1"}));
  EXPECT_EQ(words_of(R"(q C name="a \"b\" c" x='d "e' y="\d")"),
            (Words{"q", "C", R"(name=a "b" c)", R"(x=d "e)", R"(y=\d)"}));
  EXPECT_EQ(words_of("ask what's O'Brien's \"\""), (Words{"ask", "what's", "O'Brien's", ""}));
  EXPECT_EQ(words_of(R"(t x {"a":"}\" ]","b":'})"), (Words{"t", "x", R"({"a":"}\" ]","b":'})"}));
  EXPECT_TRUE(words_of(" \n").empty());
}

TEST(ConsoleGrammar, OpenBracketsAndQuotesContinue) {
  EXPECT_TRUE(is_open(R"(q C where={"a":)"));
  EXPECT_TRUE(is_open("q C keys=[\"a\",\n"));
  EXPECT_TRUE(is_open("q C name=\"a"));
  EXPECT_TRUE(is_open(R"(q C where={"a":"}")"));
  EXPECT_FALSE(is_open(R"(q C where={"a":"{"})"));
  EXPECT_FALSE(is_open("ask what's that"));
  EXPECT_FALSE(is_open("q C }"));
}

TEST(ConsoleTab, AddsTheCommonPrefixOfAllCandidates) {
  EXPECT_EQ(addition_of("co", {"count"}), "unt ");
  EXPECT_EQ(addition_of("li", {"limit="}), "mit=");
  EXPECT_EQ(addition_of("c", {"count_objects", "count_rows"}), "ount_");
  EXPECT_EQ(addition_of("count_", {"count_objects", "count_rows"}), "");
  EXPECT_EQ(addition_of("", {"größe", "grün"}), "gr") << "no half characters";
  EXPECT_EQ(addition_of("x", {}), "");
}

TEST(ConsolePrompts, ShowArgumentsAndMessages) {
  const auto listed = parsed(R"({"prompts":[{"name":"a","description":"does","arguments":[
    {"name":"x","required":true},{"name":"y"}]}]})");
  EXPECT_EQ(prompt_table(listed, 0), "NAME  ARGUMENTS  DESCRIPTION\na     x [y]      does\n");
  EXPECT_EQ(prompt_table(parsed("{}"), 0), "there are no prompts\n");
  EXPECT_EQ(prompt_messages(parsed(
                R"({"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]})")),
            "user:\nhello\n");
}

}  // namespace
}  // namespace gantry::cli::console
