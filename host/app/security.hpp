// host/app/security.hpp: accepted credentials, and the start-up log line about them.
#pragma once

#include <vector>

#include "host/app/access.hpp"
#include "host/config/read.hpp"
#include "host/config/settings.hpp"
#include "host/observe/log.hpp"

namespace gantry::host {

// The keys of the environment. GANTRY_API_KEY is a readonly profile; if set, every request must
// bear a credential. GANTRY_ADMIN_KEY is an admin profile. Fails if both are equal or one is blank.
Result<std::vector<EnvironmentKey>> environment_keys();

// Clients of other machines may come in: the address is beyond loopback, or the settings give the
// name under which a proxy is reached (http.allowed_hosts, http.public_url).
bool is_reachable(const Address& address, const Settings& settings);

// Beyond loopback a credential is required, each key of the environment has at least 16 characters,
// and there is no admin of the environment unless `settings` says so; nor behind a proxy.
Status check_exposure(const Address& address, const std::vector<EnvironmentKey>& keys,
                      const Settings& settings);

// Logs one line that names each profile without an identity (a master), each that may write
// without approval, and each admin profile that can be used from other machines; and warns of an
// API key that can be guessed, and of a server that nothing can enter. `reachable`: is_reachable().
void log_access_summary(bool reachable, const AgentAccess& access, Log& log);

}  // namespace gantry::host
