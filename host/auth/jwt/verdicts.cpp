#include "host/auth/jwt/verdicts.hpp"

namespace gantry::host::jwt {

// Generations only grow: a verdict of an older one is neither found nor put.
void Verdicts::follow(std::uint64_t generation) {
  if (generation <= generation_) return;
  generation_ = generation;
  index_.clear();
  used_.clear();
}

std::shared_ptr<const Principal> Verdicts::find(const Sha256& digest, std::uint64_t generation,
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

void Verdicts::put(const Sha256& digest, std::uint64_t generation, Seconds now, Seconds expires,
                   std::shared_ptr<const Principal> principal) {
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
