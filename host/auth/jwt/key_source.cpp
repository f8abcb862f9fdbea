#include "host/auth/jwt/key_source.hpp"

namespace gantry::host::jwt {

bool KeySource::is_usable() const { return keys_ && (!url_ || clock_.now() - got_ <= kLast); }

bool KeySource::may_fetch() const {
  return url_ && !fetching_ && (!tried_ || clock_.now() - *tried_ >= kRetry);
}

FoundKey KeySource::find(const std::optional<std::string>& kid, Algorithm algorithm, bool& fetch) {
  using Outcome = FoundKey::Outcome;
  fetch = false;
  const bool usable = is_usable();
  if (usable) {
    if (const PublicKey* key = keys_->find(kid, algorithm)) {
      fetch = may_fetch() && clock_.now() - got_ > kFresh;
      return {Outcome::found, keys_, key};
    }
  }
  fetch = may_fetch();
  if (fetch || fetching_) return {Outcome::wait};
  return {usable && !failed_ ? Outcome::unknown : Outcome::unavailable};
}

bool KeySource::take(const Result<std::string>& text, Status& error) {
  fetching_ = false;
  tried_ = clock_.now();
  auto set = text ? KeySet::read(*text) : Result<std::shared_ptr<const KeySet>>(text.status());
  failed_ = !set;
  if (!set) {
    error = set.status();
    return false;
  }
  got_ = clock_.now();
  if (keys_ && text_ == *text) return false;
  keys_ = std::move(*set);
  text_ = *text;
  return true;
}

}  // namespace gantry::host::jwt
