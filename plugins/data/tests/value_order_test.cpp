// MongoDB's order of values, the hashes that agree with it, and the sizes of values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "values/extended_json.hpp"
#include "values/json_size.hpp"
#include "values/pointer.hpp"
#include "values/utf8.hpp"
#include "values/value.hpp"

namespace gantry::data::value_order_test {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// In MongoDB's order, no two equal.
std::vector<Value> in_order() {
  constexpr std::int64_t kOdd = 9007199254740993;
  const auto object = [](const char* json) { return *read_extended(json); };
  return {Value(),
          Value::null(),
          Value::real(std::nan("")),
          Value::real(-kInfinite),
          Value::int64(INT64_MIN),
          Value::real(-1.5),
          Value::int32(-1),
          Value::int32(0),
          Value::real(5e-324),
          Value::real(0.5),
          Value::int32(1),
          Value::int64(kOdd - 1),
          Value::int64(kOdd),
          Value::real(9007199254740994.0),
          Value::int64(INT64_MAX),
          Value::real(9223372036854775808.0),
          Value::real(kInfinite),
          Value::string(""),
          Value::string(std::string("\0", 1)),
          Value::string("Z"),
          Value::string("a"),
          Value::string("aa"),
          Value::string("é"),
          object("{}"),
          object(R"({"a":null})"),
          object(R"({"a":1})"),
          object(R"({"a":1,"b":0})"),
          object(R"({"b":1})"),
          object(R"({"a":""})"),
          object("[]"),
          object("[null]"),
          object("[1]"),
          object("[1,1]"),
          object("[2]"),
          Value::bytes(""),
          Value::bytes("\xff"),
          Value::bytes(std::string("\0\0", 2)),
          Value::boolean(false),
          Value::boolean(true),
          Value::date(INT64_MIN),
          Value::date(-1),
          Value::date(0),
          Value::date(INT64_MAX)};
}

TEST(ValueOrder, IsTotalOverAllTypes) {
  const std::vector<Value> values = in_order();
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      const int wanted = i < j ? -1 : (i > j ? 1 : 0);
      const int order = compare(values[i], values[j]);
      EXPECT_EQ((order > 0) - (order < 0), wanted) << i << " and " << j;
    }
  }
}

TEST(ValueOrder, TakesNumbersByValueWhateverTheirType) {
  EXPECT_EQ(compare(Value::int32(1), Value::real(1)), 0);
  EXPECT_EQ(compare(Value::int64(1), Value::int32(1)), 0);
  EXPECT_EQ(compare(Value::real(-0.0), Value::int32(0)), 0);
  EXPECT_EQ(compare(Value::int64(INT64_MIN), Value::real(-9223372036854775808.0)), 0);
  EXPECT_NE(compare(Value::int64(INT64_MAX), Value::real(9223372036854775808.0)), 0);
  EXPECT_NE(compare(Value::int64(9007199254740993), Value::real(9007199254740992.0)), 0);
}

TEST(ValueHash, IsEqualForEqualValues) {
  const std::pair<Value, Value> equal[] = {
      {Value::int32(7), Value::real(7)},
      {Value::int32(7), Value::int64(7)},
      {Value::real(0.0), Value::real(-0.0)},
      {Value::real(std::nan("")), Value::real(-std::nan("1"))},
      {Value::int64(INT64_MIN), Value::real(-9223372036854775808.0)},
      {*read_extended(R"({"a":[1,2]})"), *read_extended(R"({"a":[1.0,2]})")}};
  for (const auto& [a, b] : equal) {
    EXPECT_EQ(compare(a, b), 0);
    EXPECT_EQ(hash_of(a), hash_of(b));
  }
}

TEST(ValueHash, TellsMostValuesApart) {
  std::set<std::size_t> hashes;
  const std::vector<Value> values = in_order();
  for (const Value& value : values) hashes.insert(hash_of(value));
  EXPECT_GE(hashes.size(), values.size() - 2);
}

TEST(ValueOrder, OfSortingTakesMissingForNull) {
  EXPECT_EQ(compare_sorted(Value(), Value::null()), 0);
  EXPECT_LT(compare(Value(), Value::null()), 0);
  EXPECT_LT(compare_sorted(Value(), Value::int32(0)), 0);
}

TEST(ValueTruth, IsOfNumbersAndBooleansAlone) {
  for (const Value& no : {Value(), Value::null(), Value::boolean(false), Value::int32(0),
                          Value::int64(0), Value::real(-0.0)}) {
    EXPECT_FALSE(no.is_true()) << no.type_name();
  }
  for (const Value& yes : {Value::string(""), Value::array({}), Value::bytes(""), Value::date(0),
                           Value::real(std::nan("")), Value::real(5e-324)}) {
    EXPECT_TRUE(yes.is_true()) << yes.type_name();
  }
}

TEST(ValueSizes, AreThoseOfTheWrittenJsonInEveryDialect) {
  for (const JsonDialect dialect :
       {JsonDialect::extended, JsonDialect::parse, JsonDialect::plain}) {
    for (const Value& value : in_order()) {
      const bool has_text = !value.is_date() || value.integer() == 0 || value.integer() == -1 ||
                            dialect == JsonDialect::extended;
      if (!has_text) continue;
      std::string json;
      append_value_json(value, dialect, json);
      EXPECT_EQ(json_bytes(value, dialect), json.size()) << json;
    }
  }
}

TEST(PlainJson, HasDatesWithoutEmptyFractionsAndBytesAsBase64) {
  const auto plain = [](const Value& value) {
    std::string json;
    append_value_json(value, JsonDialect::plain, json);
    return json;
  };
  EXPECT_EQ(plain(Value::date(0)), R"("1970-01-01T00:00:00Z")");
  EXPECT_EQ(plain(Value::date(-1)), R"("1969-12-31T23:59:59.999Z")");
  EXPECT_EQ(plain(Value::bytes("\xff\xfe")), R"({"$base64":"//4="})");
  EXPECT_EQ(plain(Value::int64(9007199254740993)), "9007199254740993");
  EXPECT_EQ(plain(Value::real(kInfinite)), R"("Infinity")");
  EXPECT_EQ(plain(Value::real(1)), "1.0");
  EXPECT_EQ(plain(Value()), "null");
}

TEST(Pointers, AreEqualToTheirBareIdAndToNothingElse) {
  const Value pointer = pointer_value("Order", Value::string("o1"));
  EXPECT_TRUE(same_or_pointer(pointer, Value::string("o1")));
  EXPECT_TRUE(same_or_pointer(Value::string("o1"), pointer));
  EXPECT_FALSE(same_or_pointer(pointer, Value::string("o2")));
  EXPECT_FALSE(same_or_pointer(pointer, pointer_value("Item", Value::string("o1"))));
  EXPECT_EQ(bare_id(pointer).text(), "o1");
  for (const char* none : {R"({"__type":"Pointer","objectId":"a"})",
                           R"({"__type":"Date","className":"a","objectId":"b"})",
                           R"({"__type":"Pointer","className":1,"objectId":"b"})",
                           R"({"__type":"Pointer","className":"a","objectId":5})",
                           R"({"__type":"Pointer","className":"a","objectId":"b","more":1})"}) {
    EXPECT_TRUE(pointer_id(*read_extended(none)).is_missing()) << none;
  }
}

TEST(Texts, AreCutBetweenCharacters) {
  EXPECT_EQ(clipped("short", 5), "short");
  EXPECT_EQ(clipped("aéé", 4), "aé…");
  EXPECT_EQ(clipped("🙂🙂", 5), "🙂…");
  EXPECT_EQ(excerpt("two\nlines"), "\"two lines\"");
  EXPECT_EQ(excerpt(std::string(41, 'x')), "\"" + std::string(40, 'x') + "…\"");
  EXPECT_EQ(excerpt(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
}

}  // namespace
}  // namespace gantry::data::value_order_test
