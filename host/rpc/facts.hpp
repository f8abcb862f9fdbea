// host/rpc/facts.hpp: what the server says of itself.
#pragma once

#include <chrono>
#include <string>

namespace gantry::host::rpc {

// Values; set once before serving.
struct Facts {
  std::string version{};       // of the program
  std::string instructions{};  // for the model; may be empty
  std::chrono::milliseconds discover_ttl{60'000};
  std::chrono::milliseconds list_ttl{5'000};
  bool lists_are_public = false;  // every caller is the same agent
};

// {"name":…,"version":…,"title"?:…} as a peer of `revision` knows it.
std::string server_info(const Facts& facts, std::string_view revision);

}  // namespace gantry::host::rpc
