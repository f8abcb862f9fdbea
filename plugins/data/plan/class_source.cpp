#include "plan/class_source.hpp"

#include "errors/query_error.hpp"
#include "plan/plan_column.hpp"
#include "plan/plan_match.hpp"
#include "plan/scan.hpp"
#include "rows/class_reader.hpp"
#include "rows/value_reader.hpp"
#include "sql/key_values.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

class RowStream final : public pipeline::Stream {
 public:
  RowStream(std::unique_ptr<const ClassReader> reader, CursorPtr cursor)
      : reader_(std::move(reader)), cursor_(std::move(cursor)) {}

  bool next(Value& document) override {
    if (is_over_) return false;
    if (cursor_->next()) {
      document = reader_->read(cursor_->row());
      return true;
    }
    is_over_ = true;
    check_end(*cursor_);
    return false;
  }

 private:
  std::unique_ptr<const ClassReader> reader_;
  CursorPtr cursor_;
  bool is_over_ = false;
};

}  // namespace

void ClassSource::check(std::string_view name) { (void)open_class(context_.scope, name); }

Lease& ClassSource::lease() {
  if (!lease_) lease_ = lease_as_seen(context_);
  return *lease_;
}

Predicate ClassSource::rows_of(const ClassView& cls, const pipeline::ScanHint& wanted) const {
  Predicate where;
  if (wanted.values != nullptr) {
    const std::string column = lookup_column(cls, wanted.path);
    if (!column.empty()) where.plain = is_one_of(column, stored_keys(*wanted.values));
  }
  if (wanted.filter == nullptr || !context_.settings.pushdown) return where;
  return where.also(split_match(wanted.filter, cls, context_.store.dialect()).sql);
}

pipeline::StreamPtr ClassSource::scan(std::string_view name, const pipeline::ScanHint& wanted) {
  const ClassView& cls = open_class(context_.scope, name);
  Clauses clauses{rows_of(cls, wanted), {own_order(cls), {}}, 0, {}};
  refuse_scan(context_, lease(), cls, clauses, {});
  return scan_where(cls, wanted.paths, clauses);
}

pipeline::StreamPtr ClassSource::scan_where(const ClassView& cls,
                                            const std::set<std::string>* paths,
                                            const Clauses& clauses) {
  auto reader = class_reader(cls, paths, ids_);
  if (reader->column_count() > kMostColumns) {
    throw QueryError("Class '" + cls.name +
                     "' has more columns than one read can return; begin the pipeline with a "
                     "$project of those you need.");
  }
  CursorPtr cursor = prepared(lease(), select_rows(cls, reader->select_list(), clauses));
  return std::make_unique<RowStream>(std::move(reader), std::move(cursor));
}

CursorPtr ClassSource::prepare(const Fragment& sql) { return prepared(lease(), sql); }

void ClassSource::confirm() {
  if (!lease_) return;
  const Status status = lease_->confirm();
  if (!status) throw QueryError(store_error(status));
}

}  // namespace gantry::data
