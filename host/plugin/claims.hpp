// host/plugin/claims.hpp: which plugin owns the name of an item.
//
// The loader asks before it runs a plugin, the registry at every change of an offer. Values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/plugin/instance.hpp"

namespace gantry::host {

struct Claimant {
  std::string plugin;
  bool builtin = false;
  bool may_override = false;  // may take names of built-in plugins

  static Claimant of(const Instance& instance) {
    return {instance.manifest().name, instance.builtin(), instance.settings().may_override};
  }
};

class Claims {
 public:
  // Gives `claimant` all names of `items`, or none: then it returns a sentence that names the owner
  // of the first taken one. Names that one plugin claims twice (an old and a new offer) are its
  // own.
  std::optional<std::string> claim(const Claimant& claimant, const std::vector<ItemSpec>& items);

 private:
  std::map<std::pair<std::string, std::string>, Claimant> owners_;  // by kind and name
};

}  // namespace gantry::host
