// store/sqlite/statement_cache.hpp: the prepared statements of one connection, found by their text.
//
// Keeps the 64 most recently used. A statement that is in use is never given out twice nor thrown
// away: the same text then gets a second entry.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "values/stored_value.hpp"

namespace gantry::data::sqlite {

struct CachedStatement {
  std::string sql;
  sqlite3_stmt* stmt = nullptr;
  std::vector<StoredValue> row;  // room for the current row
  bool in_use = false;
};

class StatementCache {
 public:
  static constexpr std::size_t kCapacity = 64;

  StatementCache() = default;
  ~StatementCache() { clear(); }
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  // A free statement of this text, marked as used; null when there is none.
  CachedStatement* take(std::string_view sql);
  // Takes over `stmt`, marked as used.
  CachedStatement* add(std::string_view sql, sqlite3_stmt* stmt);
  // Finalizes all; none may be in use.
  void clear();
  std::size_t size() const { return entries_.size(); }

 private:
  void evict();

  std::list<CachedStatement> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<CachedStatement>::iterator> by_text_;
};

}  // namespace gantry::data::sqlite
