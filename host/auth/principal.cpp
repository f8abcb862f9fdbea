#include "host/auth/principal.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

namespace {

PrincipalPtr principal_of(AgentPtr shared, std::string auth_type,
                          std::shared_ptr<const TokenGrant> token, std::string correlation_id) {
  std::string name = shared->principal + "~" + shared->binding;
  return std::make_shared<const Principal>(Principal{std::move(shared), std::move(name),
                                                     std::move(auth_type), std::move(token),
                                                     std::move(correlation_id)});
}

}  // namespace

PrincipalPtr make_principal(const AgentPtr& profile, std::string credential, std::string auth_type,
                            std::string correlation_id) {
  return principal_of(with_principal(*profile, std::move(credential)), std::move(auth_type),
                      nullptr, std::move(correlation_id));
}

PrincipalPtr make_principal(Agent agent, std::string credential, std::string auth_type,
                            std::shared_ptr<const TokenGrant> token, std::string correlation_id) {
  agent.principal = std::move(credential);
  return principal_of(share(std::move(agent)), std::move(auth_type), std::move(token),
                      std::move(correlation_id));
}

AgentPtr with_profile(const Agent& agent, const Agent& profile) {
  Agent next = profile;
  next.tier = std::min(agent.tier, profile.tier);
  next.user = agent.user;
  next.roles = agent.roles;
  next.tenant_id = agent.tenant_id;
  next.principal = agent.principal;
  AgentPtr shared = share(std::move(next));
  return shared->fingerprint == agent.fingerprint ? nullptr : shared;
}

}  // namespace gantry::host
