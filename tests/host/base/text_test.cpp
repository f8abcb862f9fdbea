#include "host/base/text.hpp"

#include <gtest/gtest.h>

#include "host/base/ids.hpp"

namespace gantry::host::text_test {
namespace {

TEST(Text, TrimsBlanksAndTabsOnly) {
  EXPECT_EQ(trimmed(" \t a b\t "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed("\na"), "\na");
}

TEST(Text, ComparesWithoutCase) {
  EXPECT_TRUE(same_ignoring_case("Content-Type", "content-TYPE"));
  EXPECT_FALSE(same_ignoring_case("a", "ab"));
  EXPECT_FALSE(same_ignoring_case("[", "{"));
}

TEST(Ids, AreLongAndNeverTheSame) {
  const std::string a = random_hex(16), b = random_hex(16);
  EXPECT_EQ(a.size(), 32u);
  EXPECT_NE(a, b);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace gantry::host::text_test
