#include "ops/export_rows.hpp"

#include <algorithm>

#include "ops/export_filling.hpp"
#include "ops/pipeline_arguments.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/row_cells.hpp"
#include "ops/row_reader.hpp"
#include "ops/scan.hpp"
#include "sql/row_order.hpp"
#include "values/utf8.hpp"
#include "where/refusal.hpp"

namespace gantry::data {
namespace {

// createdAt is always a known field, but not every class has one.
void refuse_absent_columns(const ExportRequest& what, const ClassInfo& cls, const Scope& scope) {
  for (const Column& column : what.columns) {
    const std::string& name = column.path;
    const bool is_there =
        name == "objectId" ? cls.id_form != IdForm::none : cls.role(name) != nullptr;
    if (is_common_field(name) && !is_there && scope.find_field(cls, name) == nullptr) {
      where::refuse_field(name, cls, scope);
    }
  }
}

struct QueryRows {
  const ClassInfo* cls = nullptr;
  Selection selection;
  Shape shape;  // limit: the caller's
};

QueryRows read_query(const Request& request, const ExportRequest& what, const ClassInfo& cls) {
  QueryRows rows;
  rows.cls = &cls;
  rows.selection = value_or_throw(select_fields(request, cls, paths_of(what)));
  refuse_absent_columns(what, cls, request.scope);
  rows.shape.where = value_or_throw(requested_where(request, cls));
  const auto order = value_or_throw(optional_string(request, "order"));
  auto compiled = compile_order(order, cls, request.scope, {});
  if (!compiled) throw QueryError(of_argument(compiled.error()));
  rows.shape.order = settled_order(cls, std::move(*compiled));
  rows.shape.limit = requested_bound(request, "limit", kAllRows, 1);
  rows.shape.skip = requested_bound(request, "skip", 0, 0);
  return rows;
}

// The number of rows of the query; empty if they cannot be counted in the remaining time.
std::optional<std::uint64_t> count_rows(Lease& lease, const QueryRows& rows) {
  Fragment sql;
  sql.add("SELECT count(*) FROM ").add(rows.cls->table);
  if (!rows.shape.where.empty()) sql.add(" WHERE ").add(rows.shape.where);
  auto cursor = lease.prepare(sql);
  if (!cursor || !(*cursor)->next()) return std::nullopt;
  const std::int64_t after_skip = (*cursor)->row()[0].integer - rows.shape.skip;
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(after_skip, 0, rows.shape.limit));
}

bool is_below(std::string_view path, std::string_view root) {
  return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '.';
}

// Whether the caller requested the object itself, and not only a nested field in another column.
bool asks_for_object(const Request& request, std::string_view path) {
  const auto include = value_or_throw(optional_strings(request, "include", kMostIncludes));
  const auto keys = value_or_throw(optional_strings(request, "keys", kMostKeyArguments));
  return std::any_of(include.begin(), include.end(),
                     [&](auto asked) { return asked == path || is_below(asked, path); }) ||
         std::any_of(keys.begin(), keys.end(), [&](auto asked) { return is_below(asked, path); });
}

bool is_included(const Selection& selection, std::string_view path) {
  const Selection* at = &selection;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view name = root_of(rest);
    const auto found = at->includes.find(name);
    if (found == at->includes.end()) return selection.includes.count(path) > 0;
    at = &found->second;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return true;
}

// Pointers are resolved to objects if columns continue below them. A column that ends at the
// pointer still shows the pointer.
void show_pointers(const Request& request, const Selection& selection, const Filling& filling) {
  const auto& columns = filling.what.columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& path = columns[i].path;
    if (is_included(selection, path) && !asks_for_object(request, path)) {
      filling.builder.columns()->show_pointers(i);
    }
  }
}

std::vector<Column> columns_of(const std::vector<std::string>& names,
                               const std::vector<std::size_t>& entries) {
  std::vector<Column> columns;
  for (const std::size_t entry : entries) columns.push_back({names[entry], names[entry]});
  return columns;
}

// The position of each column in a plain row: one without included objects and partial fields.
// Empty if the rows are not plain.
std::optional<std::vector<std::size_t>> plain_entries(const Request& request,
                                                      const Selection& selection,
                                                      const std::vector<Column>& columns) {
  if (!selection.includes.empty() || !selection.parts.empty()) return std::nullopt;
  const auto reader = ValueReader::compile(request.scope, *selection.cls, selection.fields);
  const std::vector<std::string>& names = reader.names();
  if (!std::all_of(names.begin(), names.end(), is_utf8)) return std::nullopt;
  return entries_of(columns, names);
}

std::optional<DataError> read_rows(const Request& request, Lease& lease, const Selection& selection,
                                   const Shape& shape, Filling& filling) {
  RowReader reader(request, lease);
  const auto entries = plain_entries(request, selection, filling.what.columns);
  if (!entries) {
    show_pointers(request, selection, filling);
    return reader.visit(selection, shape, [&](std::string_view row) {
      if (!filling.next()) return false;
      filling.builder.add(row);
      return true;
    });
  }
  return reader.visit_plain(selection, shape, [&](const RowPrinter& printer, Row row) {
    if (!filling.next()) return false;
    if (filling.builder.columns() == nullptr) {
      filling.builder.begin(Columns(columns_of(printer.names(), *entries)));
    }
    filling.builder.add(RowCells(printer, *entries, row));
    return true;
  });
}

ExportedRows fill_from_query(const Request& request, const ClassInfo& cls, Filling filling) {
  const ExportRequest& what = filling.what;
  const QueryRows rows = read_query(request, what, cls);
  Shape shape = rows.shape;
  // One row more than the cap, to detect further rows.
  shape.limit = std::min(shape.limit, static_cast<std::int64_t>(what.row_cap) + 1);
  auto lease = request.store.lease_as_seen(request.budget);
  if (!lease) throw QueryError(store_error(lease.status()));
  ScanBound bound{!shape.where.empty(), {}};
  if (shape.limit < kAllRows) bound.limit = static_cast<std::uint64_t>(shape.skip + shape.limit);
  const auto sql = [&](const Fragment& by) { return query_sql(cls, shape.where, by, shape.limit); };
  auto refused = refused_scan(request, **lease, {cls, sql, bound}, shape.order);
  if (refused) throw QueryError(std::move(*refused));
  const auto error = read_rows(request, **lease, rows.selection, shape, filling);
  if (error) throw QueryError(*error);
  ExportedRows shown = filling.shown;
  // Counting may need a full scan even if the read did not.
  const bool may_count = !shape.where.empty() || !refuses_scan(request, cls);
  if (shown.is_cut && may_count) shown.available = count_rows(**lease, rows);
  return shown;
}

}  // namespace

ExportedRows fill_table(const Request& request, const ExportRequest& what, TableBuilder& builder,
                        const TellRows& tell) {
  const Filling filling{what, builder, tell};
  if (what.is_pipeline) {
    const Value stages = requested_stages(request);
    const ClassInfo* cls = class_of_stages(request, stages);
    return fill_from_pipeline(request, cls, stages, filling);
  }
  const ClassInfo& cls = *value_or_throw(requested_class(request));
  if (cls.document.empty()) return fill_from_query(request, cls, filling);
  return fill_from_pipeline(request, &cls, stages_of_query(request, what), filling);
}

}  // namespace gantry::data
