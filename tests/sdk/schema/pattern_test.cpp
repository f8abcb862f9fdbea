#include "support.hpp"

namespace gantry::schema::test::pattern_test {
namespace {

bool matches(const std::string& pattern, const std::string& text) {
  return accepts(R"({"pattern": ")" + pattern + "\"}", "\"" + text + "\"");
}

std::string why_not(const std::string& pattern) {
  return refusal(R"({"properties": {"a": {"pattern": ")" + pattern + "\"}}}");
}

TEST(Pattern, IsSearchedForAnywhere) {
  EXPECT_TRUE(matches("b+", "abba"));
  EXPECT_FALSE(matches("^b+$", "abba"));
  EXPECT_TRUE(matches("", ""));
}

TEST(Pattern, CountsCodePointsNotBytes) {
  EXPECT_TRUE(matches("^.$", "\\u00e9"));
  EXPECT_TRUE(matches("^.$", "\\ud83d\\udc32"));
  EXPECT_TRUE(accepts(R"({"maxLength": 2, "minLength": 2})", R"("\ud83d\udc32\u00e9")"));
}

TEST(Pattern, MatchesAsInEcmaScript) {
  EXPECT_FALSE(matches("^abc$", "abc\\n"));
  EXPECT_FALSE(matches("^.$", "\\u2028"));
  EXPECT_FALSE(matches("^\\\\d$", "\\u0967"));
  EXPECT_FALSE(matches("^\\\\w$", "\\u00e9"));
  EXPECT_TRUE(matches("^\\\\s$", "\\ufeff"));
  EXPECT_TRUE(matches("^[^\\\\S]$", "\\u00a0"));
  EXPECT_TRUE(matches("^[[:a]$", "["));
  EXPECT_TRUE(matches("^\\\\u{1f432}$", "\\ud83d\\udc32"));
  EXPECT_TRUE(matches("^\\\\p{Script=Greek}+$", "\\u03c0"));
  EXPECT_FALSE(matches("^\\\\P{Lu}$", "A"));
  EXPECT_TRUE(matches("^(?<year>[0-9]{4})-\\\\k<year>$", "2020-2020"));
  EXPECT_TRUE(matches("^a{,2}$", "a{,2}"));
  EXPECT_TRUE(matches("^(?:a+?)b$", "aab"));
  EXPECT_FALSE(matches("[]", "x"));
  EXPECT_TRUE(matches("[^]", "\\n"));
}

TEST(Pattern, RefusesOtherSyntaxWithPlaceAndReason) {
  EXPECT_NE(why_not("(").find("#/properties/a/pattern"), std::string::npos) << why_not("(");
  EXPECT_NE(why_not("\\\\Z").find("unknown escape '\\Z'"), std::string::npos) << why_not("\\\\Z");
  EXPECT_NE(why_not("a++").find("nothing to repeat"), std::string::npos);
  EXPECT_NE(why_not("(*UCP)a").find("nothing to repeat"), std::string::npos);
  EXPECT_NE(why_not("(?>a)").find("unknown kind of group"), std::string::npos);
  EXPECT_NE(why_not("(?R)").find("unknown kind of group"), std::string::npos);
  EXPECT_NE(why_not("\\\\u12").find("four hexadecimal digits"), std::string::npos);
  EXPECT_NE(why_not("\\\\p{Nonsense}").find("near offset"), std::string::npos);
  EXPECT_NE(why_not("a\\\\").find("lone backslash"), std::string::npos);
}

TEST(Pattern, OfPropertyNamesIsRefusedLikewise) {
  EXPECT_NE(refusal(R"({"patternProperties": {"[": {}}})").find("#/patternProperties"),
            std::string::npos);
}

TEST(Pattern, ThatBacktracksWithoutEndEndsInAnError) {
  const Validator validator = compiled(R"({"pattern": "^(a+)+$"})");
  const auto value = parse("\"" + std::string(60, 'a') + "b\"");
  EXPECT_FALSE(validator.validate(value));
  const auto errors = validator.errors(value);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].keyword, "limit");
  EXPECT_NE(errors[0].message.find("pattern"), std::string::npos) << errors[0].message;
}

TEST(Pattern, ThatScansLongTextAgainAndAgainEndsInAnError) {
  const Validator validator = compiled(R"({"pattern": "[a-z]+[0-9]"})");
  const auto value = parse("\"" + std::string(1'000'000, 'a') + "\"");
  EXPECT_FALSE(validator.validate(value));
  EXPECT_EQ(validator.errors(value).front().keyword, "limit");
}

TEST(Pattern, OfAlternativesHoldsForLongText) {
  EXPECT_TRUE(matches("^(?:a|b)*$", std::string(50'000, 'b')));
}

TEST(Pattern, ThatIsTooCostlyIsAnErrorInsideNotToo) {
  const Validator validator = compiled(R"({"not": {"pattern": "^(a+)+$"}})");
  EXPECT_FALSE(validator.validate(parse("\"" + std::string(60, 'a') + "b\"")));
}

TEST(Pattern, DoesNotMatchTextThatIsNotUtf8) {
  rapidjson::Document value;
  value.SetString("\xff\xfe", 2);
  EXPECT_FALSE(compiled(R"({"pattern": "."})").validate(value));
}

}  // namespace
}  // namespace gantry::schema::test::pattern_test
