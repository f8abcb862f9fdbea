#include "plan/key_search.hpp"

#include <algorithm>
#include <utility>

#include "errors/query_error.hpp"
#include "plan/scan.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kMostValues = 1000;  // of one search

}  // namespace

KeySearch::KeySearch(ClassSource& source, const ClassView& cls, std::string column,
                     const std::string& select_list)
    : source_(source),
      cls_(cls),
      column_(std::move(column)),
      select_list_(select_list),
      binds_(Fragment(cls.boundary).add(cls.canonical).binds),
      boundary_binds_(binds_.size()) {}

Cursor* KeySearch::find(const Array& values) {
  if (values.size() > kMostValues) return nullptr;
  const StoredKeys keys = stored_keys(values);
  const auto known = std::find_if(prepared_.begin(), prepared_.end(), [&](const Prepared& one) {
    return one.or_null == keys.or_null && one.size == keys.binds.size();
  });
  if (known == prepared_.end()) return prepare(keys);
  binds_.resize(boundary_binds_);
  binds_.insert(binds_.end(), keys.binds.begin(), keys.binds.end());
  const Status status = known->cursor->restart(binds_);
  if (!status) throw QueryError(statement_error(status));
  return known->cursor.get();
}

Cursor* KeySearch::prepare(const StoredKeys& keys) {
  Clauses clauses = in_own_order(cls_, {{is_one_of(column_, keys), {}}, {}, 0, {}});
  const ScanBound bound = ScanBound::of(clauses);
  const ScanReport report =
      guarded_report(source_.context().scope, source_.lease(), cls_, clauses, bound);
  if (report.full_scan) return nullptr;
  const Fragment sql = select_rows(cls_, select_list_, clauses);
  prepared_.push_back({keys.or_null, keys.binds.size(), source_.prepare(sql)});
  return prepared_.back().cursor.get();
}

}  // namespace gantry::data
