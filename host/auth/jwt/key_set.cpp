#include "host/auth/jwt/key_set.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include "host/auth/jwt/strict_json.hpp"

namespace gantry::host::jwt {

Result<std::shared_ptr<const KeySet>> KeySet::read(std::string_view text) {
  if (text.size() > kMaxText) return Status::invalid("the key set is larger than 256 KiB");
  rapidjson::Document document;
  if (!read_object(text, document)) {
    return Status::invalid("the key set is no JSON object, is too deep or has a name twice");
  }
  const auto* keys = member_of(document, "keys");
  if (keys == nullptr || !keys->IsArray()) {
    return Status::invalid("the key set has no array \"keys\"");
  }
  if (keys->Size() > kMaxKeys) {
    return Status::invalid("the key set has more than " + std::to_string(kMaxKeys) + " keys");
  }
  auto set = std::make_shared<KeySet>();
  for (const auto& jwk : keys->GetArray()) {
    auto key = read_jwk(jwk);
    if (key) {
      set->keys_.push_back(std::move(*key));
    } else {
      set->skip(key.message());
    }
  }
  set->skip_ambiguous();
  if (set->keys_.empty()) {
    return Status::invalid("the key set has no key that can be used" +
                           (set->skipped_ == 0 ? "" : "; the first: " + set->first_reason_));
  }
  return std::shared_ptr<const KeySet>(std::move(set));
}

void KeySet::skip(std::string reason) {
  if (skipped_++ == 0) first_reason_ = std::move(reason);
}

void KeySet::skip_ambiguous() {
  const auto same = [](const PublicKey& a, const PublicKey& b) {
    return !a.kid.empty() && a.kid == b.kid && a.algorithm == b.algorithm;
  };
  std::vector<bool> twice(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    for (std::size_t j = 0; j < keys_.size(); ++j) {
      if (i != j && same(keys_[i], keys_[j])) twice[i] = true;
    }
  }
  std::size_t at = 0;
  std::erase_if(keys_, [&](const PublicKey&) {
    if (!twice[at++]) return false;
    skip("its kid stands twice in the set");
    return true;
  });
}

const PublicKey* KeySet::find(const std::optional<std::string>& kid, Algorithm algorithm) const {
  const PublicKey* found = nullptr;
  for (const PublicKey& key : keys_) {
    if (key.algorithm != algorithm || (kid && key.kid != *kid)) continue;
    if (found != nullptr) return nullptr;
    found = &key;
  }
  return found;
}

}  // namespace gantry::host::jwt
