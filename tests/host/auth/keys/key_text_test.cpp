#include "host/auth/keys/key_text.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gantry::host {
namespace {

TEST(KeyText, HasTheFormThatScannersKnow) {
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) {
    const std::string key = make_key();
    ASSERT_EQ(key.size(), 51u);
    EXPECT_EQ(key.substr(0, 4), "gnt_");
    ASSERT_TRUE(key_id(key));
    EXPECT_EQ(*key_id(key), key.substr(4, 8));
    EXPECT_EQ(key[12], '_');
    EXPECT_TRUE(seen.insert(key).second);
  }
}

TEST(KeyText, RefusesEveryOtherText) {
  const std::string key = make_key();
  for (std::size_t i = 0; i < key.size(); ++i) {
    std::string other = key;
    other[i] = other[i] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(key_id(other)) << i;
  }
  for (const std::string& other : {std::string(), key + "0", key.substr(1), "GNT_" + key.substr(4),
                                   std::string(51, '\0'), " " + key.substr(0, 50)}) {
    EXPECT_FALSE(key_id(other)) << other;
  }
}

// The checksum of a known text, computed with Python's zlib.crc32 and these digits.
TEST(KeyText, HasAChecksumThatOthersCanCompute) {
  EXPECT_TRUE(key_id("gnt_AAAAAAAA_0000000000000000000000000000000003DuCe"));
}

TEST(KeyText, IsStoredAsItsSha256) {
  EXPECT_EQ(key_hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace gantry::host
