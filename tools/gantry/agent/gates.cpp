#include "tools/gantry/agent/gates.hpp"

#include <algorithm>

#include "host/base/json.hpp"
#include "host/config/gates.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {

std::vector<OperatorGate> operator_gates() {
  const auto open = host::gates_of_environment();
  std::vector<OperatorGate> out;
  for (const auto& gate : contract::all_gates()) {
    out.push_back({std::string(gate.variable), std::string(gate.opens), (open & gate.set) != 0});
  }
  return out;
}

bool any_open(const std::vector<OperatorGate>& gates) {
  return std::any_of(gates.begin(), gates.end(), [](const auto& gate) { return gate.open; });
}

std::string gates_json(const std::vector<OperatorGate>& gates) {
  std::string out = "{";
  for (const auto& gate : gates)
    host::append_json_member(out, gate.name, gate.open ? "true" : "false");
  return out + "}";
}

std::string gate_table(const std::vector<OperatorGate>& gates) {
  std::vector<std::vector<std::string>> rows = {{"GATE", "STATE", "LETS THROUGH"}};
  for (const auto& gate : gates)
    rows.push_back({gate.name, gate.open ? "open" : "closed", gate.opens});
  return table(rows);
}

}  // namespace gantry::cli
