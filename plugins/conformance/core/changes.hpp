// core/changes.hpp: how often each list of the plugin was changed on request.
//
// The lists contain one tool and one prompt whose descriptions say the number, so every change
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
  std::function<gantry::Status()> reoffer;  // makes the host take the lists as they are now
};

inline std::string changed(std::uint64_t times) {
  return "Is there to be changed; it was changed " + std::to_string(times) + " times.";
}

}  // namespace conformance
