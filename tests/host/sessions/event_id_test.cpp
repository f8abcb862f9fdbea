#include "host/sessions/event_id.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gantry::host {
namespace {

constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();

TEST(EventId, IsWrittenInDecimal) {
  EXPECT_EQ(to_text({3, 17}), "s3-17");
  EXPECT_EQ(to_text({0, 0}), "s0-0");
}

TEST(EventId, WrittenTextIsReadBack) {
  for (const EventId id : {EventId{0, 0}, EventId{1, 10}, EventId{kMost, kMost}}) {
    EXPECT_EQ(parse_event_id(to_text(id)), id);
  }
}

TEST(EventId, OnlyTheOneFormIsRead) {
  for (const std::string text :
       {"",      "s",     "-",     "s-",     "s1",        "s1-",    "s-1",    "1-1",
        "S1-1",  "s1-1 ", " s1-1", "s1- 1",  "s+1-1",     "s1-+1",  "s1--1",  "s-1-1",
        "s01-1", "s1-01", "s00-0", "s1-1-1", "s1-1,s1-2", "s0x1-1", "s1.0-1", "ss1-1"}) {
    EXPECT_EQ(parse_event_id(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_event_id(std::string_view("s1-1\0", 5)), std::nullopt);
}

TEST(EventId, NumbersBeyondTheirRangeAreNotRead) {
  EXPECT_TRUE(parse_event_id("s1-18446744073709551615"));
  EXPECT_EQ(parse_event_id("s1-18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_event_id("s18446744073709551616-1"), std::nullopt);
  EXPECT_EQ(parse_event_id("s1-99999999999999999999999"), std::nullopt);
}

}  // namespace
}  // namespace gantry::host
