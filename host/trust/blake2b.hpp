// host/trust/blake2b.hpp: BLAKE2b (RFC 7693) without a key, of any length up to 64 bytes.
//
// OpenSSL 3.0 makes it with 64 bytes only, and the check sum of a secret key file has 32. Pure
// function; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::host::trust {

// `size` is 1 to 64.
std::string blake2b(std::string_view bytes, std::size_t size);

}  // namespace gantry::host::trust
