#include "host/auth/digest.hpp"

#include <array>

#include <openssl/sha.h>

#include "host/base/text.hpp"

namespace gantry::host {

namespace {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace

std::string digest_of(std::initializer_list<std::string_view> parts) {
  std::string bytes;
  for (const std::string_view part : parts) bytes.append(big_endian(part.size())).append(part);
  return sha256_hex(bytes);
}

std::string fingerprint_of(std::string_view text) { return sha256_hex(text).substr(0, 8); }

std::string big_endian(std::uint64_t number) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 255);
  return out;
}

}  // namespace gantry::host
