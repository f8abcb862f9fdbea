// host/trust/minisign.hpp: public keys and signatures in the format of the minisign tool.
//
// A key has 8 bytes of identity and 32 of Ed25519. A signature covers the bytes themselves ("Ed")
// or their BLAKE2b hash of 64 bytes ("ED"), and a second one covers the first and the trusted
// comment. Every error is a sentence that says what to do. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host::trust {

struct PublicKey {
  std::string id;     // 8 bytes
  std::string point;  // 32 bytes
};

struct Signature {
  std::string id;          // of the key, 8 bytes
  bool prehashed = false;  // "ED"
  std::string bytes;       // 64
  std::string trusted_comment;
  std::string global;  // 64: of `bytes` and the trusted comment
};

// 16 hexadecimal digits, as minisign shows them.
std::string id_text(std::string_view id);

// The text of a public key file, or its second line alone: "RWQ…".
Result<PublicKey> parse_public_key(std::string_view text);
// The line "RWQ…" without a line break.
std::string public_key_line(const PublicKey& key);
// The whole file.
std::string public_key_file(const PublicKey& key);

// The text of a .minisig file.
Result<Signature> parse_signature(std::string_view text);

// That `key` made `signature` of exactly these bytes, and its trusted comment. GANTRY_DENIED.
Status verify(const PublicKey& key, const Signature& signature, std::string_view bytes);

// What "ED" signs: BLAKE2b of 64 bytes.
std::string prehash(std::string_view bytes);

}  // namespace gantry::host::trust
