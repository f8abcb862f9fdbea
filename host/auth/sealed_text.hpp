// host/auth/sealed_text.hpp (private): a time and a payload, sealed with a key and bound to a text,
// for clients that carry them.
//
// AES-256-GCM; the text is "v1." and base64url of nonce, sealed time and payload, and tag. Pure
// functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/auth/aead.hpp"

namespace gantry::host {

// From the system's random source. They abort when it has none: a key or nonce that can be guessed
// is worse than no service.
aead::Key random_key();

struct SealedText {
  aead::Nonce nonce{};
  std::uint64_t time = 0;  // in the sealer's unit
  std::string payload;
};

// The text; nothing if OpenSSL fails (out of memory). `binding` is not in the text.
std::optional<std::string> seal_text(const aead::Key& key, std::string_view binding,
                                     std::uint64_t time, std::string_view payload);
// The contents; nothing unless seal_text() made `text` with this key and this binding.
std::optional<SealedText> open_text(const aead::Key& key, std::string_view binding,
                                    std::string_view text);

}  // namespace gantry::host
