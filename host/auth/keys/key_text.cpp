#include "host/auth/keys/key_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include <openssl/rand.h>
#include <boost/crc.hpp>

#include "host/base/sha256.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kKeyPrefix = "gnt_";
constexpr std::size_t kIdSize = 8, kSecretSize = 32, kSumSize = 6;
constexpr std::uint32_t kBase = 62;
constexpr std::size_t kSumAt = kKeyPrefix.size() + kIdSize + 1 + kSecretSize;
constexpr std::size_t kKeySize = kSumAt + kSumSize;
constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Bytes from 248 are left out, so that every digit is equally likely.
void append_random(std::string& out, std::size_t count) {
  const unsigned limit = 256 / kDigits.size() * kDigits.size();
  while (count > 0) {
    std::array<unsigned char, 64> bytes;
    if (RAND_bytes(bytes.data(), bytes.size()) != 1) std::abort();
    for (const unsigned char byte : bytes) {
      if (byte >= limit || count == 0) continue;
      out += kDigits[byte % kDigits.size()];
      --count;
    }
  }
}

std::string checksum(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  std::string out(kSumSize, '0');
  std::uint32_t rest = crc.checksum();
  for (auto digit = out.rbegin(); digit != out.rend(); ++digit) {
    *digit = kDigits[rest % kBase];
    rest /= kBase;
  }
  return out;
}

bool is_base62(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

std::string make_key() {
  std::string key(kKeyPrefix);
  append_random(key, kIdSize);
  key += '_';
  append_random(key, kSecretSize);
  return key + checksum(key);
}

std::optional<std::string_view> key_id(std::string_view text) {
  if (text.size() != kKeySize || !text.starts_with(kKeyPrefix)) return std::nullopt;
  const std::string_view id = text.substr(kKeyPrefix.size(), kIdSize);
  const std::string_view rest = text.substr(kKeyPrefix.size() + kIdSize + 1);
  if (text[kKeyPrefix.size() + kIdSize] != '_' || !is_base62(id) || !is_base62(rest))
    return std::nullopt;
  if (checksum(text.substr(0, kSumAt)) != text.substr(kSumAt)) return std::nullopt;
  return id;
}

std::string key_hash(std::string_view key) { return sha256_hex(key); }

}  // namespace gantry::host
