// sdk/contract/gates.hpp: the operator's gates that an item may need (member "gates", ABI.md).
//
// Constants and pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::contract {

// A set of gates; they combine with |.
enum GateSet : unsigned {
  kNoGates = 0,
  kWriteTools = 1,
  kSchemaOps = 2,
  kRawCrud = 4,
  kRawSchema = 8,
};

struct Gate {
  GateSet set;                // this gate alone
  std::string_view word;      // in manifests
  std::string_view variable;  // of the server's environment, which opens it
  std::string_view opens;     // for people
};

// All gates, in the order in which refusals name them.
std::span<const Gate> all_gates();

// The gate of that word; nothing for another text.
std::optional<GateSet> gate_from(std::string_view word);

constexpr GateSet united(GateSet a, GateSet b) {
  return static_cast<GateSet>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

// The variables of the gates in `needed` that are not in `open`.
std::vector<std::string_view> missing_gates(GateSet needed, GateSet open);

// "\"write_tools\", … or \"raw_schema\"": for sentences.
std::string quoted_gates();

}  // namespace gantry::contract
