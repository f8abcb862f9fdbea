#include <gtest/gtest.h>

#include <cmath>

#include "values/extended_json.hpp"
#include "values/json_size.hpp"

namespace gantry::data::extended_json_test {
namespace {

Value read(std::string_view json, bool parse_types = false) {
  auto value = read_extended(json, ReadOptions{parse_types});
  EXPECT_TRUE(value) << json;
  return value ? *value : Value();
}

std::string write(const Value& value, JsonDialect dialect = JsonDialect::extended) {
  std::string out;
  append_value_json(value, dialect, out);
  return out;
}

TEST(ExtendedJson, KeepsIntLongAndDoubleApart) {
  EXPECT_EQ(read("1").type_name(), "int");
  EXPECT_EQ(read("2147483648").type_name(), "long");
  EXPECT_EQ(read("1.0").type_name(), "double");
  EXPECT_EQ(read("18446744073709551616").type_name(), "double");
  EXPECT_EQ(read(R"({"$numberInt":"7"})").type_name(), "int");
  EXPECT_EQ(read(R"({"$numberLong":"7"})").type_name(), "long");
  EXPECT_TRUE(std::isnan(read(R"({"$numberDouble":"NaN"})").real()));
}

TEST(ExtendedJson, OfStoredMembersWithOneNameTheFirstCounts) {
  const auto stored = [](const std::string& json) {
    return write(*read_extended(json, {.keep_first_duplicate = true}));
  };
  const std::string twins = R"({"_id":1,"a":{"b":1,"b":2},"_id":2,"c":3})";
  EXPECT_EQ(stored(twins), R"({"_id":1,"a":{"b":1},"c":3})");
  EXPECT_EQ(write(read(twins)), twins);
  std::string many = "{", once = "{";
  for (int i = 0; i < 100; ++i) {
    const std::string member = "\"a rather long name " + std::to_string(i) + "\":";
    many.append(i > 0 ? "," : "").append(member).append("1,").append(member).append("2");
    once.append(i > 0 ? "," : "").append(member).append("1");
  }
  EXPECT_EQ(stored(many + "}"), once + "}");
}

TEST(ExtendedJson, ReadsEveryNumberAsItIsWritten) {
  for (const char* zero : {"0E44", "0e308", "0.0e44", "0e-44", "0.000e300", "0E4", "1e-999"}) {
    EXPECT_EQ(read(zero).type_name(), "double") << zero;
    EXPECT_EQ(read(zero).real(), 0) << zero;
  }
  EXPECT_TRUE(std::signbit(read("-0e300").real()));
  EXPECT_EQ(read("4.9406564584124654e-324").real(), 4.9406564584124654e-324);
  EXPECT_EQ(read("123456789012345678901234567890e-10").real(), 1.2345678901234567e19);
  EXPECT_EQ(read("9007199254740993").integer(), 9007199254740993);
  EXPECT_EQ(read("-9223372036854775808").integer(), INT64_MIN);
  EXPECT_EQ(read("12345678901234567890").real(), 12345678901234567890.0);
  for (const char* none : {"1e999", "-1e400", "01", "1.", "+1", ".5", "1e", "0x1", "1 2"}) {
    EXPECT_FALSE(read_extended(none, ReadOptions{})) << none;
  }
}

TEST(ExtendedJson, ReadsDatesInEveryForm) {
  EXPECT_EQ(read(R"({"$date":"1970-01-01T00:00:01Z"})").integer(), 1000);
  EXPECT_EQ(read(R"({"$date":{"$numberLong":"-1"}})").integer(), -1);
  EXPECT_EQ(read(R"({"__type":"Date","iso":"1970-01-01T00:00:01Z"})", true).integer(), 1000);
  EXPECT_TRUE(read(R"({"__type":"Date","iso":"1970-01-01T00:00:01Z"})").is_object());
}

TEST(ExtendedJson, LeavesObjectsAloneThatOnlyBeginLikeAValue) {
  for (const char* json :
       {R"({"$numberInt":"x"})", R"({"$numberInt":1})", R"({"$date":"soon"})",
        R"({"$numberLong":"1","a":1})", R"({"$binary":{"base64":"AA==","subType":"04"}})"}) {
    EXPECT_TRUE(read(json).is_object()) << json;
  }
}

TEST(ExtendedJson, WritesTheTextThatItRead) {
  for (const char* json :
       {R"({"a":[1,2.5,null,true,"x"],"b":{}})", R"({"$numberLong":"5"})", "5000000000",
        R"({"$numberDouble":"-Infinity"})", R"({"$date":"2026-11-21T20:00:00.000Z"})",
        R"({"$date":{"$numberLong":"-99999999999999"}})",
        R"({"$binary":{"base64":"AAE=","subType":"00"}})", "-0.0"}) {
    EXPECT_EQ(write(read(json)), json);
  }
}

TEST(ExtendedJson, TypedClassesGetPlainLongsAndTaggedDates) {
  EXPECT_EQ(write(Value::int64(5), JsonDialect::parse), "5");
  EXPECT_EQ(write(Value::date(0), JsonDialect::parse),
            R"({"__type":"Date","iso":"1970-01-01T00:00:00.000Z"})");
  EXPECT_EQ(write(Value::bytes("a"), JsonDialect::parse), R"({"__type":"Bytes","base64":"YQ=="})");
}

TEST(ExtendedJson, RefusesInvalidAndTooDeepJson) {
  EXPECT_FALSE(read_extended("{"));
  EXPECT_FALSE(read_extended("1 2"));
  const std::string deep = std::string(201, '[') + std::string(201, ']');
  EXPECT_FALSE(read_extended(deep));
  EXPECT_TRUE(read_extended("\"" + deep + "\""));
}

TEST(JsonBytes, AreThoseThatAreWritten) {
  const std::string long_text = std::string(10'000, '"') + "é\n" + std::string(4'095, 'x') + "🙂";
  Value text = Value::string(long_text);
  const Value values[] = {
      read(R"({"a":[],"b":{},"c":[1,2.5,null,true,"é\u0001\n"],"d":{"$date":0}})"),
      text,
      Value::string("\xff\xfe"),
      Value::bytes("12345"),
      Value::array({Value(), text, Value::int64(7), Value::real(std::nan(""))}),
      ObjectBuilder().add("\xff", Value::int32(1)).add("\"", Value::bytes("")).build(),
  };
  for (const JsonDialect dialect : {JsonDialect::extended, JsonDialect::parse}) {
    for (const Value& value : values) {
      EXPECT_EQ(json_bytes(value, dialect), write(value, dialect).size()) << write(value, dialect);
    }
  }
}

}  // namespace
}  // namespace gantry::data::extended_json_test
