// host/calls/abilities.hpp: the client capabilities that input requests need, and those of them
// that a call's client did not declare.
//
// Values; any thread.
#pragma once

#include <string>

#include "host/calls/calls.hpp"

namespace gantry::host {

// One capability of a client; a bit of Lacks.
enum class Ability : unsigned {
  form = 1,               // elicitation by a form
  url = 2,                // elicitation by a page
  sample = 4,             // sampling
  sample_with_tools = 8,  // sampling with tools
  roots = 16,             // roots/list
  tasks = 32,             // calls may become tasks
};

// True if the client declared the capability.
bool has(const ClientCan& can, Ability ability);

// The capabilities that a call needed and its client did not declare.
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
