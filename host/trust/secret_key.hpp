// host/trust/secret_key.hpp: secret keys in the format of the minisign tool, and signing.
//
// A key file holds the key as it is, or encrypted with a password through scrypt. Used by the
// command line only; the host never reads one. Every error is a sentence that says what to do. Any
// thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/trust/minisign.hpp"

namespace gantry::host::trust {

// Wiped when it goes.
struct SecretKey {
  std::string id;     // 8 bytes
  std::string bytes;  // 64: the seed and the public point

  SecretKey() = default;
  SecretKey(SecretKey&&) = default;
  SecretKey& operator=(SecretKey&&) = default;
  ~SecretKey();

  PublicKey public_key() const { return {id, bytes.substr(32)}; }
};

// From the system's random numbers.
Result<SecretKey> make_secret_key();

// The cost of a password: scrypt's limits on operations and memory in bytes, as the file keeps
// them. minisign's own default takes 1 GiB and some seconds.
struct PasswordCost {
  std::uint64_t operations = 1U << 25U;
  std::uint64_t memory = 1U << 30U;
};

// The text of a key file. An empty password: not encrypted.
Result<std::string> secret_key_file(const SecretKey& key, std::string_view password,
                                    PasswordCost cost = {});

// `ask` gives the password; called only for an encrypted key. GANTRY_DENIED: wrong password.
Result<SecretKey> parse_secret_key(std::string_view text, const std::function<std::string()>& ask);

// The text of a .minisig file for these bytes, prehashed. `comment` is the trusted comment: one
// line.
Result<std::string> sign(const SecretKey& key, std::string_view bytes, std::string_view comment);

}  // namespace gantry::host::trust
