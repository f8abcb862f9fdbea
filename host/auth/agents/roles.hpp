// host/auth/agents/roles.hpp: which roles include which.
//
// Immutable once made; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

class Roles {
 public:
  // By role: the roles that it includes directly.
  using Included = std::map<std::string, std::vector<std::string>, std::less<>>;

  // The most roles that one agent has, with all that they include.
  static constexpr std::size_t kMost = 256;

  Roles() = default;
  // GANTRY_INVALID_ARGUMENT: a role includes itself; the message shows the circle.
  static Result<Roles> make(Included included);

  // `roles` and all that they include, through any number of levels; sorted, each once.
  // GANTRY_INVALID_ARGUMENT: they are more than kMost.
  Result<std::vector<std::string>> expanded(const std::vector<std::string>& roles) const;

 private:
  Included included_;
};

}  // namespace gantry::host
