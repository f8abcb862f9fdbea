#include <gantry/result.hpp>

#include <gtest/gtest.h>

#include <string>

namespace gantry {
namespace {

struct ParseError {
  std::string text;
};

Result<int, ParseError> parse(bool fails) {
  if (fails) return ParseError{"no number"};
  return 7;
}

TEST(Result, HoldsAValueOrAStatus) {
  const Result<int> value = 7;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 7);
  EXPECT_TRUE(value.status());
  const Result<int> failed = Status::invalid("no number");
  EXPECT_FALSE(failed);
  EXPECT_EQ(failed.message(), "no number");
  EXPECT_EQ(failed.error().code(), GANTRY_INVALID_ARGUMENT);
}

TEST(Result, HoldsAnErrorOfAnotherType) {
  EXPECT_EQ(parse(false).value(), 7);
  EXPECT_EQ(parse(true).error().text, "no number");
}

TEST(ResultDeathTest, ReadingTheWrongHalfAborts) {
  EXPECT_DEATH((void)Result<int>(Status::invalid("no number")).value(), "");
  EXPECT_DEATH((void)parse(false).error(), "");
  EXPECT_DEATH((void)Result<int>(Status::ok()), "");
}

}  // namespace
}  // namespace gantry
