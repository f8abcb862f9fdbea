// host/auth/jwt/key_set.hpp: the keys of one issuer (a JWK Set), and the key of a token.
//
// Immutable once made; any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "host/auth/jwt/jwk.hpp"

namespace gantry::host::jwt {

class KeySet {
 public:
  static constexpr std::size_t kMaxText = 256u << 10;
  static constexpr std::size_t kMaxKeys = 64;

  // Reads {"keys": […]}. Keys that cannot be used are skipped and counted; also all keys of a kid
  // that several keys of one algorithm have, since it names none. GANTRY_INVALID_ARGUMENT: the text
  // is no such object, is too large, has more than kMaxKeys keys, or none that can be used.
  static Result<std::shared_ptr<const KeySet>> read(std::string_view text);

  // The key of this kid and algorithm; without a kid the only key of the algorithm. Null: there is
  // none, or several fit.
  const PublicKey* find(const std::optional<std::string>& kid, Algorithm algorithm) const;

  std::size_t size() const { return keys_.size(); }
  std::size_t skipped() const { return skipped_; }
  // The reason for which the first key was skipped; empty if none was.
  const std::string& first_reason() const { return first_reason_; }

 private:
  void skip(std::string reason);
  void skip_ambiguous();

  std::vector<PublicKey> keys_;
  std::size_t skipped_ = 0;
  std::string first_reason_;
};

}  // namespace gantry::host::jwt
