#include "values/value.hpp"

#include <gtest/gtest.h>

#include "errors/query_error.hpp"

namespace gantry::data::value_test {
namespace {

Value object_of(const Value& value) {
  ObjectBuilder object;
  return object.add("a", value).add("b", value).build();
}

TEST(Value, NestsTwoHundredAndFiftyLevelsAndNoMore) {
  Value value = Value::int32(1);
  for (int i = 0; i < 250; ++i) value = Value::array({value});
  EXPECT_THROW(Value::array({value}), QueryError);
  EXPECT_THROW(object_of(value), QueryError);
}

TEST(Value, CountsSharedPartsAsOftenAsTheyAreHeld) {
  Value value = Value::int32(1);
  for (int i = 0; i < 20; ++i) value = object_of(value);
  EXPECT_THROW(for (int i = 0; i < 10; ++i) value = object_of(value), QueryError);
}

TEST(Value, CountsItsPartsAgainAfterAChangeInPlace) {
  Value document = object_of(Value::int32(1));
  const auto nest = [&] {
    const Value before = document;
    Value after = document;
    after.own_members() = {{"a", before}};
    document = after;
  };
  for (int i = 0; i < 200; ++i) nest();
  EXPECT_THROW(for (int i = 0; i < 100; ++i) nest(), QueryError);
}

TEST(Value, ChangedInPlaceLeavesItsCopiesAlone) {
  const Value before = Value::array({Value::int32(1)});
  Value after = before;
  after.own_elements().push_back(Value::int32(2));
  EXPECT_EQ(before.elements().size(), 1U);
  EXPECT_EQ(after.elements().size(), 2U);
}

}  // namespace
}  // namespace gantry::data::value_test
