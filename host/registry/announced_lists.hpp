// host/registry/announced_lists.hpp: the item lists as last announced to clients.
//
// Keeps copies of the client-visible fields and no reference to a plugin, so it keeps no generation
// alive. One thread at a time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "host/registry/registry.hpp"

namespace gantry::host {

class AnnouncedLists {
 public:
  enum class List { tools, prompts, resources };  // resources: and templates

  // An item that was added, removed or changed.
  struct Difference {
    std::string name;
    Tier tier = Tier::readonly;
    bool operator==(const Difference&) const = default;
  };

  // Takes the current lists as announced. `registry` must outlive this.
  explicit AnnouncedLists(const Registry& registry);

  // Returns the differences between the announced and the published list, and takes the published
  // one as announced. A changed item is listed with its old and its new name and tier if these
  // differ; if only the order changed, all items are listed.
  std::vector<Difference> take(List list);

 private:
  std::vector<ItemSpec> now(List list) const;

  const Registry& registry_;
  std::array<std::vector<ItemSpec>, 3> told_;
};

}  // namespace gantry::host
