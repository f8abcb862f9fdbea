#include "host/worker/output.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/host/auth/fake_clock.hpp"

namespace gantry::host::output_test {
namespace {

using namespace std::chrono_literals;

struct Output : testing::Test {
  FakeClock clock;
  std::vector<std::string> seen;
  OutputLines lines{[this](std::string_view line) { seen.emplace_back(line); }, clock};

  void print(int count) {
    for (int i = 0; i < count; ++i) lines.feed("line\n");
  }
};

TEST_F(Output, IsCutAtLineBreaks) {
  lines.feed("one\ntw");
  lines.feed("o\r\n\nthree");
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two"}));
  lines.end();
  EXPECT_EQ(seen.back(), "three");
  EXPECT_EQ(lines.last(), "three");
}

TEST_F(Output, CutsLongLinesAndSaysByHowMuch) {
  const std::string longest(OutputLines::kLineBytes, 'x');
  lines.feed(longest + "\n" + longest);
  lines.feed("yyy\n");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], longest);
  EXPECT_EQ(seen[1], longest + " [3 more bytes on this line]");
}

TEST_F(Output, DropsLinesBeyondAHundredASecond) {
  print(130);
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_TRUE(lines.owes());
  lines.tick();
  EXPECT_EQ(seen.size(), 100U) << "the second is not over";
  clock.advance(1s);
  lines.tick();
  ASSERT_EQ(seen.size(), 101U);
  EXPECT_EQ(seen.back(),
            "it printed more than 100 lines in a second; 30 lines (120 bytes) are not shown");
  EXPECT_FALSE(lines.owes());
}

TEST_F(Output, GoesOnInTheNextSecond) {
  print(101);
  clock.advance(1s);
  print(101);
  EXPECT_EQ(seen.size(), 201U) << "two hundred lines and one about those dropped";
}

TEST_F(Output, ReportsDroppedLinesAtItsEnd) {
  print(102);
  lines.end();
  EXPECT_EQ(seen.size(), 101U);
}

TEST_F(Output, RemembersTheLastLineEvenWhenItIsDropped) {
  print(100);
  lines.feed("the end\n");
  EXPECT_EQ(lines.last(), "the end");
  lines.feed(std::string(1000, 'z') + "\n");
  EXPECT_EQ(lines.last().size(), 256U);
}

}  // namespace
}  // namespace gantry::host::output_test
