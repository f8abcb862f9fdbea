// host/calls/abilities.hpp: the client capabilities that input requests need, and those of them
// that a call's client did not declare.
//
// Values; any thread.
#pragma once

#include <string>

#include "host/calls/calls.hpp"

namespace gantry::host {

enum class Ability : unsigned {
  form = 1,
  url = 2,
  sample = 4,
  sample_with_tools = 8,
  roots = 16,
  tasks = 32,
};

bool has(const ClientCan& can, Ability ability);

class Lacks {
 public:
  void add(Ability ability) { bits_ |= static_cast<unsigned>(ability); }
  bool any() const { return bits_ != 0; }
  // The missing ones as MCP's ClientCapabilities, e.g. {"sampling":{}}. `can`: those that the
  // client has.
  std::string capabilities(const ClientCan& can) const;
  // For a sentence: "sampling, roots".
  std::string words(const ClientCan& can) const;

 private:
  bool lacks(Ability ability) const { return (bits_ & static_cast<unsigned>(ability)) != 0; }
  std::string elicitation(const ClientCan& can) const;

  unsigned bits_ = 0;
};

}  // namespace gantry::host
