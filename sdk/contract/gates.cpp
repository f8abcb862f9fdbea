#include "sdk/contract/gates.hpp"

#include <array>

namespace gantry::contract {
namespace {

constexpr std::array<Gate, 4> kGates{{
    {kWriteTools, "write_tools", "GANTRY_ALLOW_WRITE_TOOLS", "methods of the tier write"},
    {kSchemaOps, "schema_ops", "GANTRY_ALLOW_SCHEMA_OPS", "methods of the tier admin"},
    {kRawCrud, "raw_crud", "GANTRY_ALLOW_RAW_CRUD",
     "with the first: create, update and delete objects"},
    {kRawSchema, "raw_schema", "GANTRY_ALLOW_RAW_SCHEMA",
     "with the second: create and delete classes"},
}};

}  // namespace

std::span<const Gate> all_gates() { return kGates; }

std::optional<GateSet> gate_from(std::string_view word) {
  for (const Gate& gate : kGates) {
    if (gate.word == word) return gate.set;
  }
  return std::nullopt;
}

std::vector<std::string_view> missing_gates(GateSet needed, GateSet open) {
  std::vector<std::string_view> out;
  for (const Gate& gate : kGates) {
    if ((needed & gate.set) != 0 && (open & gate.set) == 0) out.push_back(gate.variable);
  }
  return out;
}

std::string quoted_gates() {
  std::string out;
  for (const Gate& gate : kGates) {
    if (!out.empty()) out += &gate == &kGates.back() ? " or " : ", ";
    out.append("\"").append(gate.word).append("\"");
  }
  return out;
}

}  // namespace gantry::contract
