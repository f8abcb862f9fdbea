#include "host/app/security.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "host/approvals/policy.hpp"
#include "host/http/endpoint/guard.hpp"

namespace gantry::host {
namespace {

// The least number of characters of a key that other machines can try.
constexpr std::size_t kShortestKey = 16;
// The least number of characters of a key that can hardly be guessed.
constexpr std::size_t kUnguessable = 24;

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

Agent environment_profile(std::string name, Tier tier) {
  Agent agent;
  agent.name = std::move(name);
  agent.tier = tier;
  agent.rate_limit = RateLimit{};
  return agent;
}

std::size_t shortest(const std::vector<EnvironmentKey>& keys) {
  std::size_t least = keys.front().key.size();
  for (const auto& each : keys) least = std::min(least, each.key.size());
  return least;
}

// Every profile that a credential of now or of later can lead to, each once by name.
std::map<std::string, AgentPtr> usable(const AgentAccess& access) {
  std::map<std::string, AgentPtr> out;
  const auto table = access.auth().table();
  for (const PrincipalPtr& each : table->principals()) out.emplace(each->agent->name, each->agent);
  if (!table->is_configured()) return out;
  for (const auto& [name, agent] : access.file()->agents) out.emplace(name, agent);
  return out;
}

template <class Matches>
std::string names(const std::map<std::string, AgentPtr>& agents, Matches&& wanted) {
  std::string out;
  for (const auto& [name, agent] : agents) {
    if (!wanted(*agent)) continue;
    if (!out.empty()) out += ' ';
    out += name;
  }
  return out.empty() ? "none" : out;
}

// The keys are enough for a server that listens beyond loopback.
Status check_keys(const Address& address, const std::vector<EnvironmentKey>& keys,
                  const Settings& settings) {
  const std::string where = "listen: " + address.host + " is reachable from other machines and ";
  const auto refuses = [](const EnvironmentKey& each) {
    return each.others == Authenticator::Others::refused;
  };
  if (settings.agents.empty() && std::none_of(keys.begin(), keys.end(), refuses)) {
    return Status::denied(where +
                          "no credential is configured; set GANTRY_API_KEY, give profiles "
                          "with --agents, or listen on 127.0.0.1");
  }
  if (keys.empty() || shortest(keys) >= kShortestKey) return {};
  return Status::denied(where + "a key has fewer than " + std::to_string(kShortestKey) +
                        " characters; give GANTRY_API_KEY and GANTRY_ADMIN_KEY longer ones, or "
                        "listen on 127.0.0.1");
}

}  // namespace

Result<std::vector<EnvironmentKey>> environment_keys() {
  const auto api = key_in("GANTRY_API_KEY"), admins = key_in("GANTRY_ADMIN_KEY");
  if (!api) return api.status();
  if (!admins) return admins.status();
  const std::string &key = *api, &admin = *admins;
  if (!key.empty() && key == admin) {
    return Status::invalid(
        "GANTRY_API_KEY and GANTRY_ADMIN_KEY are the same; an admin needs a key of its own");
  }
  std::vector<EnvironmentKey> out;
  if (!key.empty()) {
    out.push_back(
        {key, environment_profile("api_key", Tier::readonly), Authenticator::Others::refused});
  }
  if (!admin.empty()) {
    out.push_back({admin, environment_profile("admin", Tier::admin), Authenticator::Others::local});
  }
  return out;
}

bool is_reachable(const Address& address, const Settings& settings) {
  const auto& names = settings.http.guard.allowed_hosts;
  return !http::is_loopback(address.host) || !settings.http.public_url.empty() ||
         !std::all_of(names.begin(), names.end(), http::is_loopback);
}

Status check_exposure(const Address& address, const std::vector<EnvironmentKey>& keys,
                      const Settings& settings) {
  if (!is_reachable(address, settings)) return {};
  if (!http::is_loopback(address.host)) {
    if (Status good = check_keys(address, keys, settings); !good) return good;
  }
  const bool has_admin = std::any_of(keys.begin(), keys.end(), [](const EnvironmentKey& each) {
    return each.agent.tier == Tier::admin;
  });
  if (!has_admin || settings.remote_admin) return {};
  return Status::denied(
      "GANTRY_ADMIN_KEY makes an admin, and other machines can come in; unset it, or listen on "
      "127.0.0.1 without http.allowed_hosts and http.public_url, or say \"remote_admin\": true in "
      "the configuration");
}

void log_access_summary(bool reachable, const AgentAccess& access, Log& log) {
  const auto agents = usable(access);
  const auto admin = [&](const Agent& agent) { return reachable && agent.tier == Tier::admin; };
  const std::string remote = names(agents, admin);
  log.write(remote == "none" ? Level::info : Level::warn, "security",
            {{"master", names(agents, std::mem_fn(&Agent::is_master))},
             {"may_write", names(agents, writes_unasked)},
             {"remote_admin", remote}});
  const auto table = access.auth().table();
  if (table->least_key_size() > 0 && table->least_key_size() < kUnguessable) {
    log.write(Level::warn,
              "a key of the environment has fewer than 24 characters and may be "
              "guessed; gantry key create makes better ones");
  }
  if (!table->others() && table->principals().empty() && access.file()->issuers.empty()) {
    log.write(Level::warn,
              "no caller can come in: make a key with gantry key create, or say "
              "--agent NAME for callers from this machine");
  }
}

}  // namespace gantry::host
