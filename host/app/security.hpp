// host/app/security.hpp: accepted credentials, and the start-up log line about them.
#pragma once

#include "host/auth/authenticator.hpp"
#include "host/config/read.hpp"
#include "host/config/settings.hpp"
#include "host/observe/log.hpp"

namespace gantry::host {

// Reads the keys of the environment. GANTRY_API_KEY is a readonly profile; if set, every request
// must bear a key. GANTRY_ADMIN_KEY is an admin profile. Fails if both are equal or one is blank.
Result<Authenticator> authenticator_from_environment();

// Beyond loopback a credential is required, each key has at least 16 characters, and there is no
// admin unless `settings` says so.
Status check_exposure(const Address& address, const Authenticator& auth, const Settings& settings);

// Logs one line that names each profile without an identity of its own, each that may write, and
// each admin profile that can be used from other machines.
void log_access_summary(const Address& address, const Authenticator& auth, Log& log);

}  // namespace gantry::host
