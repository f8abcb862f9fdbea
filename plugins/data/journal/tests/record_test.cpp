// The bytes of a record: exact values, and bytes that are none.
#include "journal/record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gantry::data {
namespace {

WriteHead head() {
  return {"id", 5,  "sales", "u17", "update_object", "c-1", "update", {"orders", "items"},
          3,    "", "w"};
}

Images images() {
  Images all;
  all.effect = Images::Effect::dropped_table;
  all.tables = {{"Orders", "orders", {"id", "blob", "real", "text", "none"}}};
  const StoredRow row{std::numeric_limits<std::int64_t>::max(), Bytes{std::string("\0\xff", 2)},
                      -0.0, std::string("\xc3\x28 no UTF-8, and a \0 NUL", 24), nullptr};
  all.steps.push_back({0, "9223372036854775807", {{"rowid", std::int64_t{-1}}}, row, {}, false});
  all.steps.push_back({0, "k", {{"`a`", std::string("x")}, {"`b`", 2.5}}, {}, row, true});
  all.text = {{"CREATE TABLE orders(id)", "CREATE INDEX i ON orders(id)"}, "a flaw"};
  return all;
}

TEST(WriteRecord, KeepsTheHead) {
  const auto read = read_head(bytes_of(head()));
  ASSERT_TRUE(read);
  EXPECT_EQ(bytes_of(*read), bytes_of(head()));
  EXPECT_EQ(read->classes, head().classes);
  EXPECT_EQ(read->rows, 3U);
  EXPECT_EQ(read->undoes, "w");
}

TEST(WriteRecord, KeepsEveryStoredValueBitForBit) {
  const auto read = read_images(bytes_of(images()));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->steps.size(), 2U);
  const StoredRow then = *images().steps[0].before;
  for (std::size_t i = 0; i < then.size(); ++i) {
    EXPECT_TRUE(is_same((*read->steps[0].before)[i], then[i])) << i;
  }
  EXPECT_TRUE(std::signbit(std::get<double>((*read->steps[0].before)[2])));
  EXPECT_FALSE(read->steps[0].after);
  EXPECT_FALSE(read->steps[1].before);
  EXPECT_TRUE(read->steps[1].by_foreign_key);
  EXPECT_EQ(read->text.statements, images().text.statements);
  EXPECT_EQ(read->effect, Images::Effect::dropped_table);
}

TEST(WriteRecord, DistinguishesValuesThatSqlCallsEqual) {
  EXPECT_FALSE(is_same(std::int64_t{1}, 1.0));
  EXPECT_FALSE(is_same(0.0, -0.0));
  EXPECT_FALSE(is_same(std::string("a"), Bytes{"a"}));
  EXPECT_FALSE(is_same(nullptr, std::string()));
  EXPECT_TRUE(is_same(nullptr, nullptr));
  EXPECT_TRUE(is_same(Bytes{"a"}, Bytes{"a"}));
}

TEST(WriteRecord, IsNotReadFromBytesThatAreCutOrLonger) {
  const std::string whole = bytes_of(images());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_images(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(read_images(whole + "x"));
  const std::string first = bytes_of(head());
  for (std::size_t size = 0; size < first.size(); ++size) {
    EXPECT_FALSE(read_head(first.substr(0, size))) << size;
  }
}

TEST(WriteRecord, IsNotReadIfItsStepsDoNotFitItsTables) {
  Images wrong = images();
  wrong.steps[0].table = 1;
  EXPECT_FALSE(read_images(bytes_of(wrong)));
  wrong = images();
  wrong.steps[0].before->pop_back();
  EXPECT_FALSE(read_images(bytes_of(wrong)));
  wrong = images();
  wrong.tables.clear();
  wrong.steps.clear();
  EXPECT_FALSE(read_images(bytes_of(wrong)));
}

}  // namespace
}  // namespace gantry::data
