// host/app/class_lookup.hpp: whether a class exists, for names in agents' profiles.
//
// The host knows no classes: it reads the resource that a plugin offers for each. Blocks for the
// time of one read. Any thread but those of calls.
#pragma once

#include <optional>
#include <string>

#include "host/calls/calls.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {

class ClassLookup {
 public:
  // Both must outlive this.
  ClassLookup(const Registry& registry, Calls& calls) : registry_(registry), calls_(calls) {}

  // Nothing: it cannot be told, because no plugin offers classes or it did not answer.
  std::optional<bool> exists(const std::string& name) const;

 private:
  const Registry& registry_;
  Calls& calls_;
};

}  // namespace gantry::host
