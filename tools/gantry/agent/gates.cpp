#include "tools/gantry/agent/gates.hpp"

#include <algorithm>
#include <cstdlib>

#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

bool is_truthy(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return false;
  const std::string word = host::lower(value);
  return word == "1" || word == "true" || word == "yes" || word == "on";
}

}  // namespace

std::vector<OperatorGate> operator_gates() {
  std::vector<OperatorGate> out = {
      {"GANTRY_ALLOW_WRITE_TOOLS", "methods of the tier write"},
      {"GANTRY_ALLOW_SCHEMA_OPS", "methods of the tier admin"},
      {"GANTRY_ALLOW_RAW_CRUD", "with the first: create, update and delete objects"},
      {"GANTRY_ALLOW_RAW_SCHEMA", "with the second: create and delete classes"}};
  for (OperatorGate& gate : out) gate.open = is_truthy(gate.name.c_str());
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
