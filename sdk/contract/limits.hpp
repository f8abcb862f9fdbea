// sdk/contract/limits.hpp: the limits that the plugin contract sets (ABI.md), in bytes unless the
// comment names another unit. Constants.
#pragma once

#include <cstddef>

namespace gantry::contract {

inline constexpr std::size_t kMaxServiceId = 63;
// A line of a plugin's log, or of a call's. A longer one is cut.
inline constexpr std::size_t kMaxLogLine = 16U << 10U;
inline constexpr std::size_t kMaxSecret = 64U << 10U;

// Callbacks of on_cancel() that one call may have at a time.
inline constexpr int kMaxCancelCallbacks = 8;

// The limits of an error. A longer code or message loses its middle, longer details are dropped.
inline constexpr std::size_t kMaxErrorCode = 64, kMaxErrorMessage = 2U << 10U;
inline constexpr std::size_t kMaxErrorDetails = 32U << 10U;

// The limits of gantry.input/1: the rounds of a call, and in one round the requests, the bytes of
// their params and answers, and the bytes of the kept state.
inline constexpr int kMaxInputRounds = 8;
inline constexpr std::size_t kMaxInputRequests = 16, kMaxInputBytes = 64U << 10U;
inline constexpr std::size_t kMaxKeptState = 16U << 10U;

// The limit of gantry.events/1.
inline constexpr std::size_t kMaxEventMetadata = 16U << 10U;

}  // namespace gantry::contract
