#include <gantry/schema/nearest.hpp>

#include <array>

#include <gtest/gtest.h>

namespace gantry::schema {
namespace {

using Words = std::vector<std::string_view>;

TEST(EditDistance, CountsInsertionDeletionReplacementAndSwap) {
  EXPECT_EQ(edit_distance("where", "where", 3), 0U);
  EXPECT_EQ(edit_distance("wher", "where", 3), 1U);
  EXPECT_EQ(edit_distance("wheree", "where", 3), 1U);
  EXPECT_EQ(edit_distance("whare", "where", 3), 1U);
  EXPECT_EQ(edit_distance("wehre", "where", 3), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
  EXPECT_EQ(edit_distance("", "ab", 3), 2U);
}

TEST(EditDistance, StopsCountingAboveTheLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3U);
  EXPECT_EQ(edit_distance("a", "abcdefgh", 2), 3U);
}

TEST(EditDistance, RefusesToCompareVeryLongWords) {
  const std::string a(65, 'a');
  const std::string b = a + "b";
  EXPECT_EQ(edit_distance(a, b, 4), 5U);
  EXPECT_EQ(edit_distance(a, a, 4), 0U);
}

TEST(Nearest, FindsTheMisspeltName) {
  const Words names{"class_name", "where", "keys", "limit"};
  EXPECT_EQ(nearest("wher", names), "where");
  EXPECT_EQ(nearest("clas_name", names), "class_name");
  EXPECT_EQ(nearest("limti", names), "limit");
}

TEST(Nearest, IgnoresCaseAndSeparators) {
  EXPECT_EQ(nearest("className", Words{"class", "class_name"}), "class_name");
  EXPECT_EQ(nearest("ORDER-BY", Words{"order", "order_by"}), "order_by");
}

TEST(Nearest, FindsNothingForAnotherWord) {
  const Words names{"class_name", "where", "keys", "limit"};
  EXPECT_EQ(nearest("colour", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("x", Words{"y"}), std::nullopt);
  EXPECT_EQ(nearest("where", Words{}), std::nullopt);
}

TEST(Nearest, PrefersTheFirstOfEquallyNearOnes) {
  EXPECT_EQ(nearest("nane", Words{"name", "lane"}), "name");
}

TEST(Nearest, TakesStringsToo) {
  const std::vector<std::string> names{"ascending", "descending"};
  EXPECT_EQ(nearest("decending", names), "descending");
}

}  // namespace
}  // namespace gantry::schema
