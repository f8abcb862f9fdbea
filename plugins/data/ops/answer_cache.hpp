// ops/answer_cache.hpp: keeps answers for requests that ask the same (normalized.hpp) of the same
// rows.
//
// An answer counts for one version of the database, as Store::now() numbers them, and is
// given to requests only whose own look found that version. A request looks first and reads then,
// so what it read is what that version holds, or was committed while any other request that found
// this version was still waiting: what is given was true after the request came.
//
// Bounded in bytes, keys and a share for bookkeeping included; what was longest not asked for goes
// first. Nothing is kept that was asked once, nor an answer that takes more than an eighth of the
// bound. Answers are copied, outside of the lock. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/lru.hpp>

#include "ops/request.hpp"

namespace gantry::data {

class AnswerCache {
  struct OwnKey;

 public:
  // Everything that an answer depends on besides the database: the text of the request, the cap on
  // the answer, and the fingerprint of the caller's rules (empty: a master's). Refers to the
  // texts.
  class Key {
   public:
    Key(std::string_view request, std::size_t max_bytes, std::string_view scope);
    bool operator==(const Key& other) const;

   private:
    friend class AnswerCache;
    explicit Key(const OwnKey& own);
    std::string_view request_, scope_;
    std::size_t max_bytes_;
    std::size_t hash_;
  };
  using Answer = std::shared_ptr<const Reply>;

  explicit AnswerCache(std::size_t most_bytes);  // 0: nothing is kept

  // The answer that counts for this version, or null.
  Answer find(const Key& key, std::uint64_t version);
  // The engine's answer to a request that found this version; kept when it was asked before.
  void offer(const Key& key, std::uint64_t version, const Reply& reply);

  std::size_t bytes() const;    // never more than the bound
  std::uint64_t found() const;  // how many answers find() has given

 private:
  struct Kept {
    std::uint64_t version = 0;
    Answer answer;
    std::size_t bytes = 0;
  };
  struct OwnKey {
    operator Key() const { return Key(*this); }  // NOLINT: for Hash and Equal
    std::string request, scope;
    std::size_t max_bytes, hash;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.hash_; }
  };
  struct Equal {
    bool operator()(const Key& a, const Key& b) const { return a == b; }
  };

  bool is_asked_again(const Key& key, std::uint64_t version);
  void add(const Key& key, Kept one);

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> asked_;  // prints of requests and versions, by the key's hash
  Lru<OwnKey, Kept, Hash, Equal> kept_;
  std::size_t bytes_ = 0;
  std::uint64_t found_ = 0;
};

}  // namespace gantry::data
