// host/app/class_lookup.hpp: whether a class exists, and whether row filters fit their classes, for
// agents' profiles.
//
// The host knows no classes: it reads the resource that a plugin offers for each, and asks the
// service gantry.access/1 about filters. Blocks for the time of one call. Any thread but those of
// calls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {

class ClassLookup {
 public:
  // Both must outlive this.
  ClassLookup(const Registry& registry, Calls& calls) : registry_(registry), calls_(calls) {}

  // Nothing: it cannot be told, because no plugin offers classes or it did not answer.
  std::optional<bool> exists(const std::string& name) const;

  // The row filters of an agent that do not fit the classes.
  struct Misfits {
    std::vector<std::string> absent;  // classes
    std::vector<std::string> faults;  // "CLASS: sentence"
  };
  // Nothing: it cannot be told, as above.
  std::optional<Misfits> misfits(const AgentPtr& agent) const;

 private:
  const Registry& registry_;
  Calls& calls_;
};

}  // namespace gantry::host
