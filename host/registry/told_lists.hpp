// host/registry/told_lists.hpp: the lists as clients were last told of them.
//
// Keeps what clients see of each item and nothing of the plugins behind it, so that it keeps no
// generation alive. One thread at a time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "host/registry/registry.hpp"

namespace gantry::host {

class ToldLists {
 public:
  enum class List { tools, prompts, resources };  // resources: and templates

  // An item that came, went or changed.
  struct Difference {
    std::string name;
    Tier tier = Tier::readonly;
    bool operator==(const Difference&) const = default;
  };

  // What is published now counts as told. `registry` must outlive this.
  explicit ToldLists(const Registry& registry);

  // What differs between what was told and what is published now, which counts as told from here
  // on. Of a changed item, how it was and how it is where its name or tier differ; all items when
  // only their order differs.
  std::vector<Difference> take(List list);

 private:
  std::vector<ItemSpec> now(List list) const;

  const Registry& registry_;
  std::array<std::vector<ItemSpec>, 3> told_;
};

}  // namespace gantry::host
