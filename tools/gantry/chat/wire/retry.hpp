// tools/gantry/chat/wire/retry.hpp: whether a failed request to a model is sent again, and when.
//
// Pure functions; any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "tools/gantry/chat/wire/wire.hpp"
#include "tools/gantry/host/exchange.hpp"

namespace gantry::cli::chat {

constexpr int kRetries = 2;

struct Failure {
  long status = 0;  // of HTTP; 0: the connection failed or broke off
  HttpHeaders headers{};
  WireError error{};
  bool anthropic = false;
};

// The wait before the next attempt after `attempt` (0 is the first); none: it is final. `now` is in
// seconds since 1970; `jitter` is from 0 (the whole delay) to 1 (three quarters of it).
std::optional<std::chrono::milliseconds> retry_delay(const Failure& failure, int attempt,
                                                     long long now, double jitter);

}  // namespace gantry::cli::chat
