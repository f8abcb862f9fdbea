#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "values/iso_date.hpp"
#include "values/json_appender.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

std::string iso(std::int64_t ms) {
  std::string out;
  append_iso_date(ms, out);
  return out;
}

std::string string_of(std::string_view text) {
  std::string out;
  return append_json_string(text, out) ? out : "invalid" + out;
}

std::string double_of(double value) {
  std::string out;
  append_json_double(value, out);
  return out;
}

TEST(IsoDate, ReadsEveryAcceptedForm) {
  EXPECT_EQ(parse_iso_date("1970-01-01"), 0);
  EXPECT_EQ(parse_iso_date("1970-01-01T00:01"), 60'000);
  EXPECT_EQ(parse_iso_date("1970-01-01 00:00:01"), 1000);
  EXPECT_EQ(parse_iso_date("1970-01-01T00:00:00.123456Z"), 123);
  EXPECT_EQ(parse_iso_date("1970-01-01T02:00:00+02:00"), 0);
  EXPECT_EQ(parse_iso_date("1970-01-01T00:00:00-0130"), 5'400'000);
  EXPECT_EQ(parse_iso_date("1969-12-31T23:59:59.999Z"), -1);
}

TEST(IsoDate, RefusesTextsThatOnlyLookLikeADate) {
  for (const char* text : {"", "2026", "2026-13-01", "2026-02-29", "2026-1-1", "2026-01-01T",
                           "2026-01-01T24:00", "2026-01-01T10:60", "2026-01-01T10:00:00.",
                           "2026-01-01T10:00Zx", "2026-01-01x10:00", "2026-01-01T10:00+2"}) {
    EXPECT_FALSE(parse_iso_date(text)) << text;
  }
}

TEST(IsoDate, WritesTheTextThatItRead) {
  for (const char* text :
       {"0000-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2000-02-29T12:34:56.789Z",
        "2026-11-21T20:00:00.000Z", "9999-12-31T23:59:59.999Z"}) {
    const auto ms = parse_iso_date(text);
    ASSERT_TRUE(ms) << text;
    EXPECT_TRUE(fits_iso_date(*ms));
    EXPECT_EQ(iso(*ms), text);
  }
  EXPECT_FALSE(fits_iso_date(*parse_iso_date("9999-12-31T23:59:59.999Z") + 1));
}

TEST(JsonText, EscapesQuotesBackslashesAndControls) {
  EXPECT_EQ(string_of("plain"), "\"plain\"");
  EXPECT_EQ(string_of("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\t\u0001")");
  EXPECT_EQ(string_of(std::string_view("a\0b", 3)), R"("a\u0000b")");
  EXPECT_EQ(string_of("grün 🙂 long enough for words"), "\"grün 🙂 long enough for words\"");
}

TEST(JsonText, EveryByteAtEveryPositionIsEscapedOrPlain) {
  for (int byte = 0; byte < 0x80; ++byte) {
    for (std::size_t at = 0; at < 17; ++at) {
      std::string text(17, 'x');
      text[at] = static_cast<char>(byte);
      const std::string json = string_of(text);
      EXPECT_EQ(json_shape(json), JsonShape::scalar) << byte << " at " << at;
      const bool plain = byte >= 0x20 && byte != '"' && byte != '\\';
      EXPECT_EQ(json.size() == text.size() + 2, plain) << byte << " at " << at;
    }
  }
}

TEST(JsonText, RefusesInvalidUtf8AndAppendsNothing) {
  for (const char* bad : {"\xff", "abc\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_EQ(string_of(bad), "invalid");
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(JsonText, DoublesStayDoublesAndReadBack) {
  EXPECT_EQ(double_of(1), "1.0");
  EXPECT_EQ(double_of(-0.0), "-0.0");
  EXPECT_EQ(double_of(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(double_of(1e22), "1e+22");
  EXPECT_EQ(double_of(std::numeric_limits<double>::infinity()), "\"Infinity\"");
  EXPECT_EQ(double_of(-std::numeric_limits<double>::infinity()), "\"-Infinity\"");
  EXPECT_EQ(double_of(std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
}

// The shortest text according to the standard library.
std::string shortest(double value) {
  char text[64];
  std::string json(text, std::to_chars(text, text + sizeof text, value).ptr);
  return json.find_first_of(".e") == std::string::npos ? json + ".0" : json;
}

TEST(JsonText, DoublesAreTheShortestTextThatReadsBack) {
  std::vector<double> values;
  for (double power = 1e-9; power < 1e18; power *= 10) {
    for (const double times : {1.0, 1.5, 9.0, 9.999, 1.2345678901234567}) {
      values.push_back(power * times);
    }
  }
  std::mt19937_64 random(20261123);
  for (int i = 0; i < 20'000; ++i) {
    const auto digits = static_cast<std::int64_t>(random() >> (random() % 64) >> 1);
    for (const double decimals : {1.0, 10.0, 100.0, 1000.0, 10'000.0, 8.0, 3.0}) {
      values.push_back(static_cast<double>(digits) / decimals);
    }
  }
  for (int i = 0; i < 2000; ++i) values.push_back(i * 0.001), values.push_back(i * 5000.0);
  for (const double value : values) {
    for (const double each : {value, -value, std::nextafter(value, 0.0)}) {
      ASSERT_EQ(double_of(each), shortest(each));
    }
  }
}

TEST(JsonAppender, PiecesOfAnySizeStandInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string given = "before", expected = given;
    JsonAppender json(given);
    for (int i = 0; i < 40; ++i) {
      // Sizes around which a piece exceeds the free space, or the whole buffer.
      std::string text(random() % 8 == 0 ? 505 + random() % 20 : random() % 40, 'x');
      if (!text.empty() && random() % 6 == 0)
        text[random() % text.size()] = "\n\"\\\xff"[random() % 4];
      const auto number = static_cast<std::int64_t>(random()) - (1 << 30);
      switch (random() % 6) {
        case 0:
          json.put(text), expected += text;
          break;
        case 1:
          json.put('{'), expected += '{';
          break;
        case 2:
          EXPECT_EQ(json.string(text), append_json_string(text, expected));
          break;
        case 3:
          json.integer(number), append_json_integer(number, expected);
          break;
        case 4:
          json.iso_date(number), append_iso_date(number, expected);
          break;
        default:
          json.real(static_cast<double>(number) / 7);
          append_json_double(static_cast<double>(number) / 7, expected);
      }
      ASSERT_EQ(json.size(), expected.size());
      if (random() % 10 == 0) json.text() += "own", expected += "own";
    }
    json.flush();
    ASSERT_EQ(given, expected);
  }
}

TEST(JsonText, KnowsJsonFromOtherText) {
  EXPECT_EQ(json_shape(" {\"a\":1} "), JsonShape::object);
  EXPECT_EQ(json_shape("[1,2]"), JsonShape::array);
  EXPECT_EQ(json_shape("12"), JsonShape::scalar);
  EXPECT_EQ(json_shape("{\"a\":1,\"a\":2}"), JsonShape::object);
  EXPECT_EQ(json_shape("[123456789012345678901234567890]"), JsonShape::array);
  for (const char* bad : {"", " ", "{a:1}", "[1,]", "{}x", "[1", "\xEF\xBB\xBF{}", "[\"\xff\"]",
                          "[NaN]", "['a']", "// c\n[]", "[01]", "[1e999]"}) {
    EXPECT_EQ(json_shape(bad), JsonShape::none) << bad;
  }
  EXPECT_EQ(json_shape(std::string_view("[]\0", 3)), JsonShape::none);
  EXPECT_EQ(json_shape(std::string(100'000, '[')), JsonShape::none);
}

TEST(JsonText, VerbatimStaysOnOneLine) {
  std::string out;
  append_json_verbatim("{\n\"a\":\r\n\"b\\n\"}", out);
  EXPECT_EQ(out, "{ \"a\":  \"b\\n\"}");
}

TEST(JsonText, Base64PadsEveryLength) {
  for (const auto& [bytes, text] :
       {std::pair{"", ""}, std::pair{"f", "Zg=="}, std::pair{"fo", "Zm8="},
        std::pair{"foo", "Zm9v"}, std::pair{"\xff\xfe", "//4="}}) {
    std::string out;
    append_base64(bytes, out);
    EXPECT_EQ(out, text);
  }
}

}  // namespace
}  // namespace gantry::data
