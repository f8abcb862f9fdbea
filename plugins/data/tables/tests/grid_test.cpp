#include "tables/grid.hpp"

#include <gtest/gtest.h>

namespace gantry::data::grid_test {
namespace {

JsonRows rows_of(std::string_view text) {
  JsonRows rows;
  EXPECT_TRUE(read_rows(text, rows));
  return rows;
}

constexpr const char* kRows =
    R"([{"objectId":"1","n":1.5,"p":{"__type":"Pointer","className":"c","objectId":"x"}},)"
    R"({"objectId":"2","n":null,"d":{"__type":"Date","iso":"2026-11-21T00:00:00.000Z"},)"
    R"("j":{"a":[1,2]},"b":true,"t":"a,\"b\"\n|c"}])";

TEST(Grid, ColumnsAreThoseOfAllRowsInTheOrderTheyAppear) {
  const Grid grid = grid_of(rows_of(kRows));
  EXPECT_EQ(grid.headers, (std::vector<std::string>{"objectId", "n", "p", "d", "j", "b", "t"}));
  ASSERT_EQ(grid.rows.size(), 2u);
  EXPECT_EQ(grid.rows[0], (std::vector<std::string>{"1", "1.5", "x", "", "", "", ""}));
  EXPECT_EQ(grid.rows[1], (std::vector<std::string>{"2", "", "", "2026-11-21T00:00:00.000Z",
                                                    R"({"a":[1,2]})", "true", "a,\"b\"\n|c"}));
}

TEST(JsonRows, AreWrittenAsExportsWriteThem) {
  const char* text = R"([{"a":"x\"y","b,c":"line\nbreak"},{"a":"","b,c":null},{"b,c":"plain"}])";
  EXPECT_EQ(write_rows(rows_of(text), "csv"),
            "a,\"b,c\"\r\n\"x\"\"y\",\"line\nbreak\"\r\n\"\",\r\n,plain\r\n");
  EXPECT_EQ(write_rows(rows_of(R"([{"a":null},{"a":1},{"a":""}])"), "csv"),
            "a\r\n\"\"\r\n1\r\n\"\"\r\n");
  EXPECT_EQ(write_rows(rows_of(R"([{"a":"x|y","b":"1\n2"}])"), "markdown"),
            "| a | b |\n| --- | --- |\n| x\\|y | 1 2 |\n");
  for (const auto* format : {"csv", "markdown"}) EXPECT_EQ(write_rows(rows_of("[]"), format), "");
}

TEST(Grid, TableAlignsByCodePoints) {
  EXPECT_EQ(as_table({{"name", "n"}, {{"é", "1"}, {"long one", "2"}}}),
            "name      n\n--------  -\né         1\nlong one  2\n");
}

TEST(Grid, NoRowsGiveNoLines) {
  const Grid grid = grid_of(rows_of("[]"));
  EXPECT_TRUE(grid.headers.empty());
  EXPECT_EQ(as_table(grid), "");
  EXPECT_EQ(table_size(grid), 0u);
}

TEST(JsonRows, SayWhenTheyAreNestedTooDeeply) {
  JsonRows rows;
  EXPECT_FALSE(read_rows(R"([{"a":)" + std::string(100, '[') + std::string(100, ']') + "}]", rows));
}

TEST(Grid, KnowsHowLargeATableGetsBeforeItIsMade) {
  std::string rows = R"([{"a":")" + std::string(1000, 'x') + R"(","b":1})";
  for (int i = 0; i < 98; ++i) rows += R"(,{"a":"y","b":2})";
  rows += "]";
  const Grid grid = grid_of(rows_of(rows));
  EXPECT_GT(table_size(grid), 100'000u);
  EXPECT_LE(table_size(grid), as_table(grid).size() + 1000);
}

}  // namespace
}  // namespace gantry::data::grid_test
