#include "tables/grid.hpp"

#include <gtest/gtest.h>

namespace gantry::data {
namespace {

Grid grid_of(std::string_view rows) {
  Grid grid;
  EXPECT_TRUE(make_grid(rows, grid));
  return grid;
}

constexpr const char* kRows =
    R"([{"objectId":"1","n":1.5,"p":{"__type":"Pointer","className":"c","objectId":"x"}},)"
    R"({"objectId":"2","n":null,"d":{"__type":"Date","iso":"2026-11-21T00:00:00.000Z"},)"
    R"("j":{"a":[1,2]},"b":true,"t":"a,\"b\"\n|c"}])";

TEST(Grid, ColumnsAreThoseOfAllRowsInTheOrderTheyAppear) {
  const Grid grid = grid_of(kRows);
  EXPECT_EQ(grid.headers, (std::vector<std::string>{"objectId", "n", "p", "d", "j", "b", "t"}));
  ASSERT_EQ(grid.rows.size(), 2u);
  EXPECT_EQ(grid.rows[0], (std::vector<std::string>{"1", "1.5", "x", "", "", "", ""}));
  EXPECT_EQ(grid.rows[1], (std::vector<std::string>{"2", "", "", "2026-11-21T00:00:00.000Z",
                                                    R"({"a":[1,2]})", "true", "a,\"b\"\n|c"}));
}

TEST(Grid, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(as_csv({{"a", "b,c"}, {{"x\"y", "line\nbreak"}, {"", "plain"}}}),
            "a,\"b,c\"\n\"x\"\"y\",\"line\nbreak\"\n,plain\n");
}

TEST(Grid, MarkdownKeepsOneRowOnOneLine) {
  EXPECT_EQ(as_markdown({{"a", "b"}, {{"x|y", "1\n2"}}}),
            "| a | b |\n| --- | --- |\n| x\\|y | 1 2 |\n");
}

TEST(Grid, TableAlignsByCodePoints) {
  EXPECT_EQ(as_table({{"name", "n"}, {{"é", "1"}, {"long one", "2"}}}),
            "name      n\n--------  -\né         1\nlong one  2\n");
}

TEST(Grid, NoRowsGiveNoLines) {
  const Grid grid = grid_of("[]");
  EXPECT_TRUE(grid.headers.empty());
  EXPECT_EQ(as_csv(grid), "");
  EXPECT_EQ(as_markdown(grid), "");
  EXPECT_EQ(as_table(grid), "");
  EXPECT_EQ(table_size(grid), 0u);
}

TEST(Grid, SaysWhenRowsAreNestedTooDeeply) {
  Grid grid;
  EXPECT_FALSE(make_grid(R"([{"a":)" + std::string(100, '[') + std::string(100, ']') + "}]", grid));
}

TEST(Grid, KnowsHowLargeATableGetsBeforeItIsMade) {
  std::string rows = R"([{"a":")" + std::string(1000, 'x') + R"(","b":1})";
  for (int i = 0; i < 98; ++i) rows += R"(,{"a":"y","b":2})";
  const Grid grid = grid_of(rows + "]");
  EXPECT_GT(table_size(grid), 100'000u);
  EXPECT_LE(table_size(grid), as_table(grid).size() + 1000);
}

}  // namespace
}  // namespace gantry::data
