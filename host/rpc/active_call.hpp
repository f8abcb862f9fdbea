// host/rpc/active_call.hpp: what is open at one moment, for operators.
//
// Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::rpc {

// A call that has not been answered. It has more than twelve members: one for each that is shown.
struct ActiveCall {
  std::uint64_t id = 0;  // of this process
  std::string tool{}, agent{}, user{}, plugin{},
      correlation_id{};  // user, correlation_id: may be empty
  std::uint64_t generation = 0;
  std::chrono::milliseconds running{0};
  // "running", "waiting_for_approval", "waiting_for_input" or "task"
  std::string_view state = "running";
  // The plugin's latest report; total 0: unknown, progress below 0: none.
  double progress = -1, total = 0;
  std::string note{};
};

// A resource whose changes a client hears of.
struct SubscribedResource {
  std::string uri;
  std::chrono::nanoseconds age{0};
};

// A client that hears of changes.
struct ListeningClient {
  std::string principal{}, agent{};
  bool is_session = false;  // legacy era
  std::string session{};    // its whole id; empty: modern era, or the session of a connection
  bool tools = false, prompts = false, resources = false;  // hears of changed lists
  std::vector<SubscribedResource> uris{};
  std::size_t tasks = 0;
};

}  // namespace gantry::host::rpc
