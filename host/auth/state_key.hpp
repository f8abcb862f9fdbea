// host/auth/state_key.hpp: secret keys of a state directory, one for each use: `session-key`,
// `writes-key`.
//
// Servers with one state directory share them. Functions without state; any thread.
#pragma once

#include <filesystem>

#include <gantry/result.hpp>

#include "host/auth/aead.hpp"

namespace gantry::host {

// Reads the key, or makes a random one, with mode 0600. The error names the file: it cannot be read
// or made, or is no key.
Result<aead::Key> read_or_make_key(const std::filesystem::path& file);

}  // namespace gantry::host
