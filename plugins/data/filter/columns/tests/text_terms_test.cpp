// Translation of MongoDB's $search to FTS5.
#include "filter/columns/text_terms.hpp"

#include <gtest/gtest.h>

namespace gantry::data::columns {
namespace {

std::string query(std::string_view search) {
  const TextTerms terms = read_text_terms(search);
  return terms.finds_nothing() ? "nothing" : fts5_query(terms);
}

TEST(TextTerms, WordsAreAlternatives) {
  EXPECT_EQ(query("ssl certificate"), R"(("ssl" OR "certificate"))");
  EXPECT_EQ(query("  ssl\t\n"), R"(("ssl"))");
}

TEST(TextTerms, PhrasesMustAllBeThereAndWordsBesideThemDoNotCount) {
  EXPECT_EQ(query(R"("ssl certificate" key)"), R"(("ssl certificate"))");
  EXPECT_EQ(query(R"("ssl" "key")"), R"(("ssl" AND "key"))");
  EXPECT_EQ(query(R"("" key)"), R"(("key"))");
}

TEST(TextTerms, AMinusBehindWhiteSpaceNegatesUntilTheNext) {
  EXPECT_EQ(query("ssl -key"), R"(("ssl") NOT ("key"))");
  EXPECT_EQ(query(R"(ssl -"a key" b)"), R"(("ssl" OR "b") NOT ("a key"))");
  EXPECT_EQ(query("ssl - key"), R"(("ssl" OR "key"))");
  EXPECT_EQ(query(R"(x -"a"-"b")"), R"(("x") NOT ("a" OR "b"))");
}

TEST(TextTerms, AMinusBetweenWordsSeparatesThem) {
  EXPECT_EQ(query("pre-market"), R"(("pre" OR "market" OR "pre-market"))");
  EXPECT_EQ(query("a -pre-market"), R"(("a") NOT ("pre" OR "market" OR "pre-market"))");
}

TEST(TextTerms, NegationsAloneFindNothing) {
  EXPECT_EQ(query("-key"), "nothing");
  EXPECT_EQ(query(""), "nothing");
  EXPECT_EQ(query("... !? \xE2\x80\x94 ' _"), "nothing");
  EXPECT_EQ(query(R"("")"), "nothing");
}

TEST(TextTerms, WordsAndSignsOfTheIndexAreQuoted) {
  EXPECT_EQ(query("AND NEAR"), R"(("AND" OR "NEAR"))");
  EXPECT_EQ(query("title:x*"), R"(("title" OR "x" OR "title:x*"))");
  EXPECT_EQ(query("{a} ^b"), R"(("a" OR "{a}" OR "b" OR "^b"))");
  EXPECT_EQ(query("don't"), R"(("don't"))");
}

TEST(TextTerms, AQuoteThatNothingClosesIsNone) {
  EXPECT_EQ(query("\"ssl key"), R"(("ssl" OR "key"))");
  EXPECT_EQ(query("a\""), R"(("a"))");
}

TEST(TextTerms, ANulEndsAWordAndNoQuery) {
  EXPECT_EQ(query(std::string_view("a\0b", 3)), R"(("a" OR "b"))");
  EXPECT_EQ(query(std::string_view("\"a\0b\"", 5)), R"(("a b"))");
}

TEST(TextTerms, LettersBeyondAsciiAreLetters) {
  EXPECT_EQ(query("Zo\xC3\xAB \xC2\xABnoir\xC2\xBB"),
            "(\"Zo\xC3\xAB\" OR \"noir\" OR \"\xC2\xABnoir\xC2\xBB\")");
  EXPECT_EQ(query("a\xE3\x80\x80"
                  "b"),
            R"(("a" OR "b"))");
}

}  // namespace
}  // namespace gantry::data::columns
