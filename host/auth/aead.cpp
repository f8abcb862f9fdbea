#include "host/auth/aead.hpp"

#include <memory>

#include <openssl/evp.h>

namespace gantry::host::aead {
namespace {

struct Free {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

enum class Way { decrypt = 0, encrypt = 1 };

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// A context that has read key, nonce and `associated`; null when that failed. The nonce has the
// length that GCM has by default.
Context prepared(Way way, const Key& key, const Nonce& nonce, std::string_view associated) {
  Context context(EVP_CIPHER_CTX_new());
  int written = 0;
  if (!context ||
      EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce.data(),
                        static_cast<int>(way)) != 1 ||
      EVP_CipherUpdate(context.get(), nullptr, &written, bytes(associated),
                       static_cast<int>(associated.size())) != 1)
    return nullptr;
  return context;
}

// `in` run through the cipher, without the final block.
std::optional<std::string> passed(EVP_CIPHER_CTX* context, std::string_view in) {
  std::string out(in.size(), '\0');
  int written = 0;
  if (EVP_CipherUpdate(context, bytes(out), &written, bytes(in), static_cast<int>(in.size())) !=
          1 ||
      static_cast<std::size_t>(written) != in.size())
    return std::nullopt;
  return out;
}

// In this mode the end adds nothing; when decrypting it compares the tag.
bool ends_well(EVP_CIPHER_CTX* context) {
  unsigned char none[EVP_MAX_BLOCK_LENGTH];
  int written = 0;
  return EVP_CipherFinal_ex(context, none, &written) == 1 && written == 0;
}

}  // namespace

std::optional<std::string> encrypt(const Key& key, const Nonce& nonce, std::string_view associated,
                                   std::string_view plain) {
  const Context context = prepared(Way::encrypt, key, nonce, associated);
  if (!context) return std::nullopt;
  auto out = passed(context.get(), plain);
  std::array<unsigned char, kTag> tag;
  if (!out || !ends_well(context.get()) ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTag, tag.data()) != 1)
    return std::nullopt;
  return out->append(reinterpret_cast<const char*>(tag.data()), tag.size());
}

std::optional<std::string> decrypt(const Key& key, const Nonce& nonce, std::string_view associated,
                                   std::string_view sealed) {
  if (sealed.size() < kTag) return std::nullopt;
  std::string tag(sealed.substr(sealed.size() - kTag));
  sealed.remove_suffix(kTag);
  const Context context = prepared(Way::decrypt, key, nonce, associated);
  if (!context || EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTag, tag.data()) != 1)
    return std::nullopt;
  auto out = passed(context.get(), sealed);
  if (!out || !ends_well(context.get())) return std::nullopt;
  return out;
}

}  // namespace gantry::host::aead
