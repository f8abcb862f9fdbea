// host/auth/keys/key_changes.hpp: makes, rotates and revokes stored API keys.
//
// Each function changes the file of a state directory; running servers read it again. Any thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "host/auth/keys/key_file.hpp"

namespace gantry::host {

// A key that was made. `key` is shown once and kept nowhere.
struct NewKey {
  std::string key;
  StoredKey stored;
};

struct KeyWish {
  std::string agent, note;
  std::optional<std::chrono::seconds> life;  // nothing: until it is revoked
  std::string correlation_id{};              // of all requests with the key; empty: none is bound
};

// All errors are sentences for people. GANTRY_INVALID_ARGUMENT: it is no correlation id.
Result<NewKey> create_key(const std::filesystem::path& file, const KeyWish& wish,
                          std::chrono::sys_seconds now);
// A new key for the same agent, with the same note, correlation id and length of life; the old one
// is good for `overlap` longer, or until its own end. GANTRY_NOT_FOUND: there is no such key.
// GANTRY_INVALID_ARGUMENT: it was rotated before, or has expired.
Result<NewKey> rotate_key(const std::filesystem::path& file, std::string_view id,
                          std::chrono::seconds overlap, std::chrono::sys_seconds now);
// Removes the key. GANTRY_NOT_FOUND: there is no such key.
Status revoke_key(const std::filesystem::path& file, std::string_view id);

// "90d", "24h", "30m", "45s". GANTRY_INVALID_ARGUMENT: another text, 0, or more than 100 years.
Result<std::chrono::seconds> read_duration(std::string_view text);

}  // namespace gantry::host
