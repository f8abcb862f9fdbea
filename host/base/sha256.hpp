// host/base/sha256.hpp: SHA-256 as bytes and as text. Pure functions; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "host/base/text.hpp"

namespace gantry::host {

using Sha256 = std::array<unsigned char, 32>;

Sha256 sha256(std::string_view bytes);
// Lower-case hex.
std::string sha256_hex(std::string_view bytes);
// The form that sha256_hex() gives.
inline bool is_sha256_hex(std::string_view text) {
  return text.size() == 2 * sizeof(Sha256) && is_lower_hex(text);
}

// Takes the same time for all digests: for those of secrets.
bool same_digest(const Sha256& a, const Sha256& b);

}  // namespace gantry::host
