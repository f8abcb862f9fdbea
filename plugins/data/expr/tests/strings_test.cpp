#include "evaluation.hpp"

namespace gantry::data::expr::strings_test {
namespace {

TEST(Concat, JoinsTextAndStopsAtTheFirstNull) {
  EXPECT_EQ(evaluated(R"({"$concat":["a",{"$toUpper":"b"},"é"]})"), R"("aBé")");
  EXPECT_EQ(evaluated(R"({"$concat":[]})"), R"("")");
  EXPECT_EQ(evaluated(R"({"$concat":["a","$none","b"]})"), "null");
  EXPECT_EQ(evaluated(R"({"$concat":[null,1]})"), "null");
  EXPECT_TRUE(is_refused(R"({"$concat":[1,null]})"));
  EXPECT_TRUE(is_refused(R"({"$concat":["a",["b"]]})"));
}

TEST(Concat, RefusesToGrowWithoutBound) {
  const std::string document = R"({"t":")" + std::string(6 << 20, 'x') + R"("})";
  EXPECT_EQ(evaluated(R"({"$concat":["$t","$t","$t"]})", document),
            "refused: $concat would make more than 16 MiB of text.");
}

TEST(Split, KeepsEmptyPieces) {
  EXPECT_EQ(evaluated(R"({"$split":["-a--b-","-"]})"), R"(["","a","","b",""])");
  EXPECT_EQ(evaluated(R"({"$split":["aaa","aa"]})"), R"(["","a"])");
  EXPECT_EQ(evaluated(R"({"$split":["","-"]})"), R"([""])");
  EXPECT_EQ(evaluated(R"({"$split":[5,null]})"), "null");
  EXPECT_TRUE(is_refused(R"({"$split":["a",""]})"));
  EXPECT_TRUE(is_refused(R"({"$split":["a",5]})"));
}

TEST(Split, RefusesToMakePiecesWithoutBound) {
  const std::string document = R"({"t":")" + std::string(1 << 20, '-') + R"("})";
  EXPECT_EQ(evaluated(R"({"$split":["$t","-"]})", document),
            "refused: $split would make more than 1,000,000 pieces.");
}

TEST(Case, IsAboutAsciiLettersOnly) {
  EXPECT_EQ(evaluated(R"({"$toUpper":"aéß"})"), R"("Aéß")");
  EXPECT_EQ(evaluated(R"({"$toLower":"AÉZ"})"), R"("aÉz")");
  EXPECT_EQ(evaluated(R"({"$toLower":"$none"})"), R"("")");
  EXPECT_EQ(evaluated(R"({"$strcasecmp":["Abc","aBD"]})"), "-1");
  EXPECT_EQ(evaluated(R"({"$strcasecmp":["É","é"]})"), "-1");
  EXPECT_EQ(evaluated(R"({"$strcasecmp":[null,""]})"), "0");
  EXPECT_TRUE(is_refused(R"({"$toUpper":true})"));
}

TEST(Case, WritesNumbersWithSixDigitsAndDatesAsIsoText) {
  EXPECT_EQ(evaluated(R"({"$toUpper":1000000.0})"), R"("1E+06")");
  EXPECT_EQ(evaluated(R"({"$toLower":{"$numberDouble":"-Infinity"}})"), R"("-inf")");
  EXPECT_EQ(evaluated(R"({"$toLower":-0.0})"), R"("-0")");
  EXPECT_EQ(evaluated(R"({"$toUpper":{"$date":"2024-06-15T12:30:45.120Z"}})"),
            R"("2024-06-15T12:30:45.120Z")");
  EXPECT_TRUE(is_refused(R"({"$toUpper":{"$date":{"$numberLong":"253402300800000"}}})"));
}

TEST(Length, CountsBytesOrCodePoints) {
  EXPECT_EQ(evaluated(R"({"$strLenBytes":"aé€😀"})"), "10");
  EXPECT_EQ(evaluated(R"({"$strLenCP":"aé€😀"})"), "4");
  EXPECT_TRUE(is_refused(R"({"$strLenCP":"$none"})"));
  EXPECT_TRUE(is_refused(R"({"$strLenBytes":7})"));
}

TEST(Substring, OfBytesKeepsCharactersWhole) {
  EXPECT_EQ(evaluated(R"({"$substrBytes":["aé€",1,2]})"), R"("é")");
  EXPECT_EQ(evaluated(R"({"$substr":["hello",2,-1]})"), R"("llo")");
  EXPECT_EQ(evaluated(R"({"$substrBytes":["hello",9,1]})"), R"("")");
  EXPECT_EQ(evaluated(R"({"$substrBytes":["hello",1.9,3]})"), R"("ell")");
  EXPECT_EQ(evaluated(R"({"$substrBytes":[42,0,1]})"), R"("4")");
  EXPECT_EQ(evaluated(R"({"$substrBytes":["hello",1,{"$numberLong":"9223372036854775807"}]})"),
            R"("ello")");
  EXPECT_TRUE(is_refused(R"({"$substrBytes":["aé€",2,1]})"));
  EXPECT_TRUE(is_refused(R"({"$substrBytes":["aé€",0,2]})"));
  EXPECT_TRUE(is_refused(R"({"$substrBytes":["a",-1,2]})"));
  EXPECT_TRUE(is_refused(R"({"$substrBytes":["a",{"$numberDouble":"Infinity"},2]})"));
  EXPECT_TRUE(is_refused(R"({"$substrBytes":["a",null,2]})"));
}

TEST(Substring, OfCodePointsNeedsWholeNumbers) {
  EXPECT_EQ(evaluated(R"({"$substrCP":["aé€😀b",1,3]})"), R"("é€😀")");
  EXPECT_EQ(evaluated(R"({"$substrCP":["abc",2,9]})"), R"("c")");
  EXPECT_EQ(evaluated(R"({"$substrCP":["abc",9,9]})"), R"("")");
  EXPECT_TRUE(is_refused(R"({"$substrCP":["abc",0,-1]})"));
  EXPECT_TRUE(is_refused(R"({"$substrCP":["abc",0.5,1]})"));
}

TEST(IndexOf, SearchesInBytesAndCodePoints) {
  EXPECT_EQ(evaluated(R"({"$indexOfBytes":["é€x","x"]})"), "5");
  EXPECT_EQ(evaluated(R"({"$indexOfCP":["é€x","x"]})"), "2");
  EXPECT_EQ(evaluated(R"({"$indexOfBytes":["hello","llo",0,4]})"), "-1");
  EXPECT_EQ(evaluated(R"({"$indexOfCP":["hello","llo",0,4]})"), "2");
  EXPECT_EQ(evaluated(R"({"$indexOfBytes":["hello","",5]})"), "5");
  EXPECT_EQ(evaluated(R"({"$indexOfCP":["hello","",5]})"), "-1");
  EXPECT_EQ(evaluated(R"({"$indexOfCP":["",""]})"), "0");
  EXPECT_EQ(evaluated(R"({"$indexOfCP":[null,5]})"), "null");
}

TEST(IndexOf, RefusesInvalidTextsAndPlaces) {
  EXPECT_TRUE(is_refused(R"({"$indexOfCP":["a",null]})"));
  EXPECT_TRUE(is_refused(R"({"$indexOfBytes":["a","a",-1]})"));
  EXPECT_TRUE(is_refused(R"({"$indexOfBytes":["a","a",0.5]})"));
  EXPECT_TRUE(is_refused(R"({"$indexOfBytes":["a","a",0,{"$numberLong":"2147483648"}]})"));
  EXPECT_TRUE(is_refused(R"({"$indexOfBytes":["a"]})"));
}

TEST(Trim, TakesBlanksOrTheGivenCharacters) {
  EXPECT_EQ(evaluated(R"({"$trim":{"input":" \u0000\t\u00A0a\u2009b\u200A"}})"), "\"a\u2009b\"");
  EXPECT_EQ(evaluated(R"({"$trim":{"input":"\u200Ba"}})"), "\"\u200Ba\"");
  EXPECT_EQ(evaluated(R"({"$ltrim":{"input":"éaéb","chars":"aé"}})"), R"("b")");
  EXPECT_EQ(evaluated(R"({"$rtrim":{"input":"b€é","chars":"é"}})"), R"("b€")");
  EXPECT_EQ(evaluated(R"({"$trim":{"input":" a ","chars":""}})"), R"(" a ")");
  EXPECT_EQ(evaluated(R"({"$trim":{"input":"a","chars":"$none"}})"), "null");
  EXPECT_EQ(evaluated(R"({"$trim":{"input":null,"chars":5}})"), "null");
  EXPECT_TRUE(is_refused(R"({"$trim":{"input":5,"chars":null}})"));
  EXPECT_TRUE(is_refused(R"({"$trim":{"chars":"a"}})"));
}

TEST(Replace, FindsTextNotPatterns) {
  EXPECT_EQ(evaluated(R"({"$replaceOne":{"input":"a.a.","find":".","replacement":"-"}})"),
            R"("a-a.")");
  EXPECT_EQ(evaluated(R"({"$replaceAll":{"input":"a.a.","find":".","replacement":"--"}})"),
            R"("a--a--")");
  EXPECT_EQ(evaluated(R"({"$replaceAll":{"input":"é€","find":"","replacement":"-"}})"),
            R"("-é-€-")");
  EXPECT_EQ(evaluated(R"({"$replaceOne":{"input":"ab","find":"","replacement":"-"}})"), R"("-ab")");
  EXPECT_EQ(evaluated(R"({"$replaceAll":{"input":"$none","find":"a","replacement":"b"}})"), "null");
  EXPECT_TRUE(is_refused(R"({"$replaceAll":{"input":null,"find":5,"replacement":"b"}})"));
  EXPECT_TRUE(is_refused(R"({"$replaceOne":{"input":"a","find":"b"}})"));
}

TEST(Replace, RefusesToGrowWithoutBound) {
  const std::string document = R"({"t":")" + std::string(100'000, 'x') + R"("})";
  for (const char* find : {"x", ""}) {
    EXPECT_EQ(evaluated(std::string(R"({"$replaceAll":{"input":"$t","find":")") + find +
                            R"(","replacement":"$t"}})",
                        document),
              "refused: $replaceAll would make more than 16 MiB of text.");
  }
}

}  // namespace
}  // namespace gantry::data::expr::strings_test
