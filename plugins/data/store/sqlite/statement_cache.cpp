#include "store/sqlite/statement_cache.hpp"

#include <iterator>

namespace gantry::data::sqlite {

CachedStatement* StatementCache::take(std::string_view sql) {
  const auto found = by_text_.find(sql);
  if (found == by_text_.end() || found->second->in_use) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  found->second->in_use = true;
  return &*found->second;
}

CachedStatement* StatementCache::add(std::string_view sql, sqlite3_stmt* stmt) {
  entries_.push_front({std::string(sql), stmt, {}, true});
  by_text_.try_emplace(entries_.front().sql, entries_.begin());
  evict();
  return &entries_.front();
}

void StatementCache::evict() {
  for (auto it = entries_.end(); entries_.size() > kCapacity && it != entries_.begin();) {
    const auto entry = std::prev(it);
    if (entry->in_use) {
      it = entry;
      continue;
    }
    const auto found = by_text_.find(entry->sql);
    if (found != by_text_.end() && found->second == entry) by_text_.erase(found);
    sqlite3_finalize(entry->stmt);
    it = entries_.erase(entry);
  }
}

void StatementCache::clear() {
  by_text_.clear();
  for (auto& entry : entries_) sqlite3_finalize(entry.stmt);
  entries_.clear();
}

}  // namespace gantry::data::sqlite
