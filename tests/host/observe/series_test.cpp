#include "host/observe/series.hpp"

#include <gtest/gtest.h>

namespace gantry::host::series_test {
namespace {

using Time = std::chrono::system_clock::time_point;

Time at(int second) { return Time(std::chrono::seconds(second)); }

TEST(Series, ASampleHoldsTheCountsSinceTheOneBefore) {
  Series series;
  series.count(1, false, 10);
  series.count(2, true, 5);
  series.sample(at(1), 3, 4);
  series.sample(at(2), 0, 0);
  const auto seconds = series.seconds();
  ASSERT_EQ(seconds.size(), 2u);
  EXPECT_EQ(seconds[0].time, at(1));
  EXPECT_EQ(seconds[0].counts.calls, 2u);
  EXPECT_EQ(seconds[0].counts.errors, 1u);
  EXPECT_EQ(seconds[0].counts.bytes, 15u);
  EXPECT_EQ(seconds[0].running, 3);
  EXPECT_EQ(seconds[0].queued, 4);
  EXPECT_EQ(seconds[1].counts.calls, 0u);
  EXPECT_EQ(series.latest(1).calls, 0u);
  EXPECT_EQ(series.latest(60).calls, 2u);
}

TEST(Series, PercentilesAreRightToAQuarter) {
  Series series;
  for (int i = 1; i <= 1000; ++i) series.count(i, false, 0);
  series.sample(at(1), 0, 0);
  const LoadCounts counts = series.latest(1);
  for (const auto& [part, exact] : {std::pair{0.5, 500.0}, {0.95, 950.0}, {0.99, 990.0}}) {
    EXPECT_GE(counts.percentile(part), exact) << part;
    EXPECT_LE(counts.percentile(part), exact * 1.25) << part;
  }
  EXPECT_EQ(LoadCounts().percentile(0.5), 0);
  series.count(1e12, false, 0);
  series.count(-1, false, 0);
  series.sample(at(2), 0, 0);
  EXPECT_EQ(series.latest(1).calls, 2u) << "no value is out of bounds";
}

TEST(Series, TenSecondsAreOneSampleOfTheLongRange) {
  Series series;
  for (int second = 1; second <= 25; ++second) {
    series.count(1, second % 2 == 0, 1);
    series.sample(at(second), second, 0);
  }
  const auto tens = series.tens();
  ASSERT_EQ(tens.size(), 2u) << "the third has not ended";
  EXPECT_EQ(tens[0].time, at(10));
  EXPECT_EQ(tens[0].counts.calls, 10u);
  EXPECT_EQ(tens[0].counts.errors, 5u);
  EXPECT_EQ(tens[0].running, 10) << "the most of its seconds";
  EXPECT_EQ(tens[1].counts.calls, 10u);
}

TEST(Series, IsBounded) {
  Series series;
  for (int second = 0; second < 4000; ++second) series.sample(at(second), 0, 0);
  EXPECT_EQ(series.seconds().size(), Series::kSeconds);
  EXPECT_EQ(series.tens().size(), Series::kTens);
  EXPECT_EQ(series.seconds().back().time, at(3999));
}

}  // namespace
}  // namespace gantry::host::series_test
