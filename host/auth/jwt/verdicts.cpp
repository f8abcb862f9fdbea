#include "host/auth/jwt/verdicts.hpp"

#include <openssl/sha.h>

namespace gantry::host::jwt {

TokenDigest digest_of_token(std::string_view token) {
  TokenDigest out;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), out.data());
  return out;
}

// Generations only grow: a verdict of an older one is neither found nor put.
void Verdicts::follow(std::uint64_t generation) {
  if (generation <= generation_) return;
  generation_ = generation;
  index_.clear();
  used_.clear();
}

std::shared_ptr<const Principal> Verdicts::find(const TokenDigest& digest, std::uint64_t generation,
                                                Seconds now) {
  const std::lock_guard lock(mutex_);
  follow(generation);
  const auto found = index_.find(digest);
  if (found == index_.end()) return nullptr;
  const Verdict& verdict = *found->second;
  if (clock_.now() >= verdict.until || now >= verdict.expires || now < verdict.made) {
    used_.erase(found->second);
    index_.erase(found);
    return nullptr;
  }
  used_.splice(used_.begin(), used_, found->second);
  return verdict.principal;
}

void Verdicts::put(const TokenDigest& digest, std::uint64_t generation, Seconds now,
                   Seconds expires, std::shared_ptr<const Principal> principal) {
  const std::lock_guard lock(mutex_);
  follow(generation);
  if (generation < generation_ || index_.contains(digest)) return;
  if (used_.size() >= kMost) {
    index_.erase(used_.back().digest);
    used_.pop_back();
  }
  used_.push_front({digest, std::move(principal), clock_.now() + kLife, now, expires});
  index_.emplace(digest, used_.begin());
}

std::size_t Verdicts::size() {
  const std::lock_guard lock(mutex_);
  return used_.size();
}

}  // namespace gantry::host::jwt
