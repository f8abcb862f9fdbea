#include "ops/class_source.hpp"

#include "errors/query_error.hpp"
#include "ops/key_values.hpp"
#include "ops/plan_match.hpp"
#include "ops/scan.hpp"
#include "rows/document_reader.hpp"
#include "rows/value_reader.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

template <class Reader>
class RowStream final : public pipeline::Stream {
 public:
  RowStream(Reader reader, CursorPtr cursor)
      : reader_(std::move(reader)), cursor_(std::move(cursor)) {}

  bool next(Value& document) override {
    if (is_over_) return false;
    if (cursor_->next()) {
      document = reader_.read(cursor_->row());
      return true;
    }
    is_over_ = true;
    if (!cursor_->status()) throw QueryError(statement_error(cursor_->status()));
    return false;
  }

 private:
  Reader reader_;
  CursorPtr cursor_;
  bool is_over_ = false;
};

}  // namespace

Fragment rows_sql(const ClassInfo& cls, std::string_view columns, const Fragment& where,
                  const Window& window) {
  Fragment sql;
  sql.add("SELECT ").add(columns).add(" FROM ").add(cls.table);
  if (!where.empty()) sql.add(" WHERE ").add(where);
  const std::string own = own_order(cls);
  if (!window.order.empty() || !own.empty()) {
    sql.add(" ORDER BY ").add(window.order);
    sql.add(window.order.empty() || own.empty() ? "" : ", ").add(own);
  }
  if (!window.limit && window.skip == 0) return sql;
  constexpr std::int64_t kAll = -1;
  sql.add(" LIMIT ").bind(window.limit ? static_cast<std::int64_t>(*window.limit) : kAll);
  return std::move(sql.add(" OFFSET ").bind(static_cast<std::int64_t>(window.skip)));
}

namespace {

template <class Reader>
pipeline::StreamPtr read_rows(Lease& lease, const ClassInfo& cls, const Fragment& where,
                              const Window& window, Reader reader) {
  auto cursor = lease.prepare(rows_sql(cls, reader.select_list(), where, window));
  if (!cursor) throw QueryError(statement_error(cursor.status()));
  return std::make_unique<RowStream<Reader>>(std::move(reader), std::move(*cursor));
}

}  // namespace

const ClassInfo& class_or_throw(const Scope& scope, std::string_view name) {
  auto cls = open_class(scope, name);
  if (!cls) throw QueryError(cls.error());
  return **cls;
}

void ClassSource::check(std::string_view name) { (void)class_or_throw(request_.scope, name); }

Lease& ClassSource::lease() {
  if (!lease_) {
    auto lease = request_.store.lease_as_seen(request_.budget);
    if (!lease) throw QueryError(store_error(lease.status()));
    lease_ = std::move(*lease);
  }
  return *lease_;
}

std::optional<Fragment> ClassSource::rows_with(const ClassInfo& cls, std::string_view path,
                                               const Array& values) const {
  return index_lookup_condition(cls, request_.scope, path, values);
}

Fragment ClassSource::rows_of(const ClassInfo& cls, const pipeline::ScanHint& wanted) const {
  Fragment where;
  if (wanted.values != nullptr) {
    if (auto some = rows_with(cls, wanted.path, *wanted.values)) where = std::move(*some);
  }
  if (wanted.filter == nullptr || !request_.settings.pushdown) return where;
  const MatchParts parts = split_match(*wanted.filter, cls, request_.scope);
  if (!where.empty() && !parts.sql.empty()) where.add(" AND ");
  return std::move(where.add(parts.sql));
}

pipeline::StreamPtr ClassSource::scan(std::string_view name, const pipeline::ScanHint& wanted) {
  const ClassInfo& cls = class_or_throw(request_.scope, name);
  const Fragment where = rows_of(cls, wanted);
  Fragment order{own_order(cls), {}};
  const auto sql = [&](const Fragment& by) { return rows_sql(cls, "*", where, {by.text, 0, {}}); };
  auto refused = refused_scan(request_, lease(), {cls, sql, {}}, order);
  if (refused) throw QueryError(std::move(*refused));
  return scan_where(cls, where, wanted.paths, {order.text, 0, {}});
}

pipeline::StreamPtr ClassSource::scan_where(const ClassInfo& cls, const Fragment& where,
                                            const std::set<std::string>* paths,
                                            const Window& window) {
  if (!cls.document.empty()) {
    return read_rows(lease(), cls, where, window,
                     DocumentReader(cls, ids_, request_.scope.classes()));
  }
  ValueReader reader = ValueReader::compile(request_.scope, cls, paths);
  if (reader.column_count() > kMostColumns) {
    throw QueryError("Class '" + cls.name +
                     "' has more columns than one read can return; begin the pipeline with a "
                     "$project of those you need.");
  }
  return read_rows(lease(), cls, where, window, std::move(reader));
}

CursorPtr ClassSource::prepare(const Fragment& sql) {
  auto cursor = lease().prepare(sql);
  if (!cursor) throw QueryError(statement_error(cursor.status()));
  return std::move(*cursor);
}

void ClassSource::confirm() {
  if (!lease_) return;
  const Status status = lease_->confirm();
  if (!status) throw QueryError(store_error(status));
}

}  // namespace gantry::data
