#include "host/plugin/claims.hpp"

namespace gantry::host {
namespace {

bool overrides(const Claimant& claimant, const Claimant& owner) {
  return owner.builtin && !claimant.builtin && claimant.may_override;
}

std::string taken(const Claimant& claimant, const ItemSpec& item, const Claimant& owner) {
  std::string text = "it offers the " + item.kind + " \"" + item.key() + "\", which the " +
                     (owner.builtin ? "built-in plugin \"" : "plugin \"") + owner.plugin +
                     "\" already offers; rename it";
  if (owner.builtin && !claimant.builtin) {
    text +=
        ", or list \"" + claimant.plugin + "\" under overrides to let it replace the built-in one";
  } else {
    text += " or remove one of the two plugins";
  }
  return text;
}

}  // namespace

std::optional<std::string> Claims::claim(const Claimant& claimant,
                                         const std::vector<ItemSpec>& items) {
  for (const ItemSpec& item : items) {
    const auto owned = owners_.find({item.kind, item.key()});
    if (owned == owners_.end() || owned->second.plugin == claimant.plugin) continue;
    if (!overrides(claimant, owned->second) && !overrides(owned->second, claimant)) {
      return taken(claimant, item, owned->second);
    }
  }
  for (const ItemSpec& item : items) {
    const auto [owned, fresh] = owners_.emplace(std::pair{item.kind, item.key()}, claimant);
    if (!fresh && overrides(claimant, owned->second)) owned->second = claimant;
  }
  return std::nullopt;
}

}  // namespace gantry::host
