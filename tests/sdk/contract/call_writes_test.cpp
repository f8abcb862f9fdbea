// The order of the structured result's pieces, and the limit of what a call may write.
#include "sdk/contract/call_writes.hpp"

#include <gtest/gtest.h>

namespace gantry::contract::call_writes_test {
namespace {

TEST(JsonOrder, TakesOneResultInPieces) {
  JsonOrder order;
  EXPECT_EQ(order.begin(), "");
  EXPECT_TRUE(order.is_open());
  EXPECT_EQ(order.add(), "");
  EXPECT_EQ(order.add(), "");
  EXPECT_EQ(order.end(), "");
  EXPECT_TRUE(order.is_done());
  EXPECT_EQ(order.broken_at_end(), "");
}

TEST(JsonOrder, NamesTheRuleThatIsBroken) {
  JsonOrder order;
  EXPECT_EQ(order.broken_at_end(), "");
  EXPECT_EQ(order.add(), "json_raw() without json_begin()");
  EXPECT_EQ(order.end(), "json_end() without json_begin()");
  EXPECT_EQ(order.begin(), "");
  EXPECT_EQ(order.begin(), "json_begin() twice without json_end()");
  EXPECT_EQ(order.broken_at_end(), "json_begin() without json_end()");
  EXPECT_EQ(order.end(), "");
  EXPECT_EQ(order.begin(), "json_begin() again: a call has one structured result");
  EXPECT_EQ(order.add(), "json_raw() without json_begin()");
  EXPECT_EQ(order.end(), "json_end() without json_begin()");
}

TEST(JsonOrder, BeginsAgainAfterFail) {
  JsonOrder order;
  EXPECT_EQ(order.begin(), "");
  order.reset();
  EXPECT_FALSE(order.is_open());
  EXPECT_EQ(order.begin(), "");
}

TEST(WriteLimit, CountsOnlyThePiecesThatFit) {
  WriteLimit limit;
  EXPECT_FALSE(limit.take(1));
  limit.reset(10);
  EXPECT_FALSE(limit.overflowed());
  EXPECT_TRUE(limit.take(7));
  EXPECT_EQ(limit.room(), 3U);
  EXPECT_FALSE(limit.fits(4));
  EXPECT_FALSE(limit.overflowed());
  EXPECT_FALSE(limit.take(4));
  EXPECT_TRUE(limit.overflowed());
  EXPECT_EQ(limit.room(), 3U) << "the refused piece was counted";
  EXPECT_TRUE(limit.take(3));
  EXPECT_TRUE(limit.overflowed()) << "the answer is not whole any more";
  limit.restart();
  EXPECT_FALSE(limit.overflowed());
  EXPECT_EQ(limit.room(), 10U);
}

TEST(WriteLimit, BoundsTheTextOfABlock) {
  EXPECT_GE(WriteLimit::most_of_text(1),
            std::string_view(R"(,{"type":"text","text":"\u0001"})").size());
}

}  // namespace
}  // namespace gantry::contract::call_writes_test
