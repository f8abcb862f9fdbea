// tools/gantry/agent/gates.hpp: the operator's gates for writes, environment variables that a
// server must be started with.
//
// Reads the environment; any thread.
#pragma once

#include <string>
#include <vector>

namespace gantry::cli {

struct OperatorGate {
  std::string name, opens;  // the variable, and what it lets through
  bool open = false;
};

// As this environment has them: 1, true, yes and on open a gate.
std::vector<OperatorGate> operator_gates();
bool any_open(const std::vector<OperatorGate>& gates);
// {"GANTRY_ALLOW_…":false,…}
std::string gates_json(const std::vector<OperatorGate>& gates);
std::string gate_table(const std::vector<OperatorGate>& gates);

}  // namespace gantry::cli
