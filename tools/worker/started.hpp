// tools/worker/started.hpp: nested calls that a plugin has started and that have not ended
// (gantry_invoke_api.start). Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

#include <gantry/abi/invoke.h>

#include "host/worker/wire.hpp"

namespace gantry::worker {

namespace wire = host::worker;

// The plugin's receiver of such a call's answer.
struct Started {
  gantry_answer answer;
  void (*done)(void*, gantry_status);
  void* context;
};

class StartedCalls {
 public:
  // `request`: the id under which the host reports the end.
  void add(std::uint64_t request, Started started);
  // The host has refused the call.
  void drop(std::uint64_t request);
  // The host has sent `nested_done`: the call of the plugin's code that hands the answer over.
  // Empty for a request that is not here.
  std::function<void()> take_answer(const wire::Frame& frame);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Started> started_;
};

// Gives the parts of an answer whose fields come next in `body`.
void give_parts(wire::BodyReader& body, gantry_answer answer);

}  // namespace gantry::worker
