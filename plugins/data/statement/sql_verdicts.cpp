#include "statement/sql_verdicts.hpp"

#include <utility>

namespace gantry::data {
namespace {

constexpr std::size_t kMostStatements = 256;
constexpr std::size_t kMostNames = 4096;

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
  const auto found = statements_.find(key);
  return found == statements_.end() ? nullptr : found->second;
}

void SqlVerdicts::keep(const Scope& scope, std::string_view sql, KnownStatementPtr statement) {
  if (sql.size() > kMostText) return;
  std::string key = verdict_key(scope, sql);
  const std::lock_guard held(mutex_);
  if (catalog_ != scope.catalog() || statements_.size() >= kMostStatements) {
    statements_.clear();
    catalog_ = scope.catalog();
  }
  statements_.insert_or_assign(std::move(key), std::move(statement));
}

bool SqlVerdicts::is_name(const std::string& name, const std::function<bool()>& judge) {
  {
    const std::lock_guard held(mutex_);
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
  }
  const bool verdict = judge();
  const std::lock_guard held(mutex_);
  if (names_.size() >= kMostNames) names_.clear();
  names_.emplace(name, verdict);
  return verdict;
}

}  // namespace gantry::data
