#include "statement/sql_verdicts.hpp"

#include <utility>

namespace gantry::data {
namespace {

// A fingerprint ends with NUL.
std::string verdict_key(const Scope& scope, std::string_view sql) {
  return scope.fingerprint().append(sql);
}

}  // namespace

KnownStatementPtr SqlVerdicts::find(const Scope& scope, std::string_view sql) {
  if (sql.size() > kMostText) return nullptr;
  const std::string key = verdict_key(scope, sql);
  const std::lock_guard held(mutex_);
  if (catalog_ != scope.catalog()) return nullptr;
  const KnownStatementPtr* const found = statements_.find(key);
  return found == nullptr ? nullptr : *found;
}

void SqlVerdicts::keep(const Scope& scope, std::string_view sql, KnownStatementPtr statement) {
  if (sql.size() > kMostText) return;
  std::string key = verdict_key(scope, sql);
  const std::lock_guard held(mutex_);
  if (catalog_ != scope.catalog()) {
    statements_.clear();
    catalog_ = scope.catalog();
  }
  statements_.put(std::move(key), std::move(statement));
}

bool SqlVerdicts::is_name(const std::string& name, const std::function<bool()>& judge) {
  {
    const std::lock_guard held(mutex_);
    if (const bool* const known = names_.find(name)) return *known;
  }
  const bool verdict = judge();
  const std::lock_guard held(mutex_);
  return names_.put(name, verdict);
}

}  // namespace gantry::data
