#include "host/app/security.hpp"

#include <cstdlib>
#include <string>

#include "host/http/endpoint/guard.hpp"

namespace gantry::host {
namespace {

// The least number of characters of a key that other machines can try.
constexpr std::size_t kShortestKey = 16;

// Empty is unset. Blanks around a key are no part of it, as clients cannot send them; a key of
// nothing but blanks is an operator's mistake and not a server without a key.
Result<std::string> key_in(const char* name) {
  const char* const value = std::getenv(name);
  std::string_view key = value == nullptr ? std::string_view() : value;
  if (key.empty()) return std::string();
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = key.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return Status::invalid(std::string(name) +
                           " is blank; give it a key, or unset it to serve without one");
  }
  return std::string(key.substr(first, key.find_last_not_of(kBlanks) + 1 - first));
}

AgentPtr profile(std::string name, Tier tier) {
  auto agent = std::make_shared<Agent>();
  agent->name = std::move(name);
  agent->tier = tier;
  return agent;
}

template <class Matches>
std::string names(const Authenticator& auth, Matches&& wanted) {
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
  const auto api = key_in("GANTRY_API_KEY"), admins = key_in("GANTRY_ADMIN_KEY");
  if (!api) return api.status();
  if (!admins) return admins.status();
  const std::string &key = *api, &admin = *admins;
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
  if (auth.least_key_size() < kShortestKey) {
    return Status::denied(where + "a key has fewer than " + std::to_string(kShortestKey) +
                          " characters; give GANTRY_API_KEY and GANTRY_ADMIN_KEY longer ones, or "
                          "listen on 127.0.0.1");
  }
  if (auth.has_admin() && !settings.remote_admin) {
    return Status::denied(where +
                          "GANTRY_ADMIN_KEY makes an admin; unset it, listen on 127.0.0.1, or "
                          "say \"remote_admin\": true in the configuration");
  }
  return {};
}

void log_access_summary(const Address& address, const Authenticator& auth, Log& log) {
  const bool remote = auth.has_admin() && !http::is_loopback(address.host);
  const auto admin = [](const Agent& agent) { return agent.tier == Tier::admin; };
  log.write(
      remote ? Level::warn : Level::info, "security",
      {{"master", names(auth, [](const Agent& agent) { return !agent.user; })},
       {"may_write", names(auth, [](const Agent& agent) { return agent.tier > Tier::readonly; })},
       {"remote_admin", names(auth, [&](const Agent& agent) { return remote && admin(agent); })}});
}

}  // namespace gantry::host
