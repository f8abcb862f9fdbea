// host/app/writes.hpp: what agents wrote, and taking it back, for operators.
//
// The plugin that offers the service gantry.writes/1 answers. An undo is a call like those of
// agents: it has an audit record. Blocks. Any thread but those of calls.
#pragma once

#include <string>

#include <gantry/result.hpp>

#include "host/calls/calls.hpp"
#include "host/observe/audit.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/admin/operator_methods.hpp"

namespace gantry::host {

class Writes {
 public:
  // All must outlive this.
  Writes(const Registry& registry, Calls& calls, Audit& audit)
      : registry_(registry), calls_(calls), audit_(audit) {}

  // The service's answer. GANTRY_NOT_FOUND: no such write; GANTRY_DENIED: a gate is closed;
  // GANTRY_INVALID_ARGUMENT; GANTRY_FAILED: the data does not allow it, or no plugin offers it.
  Result<std::string> ask(const rpc::WritesRequest& request) const;

 private:
  void record(const Item& service, const rpc::WritesRequest& request, const ItemAnswer* answer,
              std::chrono::steady_clock::duration took) const;

  const Registry& registry_;
  Calls& calls_;
  Audit& audit_;
};

}  // namespace gantry::host
