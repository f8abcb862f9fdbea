#include "host/auth/seal.hpp"

#include <cstdint>
#include <utility>

#include <openssl/crypto.h>

#include "host/auth/sealed_text.hpp"

namespace gantry::host {
namespace {

Clock::Instant later(Clock::Instant now, Clock::Duration lifetime) {
  const bool too_far = lifetime > Clock::Duration::zero() && lifetime > Clock::Instant::max() - now;
  return too_far ? Clock::Instant::max() : now + lifetime;
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
    : Sealer(clock, random_key(), max_remembered) {}

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
  auto text = seal_text(key_, binding,
                        static_cast<std::uint64_t>(expiry.time_since_epoch().count()), payload);
  if (!text) return Status::failed("The state could not be sealed");
  return *std::move(text);
}

Result<std::string> Sealer::open(std::string_view binding, std::string_view text,
                                 std::string_view owner) {
  if (text.size() > kMaxText) {
    return Status(GANTRY_TOO_BIG, "A state is at most " + std::to_string(kMaxText) +
                                      " bytes of text; repeat the request without it to start "
                                      "over");
  }
  auto taken = open_text(key_, binding, text);
  if (!taken) {
    return Status::invalid(
        "This state was not given out by this server for this request, or was changed; repeat the "
        "request without it to start over");
  }
  const Clock::Instant expiry(Clock::Duration(static_cast<Clock::Duration::rep>(taken->time)));
  const UsedStates::Use use = used_.use(taken->nonce, expiry, owner);
  if (use != UsedStates::Use::first) return refusal(use);
  return std::move(taken->payload);
}

std::size_t Sealer::remembered() { return used_.size(); }

}  // namespace gantry::host
