// core/changes.hpp: counts the requested changes of each list.
//
// The lists contain one tool and one prompt whose descriptions include the count, so every change
// is visible in the list. Threads: any.
// really is one. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <gantry/status.hpp>

namespace conformance {

struct Changes {
  std::atomic<std::uint64_t> tools = 0, prompts = 0;
  std::function<gantry::Status()> reoffer;  // offers the current lists to the host
};

inline std::string changed(std::uint64_t times) {
  return "Is there to be changed; it was changed " + std::to_string(times) + " times.";
}

}  // namespace conformance
