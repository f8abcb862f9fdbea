// Base64, shapes of dates and numbers of JSON: what is read, and what is none.
#include <gtest/gtest.h>

#include "values/base64.hpp"
#include "values/iso_date.hpp"
#include "values/iso_shape.hpp"
#include "values/json_document.hpp"
#include "values/json_text.hpp"

namespace gantry::data::texts_test {
namespace {

TEST(Base64, IsReadWithAndWithoutPadding) {
  for (const auto& [text, bytes] :
       {std::pair{"", ""}, std::pair{"Zg==", "f"}, std::pair{"Zg", "f"}, std::pair{"Zm8=", "fo"},
        std::pair{"Zm9v", "foo"}, std::pair{"//4=", "\xff\xfe"}}) {
    EXPECT_EQ(decode_base64(text), bytes) << text;
  }
  EXPECT_EQ(decode_base64url("__4"), "\xff\xfe");
  for (const char* bad : {"Z", "Zm9vY", "Zg=a", "Z g=", "Zg==\n", "====", "_-", "é"}) {
    EXPECT_FALSE(decode_base64(bad)) << bad;
  }
  EXPECT_FALSE(decode_base64url("//4="));
}

TEST(Base64, OfAllBytesThereAndBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    std::string text;
    append_base64(bytes.substr(0, size), text);
    EXPECT_EQ(decode_base64(text), bytes.substr(0, size)) << size;
  }
}

TEST(IsoShapes, AreTextsWithZerosForDigits) {
  EXPECT_EQ(iso_shape("2026-11-21T20:04:05.123Z"), "0000-00-00T00:00:00.000Z");
  EXPECT_EQ(iso_shape("soon"), "soon");
  EXPECT_EQ(iso_shape(""), "");
}

TEST(IsoShapes, AnInstantIsWrittenInAShapeThatSaysAllOfIt) {
  constexpr std::int64_t kNoon = 1'718'452'800'000;  // 2024-06-15T12:00:00Z
  const std::pair<const char*, const char*> shapes[] = {
      {"0000-00-00T00:00:00Z", "2024-06-15T12:00:00Z"},
      {"0000-00-00 00:00:00", "2024-06-15 12:00:00"},
      {"0000-00-00 00:00", "2024-06-15 12:00"},
      {"0000-00-00T00:00:00.000+00:00", "2024-06-15T12:00:00.000+00:00"},
      {"0000-00-00T00:00:00.000000Z", "2024-06-15T12:00:00.000000Z"},
      {"0000-00-00 00:00:00 +00:00", "2024-06-15 12:00:00 +00:00"}};
  for (const auto& [shape, text] : shapes) {
    EXPECT_EQ(iso_text_of_shape(kNoon, shape), text) << shape;
    EXPECT_EQ(parse_iso_date(text), kNoon) << text;
  }
  EXPECT_FALSE(iso_text_of_shape(kNoon, "0000-00-00")) << "it says less";
  EXPECT_FALSE(iso_text_of_shape(kNoon + 1, "0000-00-00T00:00:00Z"));
  EXPECT_FALSE(iso_text_of_shape(kNoon + 1000, "0000-00-00T00:00Z"));
  EXPECT_EQ(iso_text_of_shape(-86'400'000, "0000-00-00"), "1969-12-31");
  EXPECT_FALSE(iso_text_of_shape(kNoon, "no date"));
  EXPECT_FALSE(iso_text_of_shape(kNoon, ""));
}

TEST(IsoDates, WithoutAnEmptyFractionAreTheShortText) {
  const auto short_text = [](std::int64_t when) {
    std::string text;
    append_short_iso_date(when, text);
    return text;
  };
  EXPECT_EQ(short_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(short_text(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(short_text(100), "1970-01-01T00:00:00.100Z");
}

TEST(JsonNumbers, KeepTheirKindUntilItEnds) {
  EXPECT_EQ(std::get<std::int64_t>(*read_json_number("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(std::get<std::uint64_t>(*read_json_number("9223372036854775808")),
            9223372036854775808U);
  EXPECT_EQ(std::get<double>(*read_json_number("18446744073709551616")), 18446744073709551616.0);
  EXPECT_EQ(std::get<double>(*read_json_number("1.0")), 1);
  EXPECT_EQ(std::get<double>(*read_json_number("1e-999")), 0);
  EXPECT_EQ(std::get<std::int64_t>(*read_json_number("-0")), 0);
  EXPECT_FALSE(read_json_number("1e999"));
  EXPECT_FALSE(read_json_number("-1e999"));
}

TEST(JsonShapes, EndAtTheLevelsThatAreAllowed) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(json_shape(nested(150), kMostStoredLevels), JsonShape::array);
  EXPECT_EQ(json_shape(nested(151), kMostStoredLevels), JsonShape::none);
  EXPECT_EQ(json_shape(nested(151)), JsonShape::array);
  EXPECT_EQ(json_shape("{\"a\":" + nested(150) + "}", kMostStoredLevels), JsonShape::none);
}

TEST(JsonShapes, BeginWithABracketAfterBlanksAndControls) {
  for (const char* yes : {"{", "[", " \t\n[", "\x01{", "{x"}) {
    EXPECT_TRUE(begins_as_json(yes)) << yes;
  }
  for (const char* no : {"", " ", "x{", "\"{\"", "1"}) EXPECT_FALSE(begins_as_json(no)) << no;
}

}  // namespace
}  // namespace gantry::data::texts_test
