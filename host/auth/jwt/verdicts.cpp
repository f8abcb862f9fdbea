#include "host/auth/jwt/verdicts.hpp"

namespace gantry::host::jwt {

// Generations only grow: a verdict of an older one is neither found nor put.
void Verdicts::follow(std::uint64_t generation) {
  if (generation <= generation_) return;
  generation_ = generation;
  verdicts_.clear();
}

std::shared_ptr<const Principal> Verdicts::find(const Sha256& digest, std::uint64_t generation,
                                                Seconds now) {
  const std::lock_guard lock(mutex_);
  follow(generation);
  const Verdict* const found = verdicts_.find(digest);
  if (found == nullptr) return nullptr;
  if (clock_.now() < found->until && now < found->expires && now >= found->made) {
    return found->principal;
  }
  verdicts_.take(digest);
  return nullptr;
}

void Verdicts::put(const Sha256& digest, std::uint64_t generation, Seconds now, Seconds expires,
                   std::shared_ptr<const Principal> principal) {
  const std::lock_guard lock(mutex_);
  follow(generation);
  if (generation < generation_ || verdicts_.find(digest) != nullptr) return;
  verdicts_.put(digest, {std::move(principal), clock_.now() + kLife, now, expires});
}

std::size_t Verdicts::size() {
  const std::lock_guard lock(mutex_);
  return verdicts_.size();
}

}  // namespace gantry::host::jwt
