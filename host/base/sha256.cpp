#include "host/base/sha256.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace gantry::host {

Sha256 sha256(std::string_view bytes) {
  Sha256 out;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data());
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  const Sha256 digest = sha256(bytes);
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

bool same_digest(const Sha256& a, const Sha256& b) {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace gantry::host
