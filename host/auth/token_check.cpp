#include "host/auth/token_check.hpp"

#include <algorithm>

namespace gantry::host {

std::vector<std::string> TokenGrant::scopes_for(Tier wanted) const {
  if (wanted > most) return {};
  const std::pair<std::string, Tier>* least = nullptr;
  for (const auto& scope : configured) {
    if (scope.second < wanted) continue;
    if (least == nullptr || scope.second < least->second) least = &scope;
  }
  if (least == nullptr) return {};
  std::vector<std::string> out = scopes;
  if (std::find(out.begin(), out.end(), least->first) == out.end()) out.push_back(least->first);
  return out;
}

}  // namespace gantry::host
