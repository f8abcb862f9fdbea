// host/auth/keys/key_text.hpp: the text of an API key.
//
//   gnt_ + public id (8) + _ + secret (32, about 190 bits) + CRC32 of all before (6), in base62
//
// Scanners find such a text in leaks and can tell it from random text without asking a server. A
// double click selects all of it. Pure but for make_key(); any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::host {

// A new key, its id and secret from the system's random source. Aborts when that has none.
std::string make_key();

// The public id of a key; nothing if `text` has not the form of one, or its checksum is wrong.
std::optional<std::string_view> key_id(std::string_view text);

// SHA-256 of a whole key as 64 hex digits. A hash without salt and work is enough for a secret of
// 190 random bits.
std::string key_hash(std::string_view key);

}  // namespace gantry::host
