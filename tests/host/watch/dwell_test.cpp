#include "host/watch/dwell.hpp"

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

using std::chrono::milliseconds;
using Touch = Dwell::Touch;

constexpr Dwell::Time kStart{std::chrono::hours(1)};

Dwell::Time after(int ms) { return kStart + milliseconds(ms); }

TEST(Dwell, ANameRestsAfterItsLastEventAndIsReportedOnce) {
  Dwell dwell(milliseconds(150));
  dwell.touch("a", Touch::whole, after(0));
  dwell.touch("a", Touch::whole, after(100));
  EXPECT_FALSE(dwell.take(after(249)));
  EXPECT_EQ(dwell.next(), after(250));
  EXPECT_TRUE(dwell.take(after(250)));
  EXPECT_FALSE(dwell.take(after(1000)));
  EXPECT_EQ(dwell.next(), std::nullopt);
}

TEST(Dwell, AFileThatIsBeingWrittenRestsWhenItIsClosed) {
  Dwell dwell(milliseconds(150));
  dwell.touch("a", Touch::whole, after(0));
  dwell.touch("a", Touch::part, after(10));
  EXPECT_FALSE(dwell.take(after(1500)));
  dwell.touch("a", Touch::aside, after(1500));  // its mode is set before it is closed
  EXPECT_FALSE(dwell.take(after(1700)));
  dwell.touch("a", Touch::whole, after(1700));
  EXPECT_TRUE(dwell.take(after(1850)));
}

TEST(Dwell, AWriterThatNeverClosesIsNotWaitedForForEver) {
  Dwell dwell(milliseconds(150));
  dwell.touch("a", Touch::part, after(0));
  EXPECT_FALSE(dwell.take(after(1999)));
  EXPECT_TRUE(dwell.take(after(2000)));
}

TEST(Dwell, OneThatIsBeingWrittenDoesNotHoldUpAnother) {
  Dwell dwell(milliseconds(150));
  dwell.touch("slow", Touch::part, after(0));
  dwell.touch("quick", Touch::whole, after(10));
  EXPECT_EQ(dwell.next(), after(160));
  EXPECT_TRUE(dwell.take(after(160)));
  EXPECT_FALSE(dwell.take(after(170)));
  EXPECT_EQ(dwell.next(), after(2000));
}

}  // namespace
}  // namespace gantry::host
