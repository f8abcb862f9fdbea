// host/auth/aead.hpp (private): AES-256-GCM over whole messages.
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::host::aead {

using Key = std::array<unsigned char, 32>;
using Nonce = std::array<unsigned char, 12>;
inline constexpr std::size_t kTag = 16;

// Returns the ciphertext followed by the tag, or nothing if OpenSSL fails (out of memory).
// Messages and `associated` are at most 1 GiB.
std::optional<std::string> encrypt(const Key& key, const Nonce& nonce, std::string_view associated,
                                   std::string_view plain);

// Returns the plaintext, or nothing unless encrypt() made `sealed` with the same key, nonce and
// `associated`.
std::optional<std::string> decrypt(const Key& key, const Nonce& nonce, std::string_view associated,
                                   std::string_view sealed);

}  // namespace gantry::host::aead
