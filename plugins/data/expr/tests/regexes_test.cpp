#include "evaluation.hpp"

namespace gantry::data::expr::regexes_test {
namespace {

TEST(RegexMatch, KnowsTheOptionsOfMongoDb) {
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"Ann","regex":"^an"}})"), "false");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"Ann","regex":"^an","options":"i"}})"), "true");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"a\nb","regex":"^b","options":"m"}})"), "true");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"a\nb","regex":"a.b","options":"s"}})"), "true");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"ab","regex":"a b # x","options":"x"}})"), "true");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"É","regex":"é","options":"iu"}})"), "true");
}

TEST(RegexMatch, IsFalseWithoutInputOrRegex) {
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"$none","regex":"a"}})"), "false");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"a","regex":null,"options":"z"}})"), "false");
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"a","regex":"a","options":null}})"), "true");
}

TEST(RegexMatch, RefusesBadPatternsOptionsAndTypesBeforeAnythingElse) {
  for (const char* bad :
       {R"("input":null,"regex":"[a")", R"("input":null,"regex":"a","options":"g")",
        R"("input":null,"regex":5)", R"("input":5,"regex":null)",
        R"("input":null,"regex":null,"options":5)", R"("input":"a","regex":"a\u0000")",
        R"("regex":"a")", R"("input":"a","regex":"a","flags":"i")"}) {
    EXPECT_TRUE(is_refused(std::string(R"({"$regexMatch":{)") + bad + "}}")) << bad;
  }
  EXPECT_EQ(evaluated(R"({"$regexMatch":{"input":"$a","regex":"("}})"),
            "refused: The regex of $regexMatch is not valid at byte 1: missing closing "
            "parenthesis.");
}

TEST(RegexFind, TellsWhereInCodePoints) {
  EXPECT_EQ(evaluated(R"j({"$regexFind":{"input":"é€ab","regex":"(a)|(b)"}})j"),
            R"({"match":"a","idx":2,"captures":["a",null]})");
  EXPECT_EQ(evaluated(R"({"$regexFind":{"input":"abc","regex":"x"}})"), "null");
  EXPECT_EQ(evaluated(R"({"$regexFind":{"input":null,"regex":"x"}})"), "null");
}

TEST(RegexFind, ReadsAPatternFromTheDocument) {
  EXPECT_EQ(evaluated(R"({"$regexFind":{"input":"$t","regex":"$p","options":"$o"}})",
                      R"({"t":"xA","p":"a","o":"i"})"),
            R"({"match":"A","idx":1,"captures":[]})");
}

TEST(RegexFindAll, GoesOnByOneBehindAnEmptyMatch) {
  EXPECT_EQ(evaluated(R"({"$regexFindAll":{"input":"é1€","regex":"[0-9]*"}})"),
            R"([{"match":"","idx":0,"captures":[]},{"match":"1","idx":1,"captures":[]},)"
            R"({"match":"","idx":2,"captures":[]}])");
  EXPECT_EQ(evaluated(R"({"$regexFindAll":{"input":"","regex":""}})"),
            R"([{"match":"","idx":0,"captures":[]}])");
  EXPECT_EQ(evaluated(R"({"$size":{"$regexFindAll":{"input":"aXbXc","regex":"X"}}})"), "2");
  EXPECT_EQ(evaluated(R"({"$regexFindAll":{"input":"$none","regex":"x"}})"), "[]");
}

TEST(RegexFindAll, LooksBehindWhereItGoesOn) {
  EXPECT_EQ(evaluated(R"({"$size":{"$regexFindAll":{"input":"aab","regex":"(?<=a)."}}})"), "2");
  EXPECT_EQ(evaluated(R"({"$size":{"$regexFindAll":{"input":"aaa","regex":"^a"}}})"), "1");
}

TEST(Regex, EndsAPatternThatBacktracksWithoutEnd) {
  const std::string document = R"({"t":")" + std::string(40, 'a') + R"(!"})";
  EXPECT_EQ(
      evaluated(R"({"$regexMatch":{"input":"$t","regex":"^(a+)+(b|c)$"}})", document).substr(0, 59),
      "refused: The regex of $regexMatch exceeds the match limit o");
}

}  // namespace
}  // namespace gantry::data::expr::regexes_test
