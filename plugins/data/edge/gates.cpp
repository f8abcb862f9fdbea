#include "edge/gates.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace gantry::data {
namespace {

bool is_open(const char* gate) {
  const char* const value = std::getenv(gate);
  std::string text = value == nullptr ? "" : value;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text == "1" || text == "true" || text == "yes" || text == "on";
}

}  // namespace

EditRights open_gates() {
  return {is_open("GANTRY_ALLOW_WRITE_TOOLS"), is_open("GANTRY_ALLOW_SCHEMA_OPS")};
}

}  // namespace gantry::data
