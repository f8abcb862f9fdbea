#include "host/auth/seal.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "host/auth/aead.hpp"
#include "host/auth/base64url.hpp"
#include "host/base/text.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kPrefix = "v1.";
constexpr std::size_t kExpiry = 8;

using Nonce = UsedStates::Nonce;

// A key or nonce that can be guessed is worse than no service.
template <class Bytes>
Bytes random_bytes() {
  Bytes out;
  if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1) std::abort();
  return out;
}

std::string big_endian(std::uint64_t number) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 255);
  return out;
}

std::uint64_t from_big_endian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (const char byte : bytes) out = out << 8 | static_cast<unsigned char>(byte);
  return out;
}

Clock::Instant later(Clock::Instant now, Clock::Duration lifetime) {
  const bool too_far = lifetime > Clock::Duration::zero() && lifetime > Clock::Instant::max() - now;
  return too_far ? Clock::Instant::max() : now + lifetime;
}

// Of any length, so that a binding of any length can be authenticated. The version belongs to it:
// a text of another form never passes as this one.
std::string associated_of(std::string_view binding) { return digest_of({kPrefix, binding}); }

struct Taken {
  Nonce nonce;
  Clock::Instant expiry;
  std::string payload;
};

std::optional<Taken> take(const Sealer::Key& key, std::string_view binding, std::string_view text) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  const auto raw = from_base64url(text.substr(kPrefix.size()));
  Taken out;
  if (!raw || raw->size() < out.nonce.size() + kExpiry + aead::kTag) return std::nullopt;
  std::copy_n(raw->begin(), out.nonce.size(), out.nonce.begin());
  auto plain = aead::decrypt(key, out.nonce, associated_of(binding),
                             std::string_view(*raw).substr(out.nonce.size()));
  if (!plain) return std::nullopt;
  const auto count = static_cast<Clock::Duration::rep>(
      from_big_endian(std::string_view(*plain).substr(0, kExpiry)));
  out.expiry = Clock::Instant(Clock::Duration(count));
  out.payload = plain->substr(kExpiry);
  return out;
}

Status refusal(UsedStates::Use use) {
  switch (use) {
    case UsedStates::Use::again:
      return Status::invalid(
          "This state was used before and is good for one request only; repeat the request without "
          "it to start over");
    case UsedStates::Use::expired:
      return Status::invalid("This state has expired; repeat the request without it to start over");
    case UsedStates::Use::no_room:
      return {GANTRY_BUSY,
              "The server cannot remember more used states at the moment, so this one was not "
              "used; try again later"};
    case UsedStates::Use::no_share:
      return {GANTRY_BUSY,
              "This agent has used so many states that no more of its own can be remembered at the "
              "moment, so this one was not used; try again later"};
    case UsedStates::Use::first:
      break;
  }
  return Status::ok();
}

}  // namespace

Sealer::Sealer(const Clock& clock, std::size_t max_remembered)
    : Sealer(clock, random_bytes<Key>(), max_remembered) {}

Sealer::Sealer(const Clock& clock, const Key& key, std::size_t max_remembered)
    : clock_(clock), key_(key), used_(clock, max_remembered) {}

Sealer::~Sealer() { OPENSSL_cleanse(key_.data(), key_.size()); }

Result<std::string> Sealer::seal(std::string_view binding, std::string_view payload,
                                 Clock::Duration lifetime) const {
  if (payload.size() > kMaxPayload) {
    return Status(GANTRY_TOO_BIG, "A state holds at most " + std::to_string(kMaxPayload) +
                                      " bytes, not " + std::to_string(payload.size()));
  }
  const Clock::Instant expiry = later(clock_.now(), lifetime);
  std::string plain =
      big_endian(static_cast<std::uint64_t>(expiry.time_since_epoch().count())).append(payload);
  const auto nonce = random_bytes<Nonce>();
  const auto sealed = aead::encrypt(key_, nonce, associated_of(binding), plain);
  if (!sealed) return Status::failed("The state could not be sealed");
  std::string raw(nonce.begin(), nonce.end());
  return std::string(kPrefix) + to_base64url(raw.append(*sealed));
}

Result<std::string> Sealer::open(std::string_view binding, std::string_view text,
                                 std::string_view owner) {
  if (text.size() > kMaxText) {
    return Status(GANTRY_TOO_BIG, "A state is at most " + std::to_string(kMaxText) +
                                      " bytes of text; repeat the request without it to start "
                                      "over");
  }
  auto taken = take(key_, binding, text);
  if (!taken) {
    return Status::invalid(
        "This state was not given out by this server for this request, or was changed; repeat the "
        "request without it to start over");
  }
  const UsedStates::Use use = used_.use(taken->nonce, taken->expiry, owner);
  if (use != UsedStates::Use::first) return refusal(use);
  return std::move(taken->payload);
}

std::size_t Sealer::remembered() { return used_.size(); }

std::string digest_of(std::initializer_list<std::string_view> parts) {
  std::string bytes;
  for (const std::string_view part : parts) bytes.append(big_endian(part.size())).append(part);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace gantry::host
