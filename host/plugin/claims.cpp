#include "host/plugin/claims.hpp"

namespace gantry::host {
namespace {

bool overrides(const Claimant& who, const Claimant& owner) {
  return owner.builtin && !who.builtin && who.may_override;
}

std::string taken(const Claimant& who, const ItemSpec& item, const Claimant& owner) {
  std::string text = "it offers the " + item.kind + " \"" + item.key() + "\", which the " +
                     (owner.builtin ? "built-in plugin \"" : "plugin \"") + owner.plugin +
                     "\" already offers; rename it";
  if (owner.builtin && !who.builtin) {
    text += ", or list \"" + who.plugin + "\" under overrides to let it replace the built-in one";
  } else {
    text += " or remove one of the two plugins";
  }
  return text;
}

}  // namespace

std::optional<std::string> Claims::claim(const Claimant& who, const std::vector<ItemSpec>& items) {
  for (const ItemSpec& item : items) {
    const auto owned = owners_.find({item.kind, item.key()});
    if (owned == owners_.end() || owned->second.plugin == who.plugin) continue;
    if (!overrides(who, owned->second) && !overrides(owned->second, who)) {
      return taken(who, item, owned->second);
    }
  }
  for (const ItemSpec& item : items) {
    const auto [owned, fresh] = owners_.emplace(std::pair{item.kind, item.key()}, who);
    if (!fresh && overrides(who, owned->second)) owned->second = who;
  }
  return std::nullopt;
}

}  // namespace gantry::host
