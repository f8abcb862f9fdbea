// host/auth/keys/key_file.hpp: the stored API keys of a state directory, `keys.json`.
//
// It holds hashes, never keys. Mode 0600; replaced by an atomic rename, so that a reader finds the
// old file or the new one. Changes of several processes come one after the other (a lock beside the
// file). Values and functions without state; any thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::host {

struct StoredKey {
  std::string id;      // public, a part of the key
  std::string sha256;  // of the whole key, 64 hex digits
  std::string agent;   // the profile that it acts as
  std::string note;    // of the operator
  std::chrono::sys_seconds created{};
  std::optional<std::chrono::sys_seconds> expires, last_used;  // last_used: to the minute
  std::string replaced_by;       // rotated: the id of the key that takes its place
  std::string correlation_id{};  // of all its requests, or empty (host/base/correlation_id.hpp)
};
using StoredKeys = std::vector<StoredKey>;

// The file in this state directory.
std::filesystem::path key_file(const std::filesystem::path& state);

// No file is no key. The error names the file: it cannot be read, is no such file, or others than
// its owner may read it.
Result<StoredKeys> read_keys(const std::filesystem::path& file);

// Reads, changes and writes the file while other processes wait. A failed `change` leaves the file
// as it is, and so does one that returns with nothing changed.
Status change_keys(const std::filesystem::path& file,
                   const std::function<Status(StoredKeys&)>& change);

}  // namespace gantry::host
