#include "host/trust/blake2b.hpp"

#include <gtest/gtest.h>

#include "host/trust/minisign.hpp"

namespace gantry::host::trust {
namespace {

// OpenSSL's own, of 64 bytes, at every length around the borders of blocks.
TEST(Blake2b, AgreesWithOpenSslAtEveryLength) {
  std::string bytes;
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(blake2b(bytes, 64), prehash(bytes)) << i;
    bytes += static_cast<char>(i * 7 + 1);
  }
}

TEST(Blake2b, OfThirtyTwoBytesIsNotTheBeginningOfSixtyFour) {
  const std::string known =
      "\x0e\x57\x51\xc0\x26\xe5\x43\xb2\xe8\xab\x2e\xb0\x60\x99\xda\xa1"
      "\xd1\xe5\xdf\x47\x77\x8f\x77\x87\xfa\xab\x45\xcd\xf1\x2f\xe3\xa8";
  EXPECT_EQ(blake2b("", 32), known);
  EXPECT_NE(blake2b("", 64).substr(0, 32), known);
}

}  // namespace
}  // namespace gantry::host::trust
