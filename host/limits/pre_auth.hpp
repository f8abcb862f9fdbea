// host/limits/pre_auth.hpp: rate limit for unauthenticated clients, per address.
//
// A sliding window of one minute counts the failures of each peer: requests without a valid
// credential. Requests with one are never counted, and pass where their peer is blocked, but that
// few new tokens a second are verified for all blocked peers together. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/clock.hpp"
#include "host/base/text.hpp"

namespace gantry::host {

class PreAuthLimit {
 public:
  // The most peers that are counted apart; it bounds the memory.
  static constexpr std::size_t kMaxPeers = 10'000;
  // Signatures of tokens that are verified for blocked peers in a second: 1 % of a processor.
  static constexpr std::uint32_t kMostSignatures = 100;

  // `clock` must outlive this. `per_minute` 0 = no limit.
  PreAuthLimit(const Clock& clock, std::uint32_t per_minute) : clock_(clock), limit_(per_minute) {}

  // Returns nothing if the peer may try, else the seconds until it may (at least 1).
  std::optional<int> blocked(std::string_view peer);
  // Counts a failure. An IPv6 peer is counted with its whole /64. Beyond kMaxPeers known peers, all
  // others are counted together. Throws std::bad_alloc.
  void count(std::string_view peer);
  // Takes one of this second's signatures for blocked peers; false: all are used.
  bool may_verify();

 private:
  // Failures of the current minute and of the one before, which counts in proportion to its part of
  // the sliding window.
  struct Window {
    std::int64_t minute = 0;
    std::uint32_t before = 0, now = 0;
  };
  Window& window_of(std::string_view peer, std::int64_t minute);
  double weight(const Window& window, double into_minute) const;

  const Clock& clock_;
  const std::uint32_t limit_;
  std::mutex mutex_;
  std::int64_t swept_ = 0;   // the minute of the last search for expired peers
  std::int64_t second_ = 0;  // in which `verified_` signatures were taken
  std::uint32_t verified_ = 0;
  std::unordered_map<std::string, Window, TextHash, std::equal_to<>> peers_;
};

}  // namespace gantry::host
