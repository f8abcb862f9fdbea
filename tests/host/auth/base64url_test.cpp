#include "host/auth/base64url.hpp"

#include <set>

#include <gtest/gtest.h>

namespace gantry::host::base64url_test {
namespace {

TEST(Base64url, WritesTheVectorsOfItsStandardWithoutPadding) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff\xfe", "-__-"}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(to_base64url(bytes), text);
    EXPECT_EQ(from_base64url(text), bytes) << text;
  }
}

TEST(Base64url, GivesEveryByteBack) {
  std::string bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes) << length;
    bytes += static_cast<char>(length * 7);
  }
}

TEST(Base64url, RefusesEveryOtherSpelling) {
  for (const std::string_view text : {"Zg==", "Zm8=", "Zh", "Zm9", "Z", "Zm9vY", "Zm+v", "Zm/v",
                                      "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v=",
                                      "Z\x80"
                                      "Av"}) {
    EXPECT_EQ(from_base64url(text), std::nullopt) << text;
  }
  EXPECT_EQ(from_base64url(std::string_view("Zm\0v", 4)), std::nullopt);
}

TEST(Base64url, HasOneSpellingForEachOneByteText) {
  std::set<std::string> seen;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const auto bytes = from_base64url(std::string{static_cast<char>(a), static_cast<char>(b)});
      if (bytes) {
        EXPECT_TRUE(seen.insert(*bytes).second) << a << ' ' << b;
      }
    }
  }
  EXPECT_EQ(seen.size(), 256u);
}

}  // namespace
}  // namespace gantry::host::base64url_test
