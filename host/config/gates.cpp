#include "host/config/gates.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "host/base/text.hpp"

namespace gantry::host {
namespace {

bool is_truthy(const char* value) {
  constexpr std::array<std::string_view, 4> kWords = {"1", "true", "yes", "on"};
  return value != nullptr && std::find(kWords.begin(), kWords.end(), lower(value)) != kWords.end();
}

}  // namespace

GateSet gates_of_environment() {
  GateSet open = contract::kNoGates;
  for (const contract::Gate& gate : contract::all_gates()) {
    const std::string variable(gate.variable);
    if (is_truthy(std::getenv(variable.c_str()))) open = contract::united(open, gate.set);
  }
  return open;
}

std::string gate_names(GateSet open) {
  std::string out;
  for (const std::string_view name : contract::missing_gates(open, contract::kNoGates)) {
    out.append(out.empty() ? "" : " ").append(name);
  }
  return out.empty() ? "none" : out;
}

}  // namespace gantry::host
