// tools/gantry/key/key_text.hpp: stored keys as text for people and programs. No secret is in them.
//
// Pure functions.
#pragma once

#include <chrono>
#include <string>

#include "host/auth/keys/key_changes.hpp"

namespace gantry::cli {

// {"key":…,"id":…,"agent":…,"created":…,"expires"?:…,"note"?:…,"correlation_id"?:…}
std::string json_of_new(const host::NewKey& made);
// {"keys":[{"id":…,"agent":…,"created":…,"expires"?:…,"last_used"?:…,"note"?:…,"replaced_by"?:…,
//  "correlation_id"?:…}]}
std::string json_of(const host::StoredKeys& keys);
std::string key_table(const host::StoredKeys& keys, std::chrono::sys_seconds now);
// ", good until 2026-11-26 20:00"; empty for a key without an end.
std::string end_of(const host::StoredKey& key);

}  // namespace gantry::cli
