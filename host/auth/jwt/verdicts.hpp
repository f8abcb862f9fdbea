// host/auth/jwt/verdicts.hpp (private): remembers tokens that were found good, by the SHA-256 of
// the whole token.
//
// Only good ones: bad tokens would push them out. A verdict is no identity, since a token can be
// written in two ways. Any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include <gantry/lru.hpp>

#include "host/auth/authenticator.hpp"
#include "host/auth/jwt/claims.hpp"
#include "host/base/clock.hpp"
#include "host/base/sha256.hpp"

namespace gantry::host::jwt {

class Verdicts {
 public:
  static constexpr std::size_t kMost = 4096;
  static constexpr std::chrono::seconds kLife{60};

  // `clock` must outlive this.
  explicit Verdicts(const Clock& clock) : clock_(clock) {}

  // The principal of a token that put() got in this generation of keys, less than kLife ago and
  // before it expires; else null. `now` is wall time; where that was set back, nothing is known.
  std::shared_ptr<const Principal> find(const Sha256& digest, std::uint64_t generation,
                                        Seconds now);
  // Remembers a verdict made with the keys of `generation`; the one used longest ago makes room.
  void put(const Sha256& digest, std::uint64_t generation, Seconds now, Seconds expires,
           std::shared_ptr<const Principal> principal);
  std::size_t size();

 private:
  struct Verdict {
    std::shared_ptr<const Principal> principal;
    Clock::Instant until;
    Seconds made, expires;
  };
  struct Hash {
    std::size_t operator()(const Sha256& digest) const {
      std::size_t out;
      std::memcpy(&out, digest.data(), sizeof out);
      return out;
    }
  };

  void follow(std::uint64_t generation);

  const Clock& clock_;
  std::mutex mutex_;
  std::uint64_t generation_ = 0;
  Lru<Sha256, Verdict, Hash> verdicts_{kMost};
};

}  // namespace gantry::host::jwt
