#include "ops/answer_cache.hpp"

#include <functional>
#include <iterator>
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

AnswerCache::AnswerCache(std::size_t most_bytes)
    : most_(most_bytes), asked_(most_bytes == 0 ? 0 : kAsked) {}

AnswerCache::Answer AnswerCache::find(const Key& key, std::uint64_t version) {
  if (most_ == 0) return nullptr;
  const std::lock_guard held(mutex_);
  const auto it = by_key_.find(key);
  if (it == by_key_.end() || it->second->version != version) return nullptr;
  entries_.splice(entries_.begin(), entries_, it->second);
  ++found_;
  return it->second->answer;
}

void AnswerCache::offer(const Key& key, std::uint64_t version, const Reply& reply) {
  const std::size_t bytes = key.request_.size() + key.scope_.size() + reply.rows.size() +
                            reply.meta.size() + reply.warnings.size() + reply.class_name.size() +
                            reply.audit_note.size() + kBookkeeping;
  if (bytes > most_ / kLargest || !is_asked_again(key, version)) return;
  Entries one;
  one.push_back({std::string(key.request_), std::string(key.scope_), key, version,
                 std::make_shared<const Reply>(reply), bytes});
  one.front().key.request_ = one.front().request;
  one.front().key.scope_ = one.front().scope;
  add(std::move(one));
}

// A print of another request in the same place makes this one wait for a third time.
bool AnswerCache::is_asked_again(const Key& key, std::uint64_t version) {
  const auto print = static_cast<std::uint32_t>(mixed(key.hash_, version) >> 32);
  const std::lock_guard held(mutex_);
  return std::exchange(asked_[key.hash_ % kAsked], print) == print;
}

void AnswerCache::add(Entries&& one) {
  Entries gone;  // ends after the lock
  const std::lock_guard held(mutex_);
  const auto drop = [&](Entries::iterator entry) {
    bytes_ -= entry->bytes;
    by_key_.erase(entry->key);
    gone.splice(gone.begin(), entries_, entry);
  };
  if (const auto it = by_key_.find(one.front().key); it != by_key_.end()) {
    // A request that found a later version was faster.
    if (it->second->version >= one.front().version) return;
    drop(it->second);
  }
  entries_.splice(entries_.begin(), one);
  by_key_.emplace(entries_.front().key, entries_.begin());
  bytes_ += entries_.front().bytes;
  while (bytes_ > most_) drop(std::prev(entries_.end()));
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
