// host/app/security.hpp: who may come in with what, and the line that says so.
#pragma once

#include "host/auth/authenticator.hpp"
#include "host/config/read.hpp"
#include "host/config/settings.hpp"
#include "host/observe/log.hpp"

namespace gantry::host {

// The keys of the environment: GANTRY_API_KEY, one readonly profile that everybody needs then;
// GANTRY_ADMIN_KEY, one admin. An error when both are the same or one is blank. Reads the
// environment.
Result<Authenticator> authenticator_from_environment();

// Beyond loopback a credential is required, each key has at least 16 characters, and there is no
// admin unless `settings` says so.
Status check_exposure(const Address& address, const Authenticator& auth, const Settings& settings);

// One line that names each profile without an identity of its own, each that may write, and each
// admin who can come from other machines.
void say_who_may(const Address& address, const Authenticator& auth, Log& log);

}  // namespace gantry::host
