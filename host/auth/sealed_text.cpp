#include "host/auth/sealed_text.hpp"

#include <algorithm>
#include <cstdlib>

#include <openssl/rand.h>

#include "host/auth/digest.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kPrefix = "v1.";
constexpr std::size_t kTime = 8;

template <class Bytes>
Bytes random_bytes() {
  Bytes out;
  if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1) std::abort();
  return out;
}

std::uint64_t from_big_endian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (const char byte : bytes) out = out << 8 | static_cast<unsigned char>(byte);
  return out;
}

// Of any length, so that a binding of any length can be authenticated. The version belongs to it:
// a text of another form never passes as this one.
std::string associated_of(std::string_view binding) { return digest_of({kPrefix, binding}); }

}  // namespace

aead::Key random_key() { return random_bytes<aead::Key>(); }

std::optional<std::string> seal_text(const aead::Key& key, std::string_view binding,
                                     std::uint64_t time, std::string_view payload) {
  const auto nonce = random_bytes<aead::Nonce>();
  const auto sealed =
      aead::encrypt(key, nonce, associated_of(binding), big_endian(time).append(payload));
  if (!sealed) return std::nullopt;
  std::string raw(nonce.begin(), nonce.end());
  return std::string(kPrefix) + to_base64url(raw.append(*sealed));
}

std::optional<SealedText> open_text(const aead::Key& key, std::string_view binding,
                                    std::string_view text) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  const auto raw = from_base64url(text.substr(kPrefix.size()));
  SealedText out;
  if (!raw || raw->size() < out.nonce.size() + kTime + aead::kTag) return std::nullopt;
  std::copy_n(raw->begin(), out.nonce.size(), out.nonce.begin());
  const auto plain = aead::decrypt(key, out.nonce, associated_of(binding),
                                   std::string_view(*raw).substr(out.nonce.size()));
  if (!plain) return std::nullopt;
  out.time = from_big_endian(std::string_view(*plain).substr(0, kTime));
  out.payload = plain->substr(kTime);
  return out;
}

}  // namespace gantry::host
