// Regular expressions of callers: options, limits, prefixes, and what is no pattern.
#include "values/pattern.hpp"

#include <gtest/gtest.h>

#include "errors/query_error.hpp"

namespace gantry::data::pattern_test {
namespace {

bool found(const char* pattern, std::string_view text, const char* options = "") {
  return Pattern(pattern, options).found_in(text);
}

std::string refused(const std::string& pattern, const std::string& options = "") {
  try {
    Pattern(pattern, options);
  } catch (const QueryError& error) {
    return error.what();
  }
  return "";
}

TEST(Pattern, TakesTheOptionsOfMongoDbInAnyOrder) {
  EXPECT_FALSE(found("^b.c$", "a\nB\nc\nd"));
  EXPECT_TRUE(found("^b.c$", "a\nB\nc\nd", "ims"));
  EXPECT_TRUE(found("^b.c$", "a\nB\nc\nd", "smi"));
  EXPECT_TRUE(found("a b # comment", "ab", "x"));
  EXPECT_TRUE(found("a", "a", "u"));
}

TEST(Pattern, NamesTheOptionThatItDoesNotKnow) {
  const std::string said = refused("a", "ig");
  EXPECT_NE(said.find("'g'"), std::string::npos) << said;
  EXPECT_NE(said.find("i, m, s, x and u"), std::string::npos) << said;
  EXPECT_NE(refused("a", "\n").find("another character"), std::string::npos);
  EXPECT_NE(refused("a", "I").find("'I'"), std::string::npos);
}

TEST(Pattern, TellsWhereItIsNotValid) {
  EXPECT_NE(refused("ab(c").find("at byte 4"), std::string::npos) << refused("ab(c");
  EXPECT_NE(refused("é[").find("not valid at byte"), std::string::npos);
  EXPECT_NE(refused("*a").find("not valid at byte"), std::string::npos);
  EXPECT_NE(refused(std::string("a\0b", 3)).find("\\x00"), std::string::npos);
  EXPECT_NE(refused("a\xff").find("not valid"), std::string::npos);
}

TEST(Pattern, HasAtMostSixteenKibibytes) {
  EXPECT_EQ(refused(std::string(Pattern::kMaxPattern, 'a')), "");
  const std::string said = refused(std::string(Pattern::kMaxPattern + 1, 'a'));
  EXPECT_NE(said.find("at most 16384 bytes"), std::string::npos) << said;
}

TEST(Pattern, IsThatOfPcreWithUnicode) {
  EXPECT_TRUE(found("(?<=a)b(?!c)", "abd"));
  EXPECT_FALSE(found("(?<=a)b(?!c)", "abc"));
  EXPECT_TRUE(found(R"((\w+) \1)", "no no"));
  EXPECT_TRUE(found("^.$", "🙂"));
  EXPECT_TRUE(found("ÄRGER", "ärger", "i"));
  EXPECT_TRUE(found(R"(\p{Lu}\p{Ll})", "xÉé"));
  EXPECT_TRUE(found("a++b", "aab"));
}

TEST(Pattern, FindsNothingInBytesThatAreNoUtf8) {
  EXPECT_FALSE(found("^.$", "\xff"));
  EXPECT_FALSE(found("a.b",
                     "a\xff"
                     "b"));
  EXPECT_FALSE(found("[^x]", "\xed\xa0\x80"));
  EXPECT_TRUE(found("^a", "a\xff"));
  EXPECT_TRUE(found("", ""));
  EXPECT_TRUE(found("^a.b$", std::string_view("a\0b", 3)));
}

TEST(Pattern, KnowsAPrefixOnlyWhereEveryMatchBeginsWithIt) {
  const auto prefix = [](const char* pattern, const char* options = "") {
    return Pattern(pattern, options).prefix();
  };
  EXPECT_EQ(prefix("^abc"), "abc");
  EXPECT_EQ(prefix("^abc.*"), "abc");
  EXPECT_EQ(prefix("^abc?"), "ab");
  EXPECT_EQ(prefix("^abc*d"), "ab");
  EXPECT_EQ(prefix("^aé?b"), "a");
  EXPECT_EQ(prefix("^ab{0,2}"), "a");
  EXPECT_EQ(prefix("^a\\.b"), "a.b");
  for (const char* none : {"abc", "^(a|b)", "^a|b", "^[ab]", "^.a", "", "^", "(^abc)"}) {
    EXPECT_EQ(prefix(none), "") << none;
  }
  for (const char* options : {"i", "m", "x"}) EXPECT_EQ(prefix("^abc", options), "") << options;
  EXPECT_EQ(prefix("^abc", "s"), "abc");
}

TEST(Pattern, APrefixIsThatOfTheTextsItFinds) {
  const char* patterns[] = {"^ab", "^ab+",   "^a?b",  "^ab|^c",   "^\\Qa.b\\E", "^a\\d",
                            "^é+", "^a{2}b", "^ab?c", "^(?:ab)c", "^a\\b",      "^\\Aab"};
  const char* texts[] = {"ab", "abb", "b", "c", "a.b", "a1", "é", "éé", "aab", "ac", "abc", "a b"};
  for (const char* one : patterns) {
    const Pattern pattern(one, "");
    for (const std::string_view text : texts) {
      if (!pattern.found_in(text)) continue;
      EXPECT_TRUE(text.starts_with(pattern.prefix())) << one << " finds " << text;
    }
  }
}

TEST(Pattern, OfManyItemsIsFoundInLongTextsToo) {
  const std::string text = std::string(5'000, 'x') + "É";
  EXPECT_TRUE(found("(*UCP)é$", text, "i"));
  EXPECT_TRUE(found(("(*UCP)" + std::string(3'000, 'x') + "+é").c_str(), text, "i"));
  EXPECT_FALSE(found((std::string(3'000, 'x') + "y").c_str(), text));
}

TEST(Pattern, EndsWithTheLimitByName) {
  const Pattern pattern("^(a+)+(b|c)$", "");
  try {
    (void)pattern.found_in(std::string(40, 'a') + "!");
    FAIL() << "it ended";
  } catch (const QueryError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("match limit of 1000000"), std::string::npos) << said;
    EXPECT_NE(said.find("less backtracking"), std::string::npos) << said;
  }
}

TEST(PatternSearch, GivesEachGroupItsPlaceInBytes) {
  const Pattern pattern("(é)|(b)(c)?", "");
  const std::string_view text = "xéb";
  PatternSearch search(pattern, text);
  EXPECT_EQ(search.groups(), 3U);
  ASSERT_TRUE(search.find(0));
  EXPECT_EQ(search.group(0).begin, 1U);
  EXPECT_EQ(search.group(0).end, 3U);
  EXPECT_EQ(search.group(1).begin, 1U);
  EXPECT_EQ(search.group(2).begin, PatternSearch::kNone);
  ASSERT_TRUE(search.find(3));
  EXPECT_EQ(search.group(1).begin, PatternSearch::kNone);
  EXPECT_EQ(search.group(2).end, 4U);
  EXPECT_EQ(search.group(3).begin, PatternSearch::kNone);
  EXPECT_FALSE(search.find(4));
}

TEST(PatternSearch, SpeaksInTheNamesThatItWasGiven) {
  try {
    Pattern("(", "", {"The regex of $regexFind", "its options"}, Pattern::Subject::utf8);
    FAIL() << "it is no pattern";
  } catch (const QueryError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("The regex of $regexFind is not valid"))
        << error.what();
  }
}

}  // namespace
}  // namespace gantry::data::pattern_test
