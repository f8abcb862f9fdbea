#include "ops/answer_cache.hpp"

#include <functional>
#include <utility>

namespace gantry::data {
namespace {

// A node of the list and one of the table, the allocator's share, and the shared answer's own.
constexpr std::size_t kBookkeeping = 384;
constexpr std::size_t kLargest = 8;  // an answer takes at most this part of the bound
constexpr std::size_t kAsked = 4096;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
}

}  // namespace

AnswerCache::Key::Key(std::string_view request, std::size_t max_bytes, std::string_view scope)
    : request_(request),
      scope_(scope),
      max_bytes_(max_bytes),
      hash_(mixed(mixed(std::hash<std::string_view>()(request), max_bytes),
                  std::hash<std::string_view>()(scope))) {}

bool AnswerCache::Key::operator==(const Key& other) const {
  return hash_ == other.hash_ && max_bytes_ == other.max_bytes_ && request_ == other.request_ &&
         scope_ == other.scope_;
}

AnswerCache::Key::Key(const OwnKey& own)
    : request_(own.request), scope_(own.scope), max_bytes_(own.max_bytes), hash_(own.hash) {}

AnswerCache::AnswerCache(std::size_t most_bytes)
    : most_(most_bytes), asked_(most_bytes == 0 ? 0 : kAsked) {}

AnswerCache::Answer AnswerCache::find(const Key& key, std::uint64_t version) {
  if (most_ == 0) return nullptr;
  const std::lock_guard held(mutex_);
  const Kept* const kept = kept_.find(key);
  if (kept == nullptr || kept->version != version) return nullptr;
  ++found_;
  return kept->answer;
}

void AnswerCache::offer(const Key& key, std::uint64_t version, const Reply& reply) {
  const std::size_t bytes = key.request_.size() + key.scope_.size() + reply.rows.size() +
                            reply.meta.size() + reply.warnings.size() + reply.class_name.size() +
                            reply.audit_note.size() + kBookkeeping;
  if (bytes > most_ / kLargest || !is_asked_again(key, version)) return;
  add(key, {version, std::make_shared<const Reply>(reply), bytes});
}

// A print of another request in the same place makes this one wait for a third time.
bool AnswerCache::is_asked_again(const Key& key, std::uint64_t version) {
  const auto print = static_cast<std::uint32_t>(mixed(key.hash_, version) >> 32);
  const std::lock_guard held(mutex_);
  return std::exchange(asked_[key.hash_ % kAsked], print) == print;
}

void AnswerCache::add(const Key& key, Kept one) {
  std::vector<Answer> gone;  // released after the lock
  OwnKey own{std::string(key.request_), std::string(key.scope_), key.max_bytes_, key.hash_};
  const std::lock_guard held(mutex_);
  const auto drop = [&](Kept kept) {
    bytes_ -= kept.bytes;
    gone.push_back(std::move(kept.answer));
  };
  if (const Kept* const kept = kept_.find(key)) {
    // A request that found a later version was faster.
    if (kept->version >= one.version) return;
    drop(*kept_.take(key));
  }
  bytes_ += kept_.put(std::move(own), std::move(one)).bytes;
  while (bytes_ > most_) drop(kept_.evict().value);
}

std::size_t AnswerCache::bytes() const {
  const std::lock_guard held(mutex_);
  return bytes_;
}

std::uint64_t AnswerCache::found() const {
  const std::lock_guard held(mutex_);
  return found_;
}

}  // namespace gantry::data
