#include "tables/row_writer.hpp"

#include <gtest/gtest.h>

namespace gantry::data::row_writer_test {
namespace {

// One row, with all its members as columns.
std::string written(std::string_view format, std::string_view row) {
  const Json parsed = *Json::parse(row);
  Columns columns = Columns::of_row(parsed);
  const auto writer = make_row_writer(format);
  std::string text;
  writer->begin(columns.headers(), text);
  writer->row(PickedCells(columns.pick(parsed)), text);
  return text;
}

TEST(RowWriter, KnowsTheFormatsThatNeedNoWidths) {
  EXPECT_NE(make_row_writer("csv"), nullptr);
  EXPECT_NE(make_row_writer("markdown"), nullptr);
  EXPECT_NE(make_row_writer("jsonl"), nullptr);
  EXPECT_EQ(make_row_writer("table"), nullptr);
}

TEST(RowWriter, EndsLinesOfCsvWithCrLf) {
  EXPECT_EQ(written("csv", R"({"a":1,"b":"x"})"), "a,b\r\n1,x\r\n");
}

TEST(RowWriter, QuotesCommasQuotesAndLineBreaks) {
  EXPECT_EQ(written("csv", R"({"a,b":"say \"hi\"","c":"1\n2","d":"\r","e":" plain; "})"),
            "\"a,b\",c,d,e\r\n\"say \"\"hi\"\"\",\"1\n2\",\"\r\", plain; \r\n");
}

TEST(RowWriter, QuotesTheOnlyCellOfALineWhenItIsEmpty) {
  EXPECT_EQ(written("csv", R"({"a":null})"), "a\r\n\"\"\r\n");
  EXPECT_EQ(written("csv", R"({"a":""})"), "a\r\n\"\"\r\n");
}

TEST(RowWriter, TellsAnEmptyTextFromNullInCsv) {
  EXPECT_EQ(written("csv", R"({"a":null,"b":"","c":1})"), "a,b,c\r\n,\"\",1\r\n");
  EXPECT_EQ(written("csv", R"({"a":"","b":null})"), "a,b\r\n\"\",\r\n");
  EXPECT_EQ(written("csv", R"({"":1,"b":null})"), ",b\r\n1,\r\n");
}

TEST(RowWriter, DoublesEveryQuoteWhereverItStands) {
  EXPECT_EQ(written("csv", R"({"a":"\"","b":"\"\"x,\"","c":"y"})"),
            "a,b,c\r\n\"\"\"\",\"\"\"\"\"x,\"\"\",y\r\n");
}

TEST(RowWriter, ShowsPointersAsIdsDatesAsIsoTextAndObjectsAsJson) {
  EXPECT_EQ(written("csv", R"({"p":{"__type":"Pointer","className":"c","objectId":"x,1"},)"
                           R"("d":{"__type":"Date","iso":"2026-11-21T00:00:00.000Z"},)"
                           R"("t":true,"n":1.50,"j":{"k":1}})"),
            "p,d,t,n,j\r\n\"x,1\",2026-11-21T00:00:00.000Z,true,1.50,\"{\"\"k\"\":1}\"\r\n");
}

TEST(RowWriter, ShowsTheValuesOfExtendedJson) {
  EXPECT_EQ(
      written("csv", R"({"a":{"$numberLong":"5"},"b":{"$date":"1999-01-01T00:00:00Z"},)"
                     R"("c":{"$date":{"$numberLong":"-1"}}})"),
      "a,b,c\r\n5,1999-01-01T00:00:00Z,\"{\"\"$date\"\":{\"\"$numberLong\"\":\"\"-1\"\"}}\"\r\n");
}

TEST(RowWriter, ResolvesEscapes) {
  EXPECT_EQ(written("csv", R"({"a":"\u00e9\t\\","b":"é"})"), "a,b\r\né\t\\,é\r\n");
}

TEST(RowWriter, KeepsMarkdownRowsOnOneLine) {
  EXPECT_EQ(written("markdown", R"({"a|b":"1\n2","c":"x\\y|z"})"),
            "| a\\|b | c |\n| --- | --- |\n| 1 2 | x\\\\y\\|z |\n");
}

TEST(RowWriter, WritesJsonLinesWithTypesAndWithoutMissingCells) {
  Columns columns({{"a", "x \"y\""}, {"b", "b"}, {"c", "c"}});
  const auto writer = make_row_writer("jsonl");
  std::string text;
  writer->begin(columns.headers(), text);
  writer->row(PickedCells(columns.pick(*Json::parse(R"({"a":1.50,"c":null})"))), text);
  writer->row(PickedCells(columns.pick(*Json::parse(R"({"b":{"k":[1,"2"]}})"))), text);
  writer->row(PickedCells(columns.pick(*Json::parse("{}"))), text);
  EXPECT_EQ(text, "{\"x \\\"y\\\"\":1.50,\"c\":null}\n{\"b\":{\"k\":[1,\"2\"]}}\n{}\n");
}

TEST(RowWriter, WritesNothingWithoutColumns) {
  EXPECT_EQ(written("csv", "{}"), "");
  EXPECT_EQ(written("markdown", "{}"), "");
  EXPECT_EQ(written("jsonl", "{}"), "{}\n");
}

}  // namespace
}  // namespace gantry::data::row_writer_test
