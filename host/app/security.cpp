#include "host/app/security.hpp"

#include <cstdlib>
#include <string>

#include "host/http/endpoint/guard.hpp"

namespace gantry::host {
namespace {

// Empty is unset.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

AgentPtr profile(std::string name, Tier tier) {
  auto agent = std::make_shared<Agent>();
  agent->name = std::move(name);
  agent->tier = tier;
  return agent;
}

template <class Wanted>
std::string names(const Authenticator& auth, Wanted&& wanted) {
  std::string out;
  for (const AgentPtr& agent : auth.agents()) {
    if (!wanted(*agent)) continue;
    if (!out.empty()) out += ' ';
    out += agent->name;
  }
  return out.empty() ? "none" : out;
}

}  // namespace

Result<Authenticator> authenticator_from_environment() {
  Authenticator auth;
  const std::string key = variable("GANTRY_API_KEY"), admin = variable("GANTRY_ADMIN_KEY");
  if (!key.empty() && key == admin) {
    return Status::invalid(
        "GANTRY_API_KEY and GANTRY_ADMIN_KEY are the same; an admin needs a key of its own");
  }
  if (!key.empty()) auth.add_key(key, profile("api_key", Tier::readonly));
  if (!admin.empty()) {
    auth.add_key(admin, profile("admin", Tier::admin), Authenticator::Others::local);
  }
  return auth;
}

Status check_exposure(const Address& address, const Authenticator& auth, const Settings& settings) {
  if (http::is_loopback(address.host)) return {};
  const std::string where = "listen: " + address.host + " is reachable from other machines and ";
  if (!auth.is_configured()) {
    return Status::denied(
        where + "no credential is configured; set GANTRY_API_KEY, or listen on 127.0.0.1");
  }
  if (auth.has_admin() && !settings.remote_admin) {
    return Status::denied(where +
                          "GANTRY_ADMIN_KEY makes an admin; unset it, listen on 127.0.0.1, or "
                          "say \"remote_admin\": true in the configuration");
  }
  return {};
}

void say_who_may(const Address& address, const Authenticator& auth, Log& log) {
  const bool remote = auth.has_admin() && !http::is_loopback(address.host);
  const auto admin = [](const Agent& agent) { return agent.tier == Tier::admin; };
  log.write(
      remote ? Level::warn : Level::info, "security",
      {{"master", names(auth, [](const Agent& agent) { return !agent.user; })},
       {"may_write", names(auth, [](const Agent& agent) { return agent.tier > Tier::readonly; })},
       {"remote_admin", names(auth, [&](const Agent& agent) { return remote && admin(agent); })}});
}

}  // namespace gantry::host
