// Dates, lists and diagrams.
#include <gtest/gtest.h>

#include "core/date.hpp"
#include "core/text.hpp"

namespace prompts {
namespace {

std::string iso(std::string_view text) {
  const auto date = parse_date(text);
  return date ? to_iso(date->ms) : "none";
}

TEST(Dates, AreReadWithAndWithoutTimeAndOffset) {
  EXPECT_EQ(iso("2026-01-31"), "2026-01-31T00:00:00.000Z");
  EXPECT_EQ(iso("2026-01-31T08:30"), "2026-01-31T08:30:00.000Z");
  EXPECT_EQ(iso("2026-01-31 08:30:15Z"), "2026-01-31T08:30:15.000Z");
  EXPECT_EQ(iso("2026-01-31T08:30:15.25+02:00"), "2026-01-31T06:30:15.250Z");
  EXPECT_EQ(iso("2025-12-31T23:00:00.123456-01:30"), "2026-01-01T00:30:00.123Z");
  EXPECT_EQ(iso("1969-12-31T23:59:59.999Z"), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(iso("2024-02-29"), "2024-02-29T00:00:00.000Z");
  EXPECT_TRUE(parse_date("2026-01-31")->is_day);
  EXPECT_FALSE(parse_date("2026-01-31T00:00Z")->is_day);
}

TEST(Dates, InvalidDatesAreRefused) {
  for (const char* const text :
       {"", "yesterday", "2026", "2026-13-01", "2026-02-29", "2026-1-1", "2026-01-31T",
        "-026-01-01", "2026-01-31T24:00", "2026-01-31T08:60", "2026-01-31T08:00:00.",
        "2026-01-31T08:00+1:00", "2026-01-31T08:00:00Zx", "2026-01-31x", "2026-01--1",
        "2026-01-31T-8:00"}) {
    EXPECT_EQ(iso(text), "none") << text;
  }
}

TEST(Words, ListsAreSplitAtCommas) {
  EXPECT_EQ(split_list(" a, b b ,,c,"), (Names{"a", "b b", "c"}));
  EXPECT_EQ(split_list(" , "), Names{});
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "a, b and 1 more");
  EXPECT_EQ(listed({}), "none");
}

TEST(Words, ADiagramShowsPointersAmongTheClassesGiven) {
  const ClassSchema city{"ci\"ty", {{"name", "String", "", false}}};
  const ClassSchema person{"person",
                           {{"home", "Pointer", "ci\"ty", true},
                            {"boss", "Pointer", "person", false},
                            {"pet", "Pointer", "animal", false},
                            {"hidden", "Pointer", "", false}}};
  EXPECT_EQ(diagram({city, person}),
            "```mermaid\nerDiagram\n  \"ci'ty\"\n  \"person\"\n"
            "  \"person\" }o--|| \"ci'ty\" : \"home\"\n"
            "  \"person\" }o--o| \"person\" : \"boss\"\n```\n");
}

}  // namespace
}  // namespace prompts
