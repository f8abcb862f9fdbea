#include "core/plan_tokens.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base64url.hpp"

namespace mutation {
namespace {

constexpr std::size_t kNonce = 12, kTag = 16, kTime = 8;

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;
using Key = std::array<unsigned char, 32>;

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

void check(bool good) {
  if (!good) throw std::runtime_error("the cryptographic library failed");
}

std::string random_bytes(std::size_t count) {
  std::string out(count, '\0');
  check(RAND_bytes(bytes(out), static_cast<int>(count)) == 1);
  return out;
}

// Nonce, ciphertext and tag.
std::string encrypt(const Key& key, std::string_view plain, std::string_view bound_to) {
  const Context context(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  const std::string nonce = random_bytes(kNonce);
  std::string cipher(plain.size(), '\0'), tag(kTag, '\0');
  int size = 0;
  check(context != nullptr && EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr,
                                                 key.data(), bytes(nonce)) == 1);
  check(EVP_EncryptUpdate(context.get(), nullptr, &size, bytes(bound_to),
                          static_cast<int>(bound_to.size())) == 1);
  check(EVP_EncryptUpdate(context.get(), bytes(cipher), &size, bytes(plain),
                          static_cast<int>(plain.size())) == 1);
  check(EVP_EncryptFinal_ex(context.get(), bytes(cipher) + size, &size) == 1);
  check(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTag, tag.data()) == 1);
  return nonce + cipher + tag;
}

// Nothing: it was not sealed with this key, or for something else.
std::optional<std::string> decrypt(const Key& key, std::string_view sealed,
                                   std::string_view bound_to) {
  if (sealed.size() < kNonce + kTag + kTime) return std::nullopt;
  const Context context(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  const std::string_view cipher = sealed.substr(kNonce, sealed.size() - kNonce - kTag);
  std::string tag(sealed.substr(sealed.size() - kTag)), plain(cipher.size(), '\0');
  int size = 0;
  check(context != nullptr && EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr,
                                                 key.data(), bytes(sealed)) == 1);
  check(EVP_DecryptUpdate(context.get(), nullptr, &size, bytes(bound_to),
                          static_cast<int>(bound_to.size())) == 1);
  check(EVP_DecryptUpdate(context.get(), bytes(plain), &size, bytes(cipher),
                          static_cast<int>(cipher.size())) == 1);
  check(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kTag, tag.data()) == 1);
  if (EVP_DecryptFinal_ex(context.get(), bytes(plain) + size, &size) != 1) return std::nullopt;
  return plain;
}

std::string time_bytes(PlanTokens::Clock::time_point when) {
  const auto count = static_cast<std::int64_t>(when.time_since_epoch().count());
  std::string out(kTime, '\0');
  std::memcpy(out.data(), &count, kTime);
  return out;
}

PlanTokens::Clock::time_point time_in(std::string_view text) {
  std::int64_t count = 0;
  std::memcpy(&count, text.data(), kTime);
  return PlanTokens::Clock::time_point(PlanTokens::Clock::duration(count));
}

}  // namespace

PlanTokens::PlanTokens(std::function<Clock::time_point()> now) : now_(std::move(now)) {
  check(RAND_bytes(key_.data(), static_cast<int>(key_.size())) == 1);
}

std::string PlanTokens::seal(std::string_view binding, std::string_view versions) const {
  std::string plain = time_bytes(now_() + kLife);
  return base64url(encrypt(key_, plain.append(versions), binding));
}

gantry::Result<std::string> PlanTokens::open(std::string_view binding, std::string_view token) {
  const auto sealed = from_base64url(token);
  const auto plain = sealed ? decrypt(key_, *sealed, binding) : std::nullopt;
  if (!plain) {
    return gantry::Status::invalid(
        "The plan_token is not of this call: it was made for another agent, tool or other "
        "arguments, was altered, or is from before a restart. Preview again with dry_run");
  }
  const Clock::time_point now = now_(), end = time_in(*plain);
  if (end <= now) {
    return gantry::Status::invalid("The plan_token has expired: preview again with dry_run");
  }
  const std::lock_guard lock(mutex_);
  forget_expired(now);
  if (used_.size() >= kMostUsed) {
    return gantry::Status::invalid("Too many previews were committed just now: try again later");
  }
  if (!used_.emplace(sealed->substr(0, kNonce), end).second) {
    return gantry::Status::invalid(
        "The plan_token was used already; it counts once. Preview again with dry_run");
  }
  return plain->substr(kTime);
}

void PlanTokens::forget_expired(Clock::time_point now) {
  std::erase_if(used_, [now](const auto& each) { return each.second <= now; });
}

}  // namespace mutation
