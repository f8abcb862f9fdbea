// XChaCha20-Poly1305: its nonces are long enough to be random, however many records there are.
#include "journal/seal.hpp"

#include <sodium.h>

#include <array>
#include <cstdlib>

#include "values/hex.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// A nonce that can be guessed is worse than no service.
void start_library() {
  if (sodium_init() < 0) std::abort();
}

std::string digits_of(std::string_view raw) {
  std::string digits;
  append_hex(raw, digits);
  return digits;
}

}  // namespace

Seal::Seal(std::string_view secret) : key_(crypto_aead_xchacha20poly1305_ietf_KEYBYTES, '\0') {
  start_library();
  if (secret.size() < kLeastSecret) std::abort();
  crypto_generichash(bytes(key_), key_.size(), bytes(secret), secret.size(), nullptr, 0);
}

Seal::~Seal() { sodium_memzero(key_.data(), key_.size()); }

std::string Seal::close(std::string_view binding, std::string_view plain) const {
  std::string sealed(kNonce + plain.size() + kTag, '\0');
  randombytes_buf(sealed.data(), kNonce);
  crypto_aead_xchacha20poly1305_ietf_encrypt(bytes(sealed) + kNonce, nullptr, bytes(plain),
                                             plain.size(), bytes(binding), binding.size(), nullptr,
                                             bytes(sealed), bytes(key_));
  return sealed;
}

std::optional<std::string> Seal::open(std::string_view binding, std::string_view sealed) const {
  if (sealed.size() < kNonce + kTag) return std::nullopt;
  std::string plain(sealed.size() - kNonce - kTag, '\0');
  const int code = crypto_aead_xchacha20poly1305_ietf_decrypt(
      bytes(plain), nullptr, nullptr, bytes(sealed.substr(kNonce)), sealed.size() - kNonce,
      bytes(binding), binding.size(), bytes(sealed), bytes(key_));
  return code == 0 ? std::optional(std::move(plain)) : std::nullopt;
}

std::string name_of(std::string_view text) {
  start_library();
  std::string digest(crypto_generichash_BYTES_MIN, '\0');
  crypto_generichash(bytes(digest), digest.size(), bytes(text), text.size(), nullptr, 0);
  return digits_of(digest);
}

std::string random_record_id() {
  constexpr std::size_t kBytes = 12;
  start_library();
  std::array<char, kBytes> raw{};
  randombytes_buf(raw.data(), raw.size());
  return digits_of({raw.data(), raw.size()});
}

}  // namespace gantry::data
