// core/plan_tokens.hpp: seals what a preview has shown, so that exactly that can be committed.
//
// A token is the versions of the rows that were shown, encrypted with AES-256-GCM under a key of
// this process and bound to the agent, the tool and the arguments. It is good for ten minutes and
// once; it does not outlive the plugin. At most 10,000 used tokens are remembered until they
// expire; while there are as many, no token is taken.
//
// Any thread.
#pragma once

#include <gantry/result.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace mutation {

class PlanTokens {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLife{600};
  static constexpr std::size_t kMostUsed = 10'000;

  // `now`: the time; tests give their own. Throws std::runtime_error without a source of random
  // bytes.
  explicit PlanTokens(std::function<Clock::time_point()> now = Clock::now);

  // A token for a call that `binding` describes: open() takes it with the same text alone.
  std::string seal(std::string_view binding, std::string_view versions) const;

  // The versions of a token, which is used from then on. GANTRY_INVALID_ARGUMENT: it is no token of
  // this call, has expired, or was used.
  gantry::Result<std::string> open(std::string_view binding, std::string_view token);

 private:
  void forget_expired(Clock::time_point now);

  std::function<Clock::time_point()> now_;
  std::array<unsigned char, 32> key_{};
  std::mutex mutex_;                               // of used_
  std::map<std::string, Clock::time_point> used_;  // nonce -> when its token expires
};

}  // namespace mutation
