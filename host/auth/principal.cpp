#include "host/auth/principal.hpp"

#include <utility>

namespace gantry::host {

PrincipalPtr make_principal(Agent agent, std::string credential, std::string auth_type) {
  agent.principal = std::move(credential);
  auto shared = share(std::move(agent));
  std::string name = shared->principal + "~" + shared->binding;
  return std::make_shared<const Principal>(
      Principal{std::move(shared), std::move(name), std::move(auth_type)});
}

}  // namespace gantry::host
