// host/auth/digest.hpp: one digest of several texts.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "host/base/sha256.hpp"

namespace gantry::host {

// SHA-256 as 64 hex digits over `parts`, each with its length: no two different lists of parts
// are the same bytes. For bindings: principal, method, name, arguments.
std::string digest_of(std::initializer_list<std::string_view> parts);

// The first 8 hex digits of the SHA-256 of `text`: names a value to people without showing it.
std::string fingerprint_of(std::string_view text);
std::string fingerprint_of(const Sha256& digest);

// The eight bytes of the number, the highest first.
std::string big_endian(std::uint64_t number);

}  // namespace gantry::host
