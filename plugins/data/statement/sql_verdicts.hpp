// statement/sql_verdicts.hpp: the statements of callers that passed lately.
//
// What a statement means depends on its text and on what its scope shows, so that what is known of
// it counts for one catalog and one scope's fingerprint. Only statements that may run are kept: at
// most 256, of 4 KiB of text or less. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <gantry/lru.hpp>

#include "statement/known_statement.hpp"
#include "view/scope.hpp"

namespace gantry::data {

class SqlVerdicts {
 public:
  static constexpr std::size_t kMostText = std::size_t{4} << 10U;  // that is kept

  // Null: it must be judged.
  KnownStatementPtr find(const Scope& scope, std::string_view sql);
  void keep(const Scope& scope, std::string_view sql, KnownStatementPtr statement);

  // Whether the store's SQL reads the name of a class as a name; `judge` tells, once for each.
  bool is_name(const std::string& name, const std::function<bool()>& judge);

 private:
  std::mutex mutex_;
  CatalogPtr catalog_;                                   // of all that are kept
  Lru<std::string, KnownStatementPtr> statements_{256};  // by fingerprint and text
  Lru<std::string, bool> names_{4096};
};

}  // namespace gantry::data
