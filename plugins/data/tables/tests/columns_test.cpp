#include "tables/columns.hpp"

#include <gtest/gtest.h>

namespace gantry::data {
namespace {

Json json(std::string_view text) { return *Json::parse(text); }

// The cells as JSON, "-" for none.
std::string picked(Columns& columns, std::string_view row) {
  std::string text;
  for (const auto& cell : columns.pick(json(row))) {
    text += (text.empty() ? "" : " ") + std::string(cell ? cell->text() : "-");
  }
  return text;
}

TEST(Columns, OfARowAreItsMembersWithoutMarks) {
  const Columns columns =
      Columns::of_row(json(R"({"__type":"Object","className":"c","b":1,"ACL":{},"a":2})"));
  EXPECT_EQ(columns.headers(), (std::vector<std::string>{"b", "a"}));
}

TEST(Columns, HaveHeadersOfTheirOwn) {
  Columns columns({{"a", "First"}, {"b.c", "b.c"}, {"a", "Again"}});
  EXPECT_EQ(columns.headers(), (std::vector<std::string>{"First", "b.c", "Again"}));
  EXPECT_EQ(picked(columns, R"({"a":1,"b":{"c":"x"}})"), R"(1 "x" 1)");
}

TEST(Columns, AreEmptyWhereTheRowHasNothing) {
  Columns columns({{"a", "a"}, {"b.c", "b.c"}, {"n", "n"}});
  EXPECT_EQ(picked(columns, R"({"b":5,"n":null})"), "- - null");
  EXPECT_EQ(picked(columns, R"({"a":1,"b":{"d":1}})"), "1 - -");
}

TEST(Columns, GatherThroughArrays) {
  Columns columns({{"a.b", "x"}, {"a.b.c", "y"}});
  EXPECT_EQ(picked(columns, R"({"a":[{"b":1},7,{"c":2},{"b":[{"c":3}]}]})"),
            R"([1,[{"c":3}]] [[3]])");
}

TEST(Columns, PreferANameWithDotsToAPath) {
  Columns columns(std::vector<Column>{{"a.b", "a.b"}});
  EXPECT_EQ(picked(columns, R"({"a":{"b":1},"a.b":2})"), "2");
  EXPECT_EQ(picked(columns, R"({"a.b":2,"a":{"b":1}})"), "2");
}

TEST(Columns, SayWhichFieldsOfLaterRowsTheyLeaveOut) {
  Columns columns = Columns::of_row(json(R"({"a":1})"));
  (void)columns.pick(json(R"({"a":1,"b":2,"className":"c"})"));
  (void)columns.pick(json(R"({"c":1,"b":2})"));
  EXPECT_EQ(columns.left_out(), (std::vector<std::string>{"b", "c"}));
}

TEST(Columns, ShowThePointerInWhosePlaceAnObjectStands) {
  Columns columns({{"q.n", "q.n"}, {"q", "q"}});
  columns.show_pointers(1);
  const std::string object =
      R"({"q":{"__type":"Object","className":"c","objectId":"1","n":2},"r":0})";
  EXPECT_EQ(picked(columns, object), R"(2 {"__type":"Pointer","className":"c","objectId":"1"})");
  EXPECT_EQ(picked(columns, R"({"q":{"__type":"Pointer","className":"c","objectId":"1"}})"),
            R"(- {"__type":"Pointer","className":"c","objectId":"1"})");
  EXPECT_EQ(picked(columns, R"({"q":null})"), "- null");
}

TEST(Columns, GatherTheValuesOfListElementsAtAPath) {
  Columns columns({{"p.n.m", "a"}, {"p.objectId", "b"}, {"p", "c"}, {"list.n", "d"}});
  EXPECT_EQ(picked(columns, R"({"p":{"to":1,"objectId":"x"},"list":[{"to":1},{"n":5},{"k":1}]})"),
            R"(- "x" {"to":1,"objectId":"x"} [5])");
}

}  // namespace
}  // namespace gantry::data
