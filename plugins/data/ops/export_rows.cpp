#include "ops/export_rows.hpp"

#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "ops/export_filling.hpp"
#include "ops/pipeline_arguments.hpp"
#include "ops/row_cells.hpp"
#include "ops/row_reader.hpp"
#include "plan/pipeline_run.hpp"
#include "plan/scan.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

// createdAt is always a known field, but not every class has one.
void refuse_absent_columns(const ExportRequest& what, const ClassView& cls) {
  for (const Column& column : what.columns) {
    const std::string& name = column.path;
    const bool is_there =
        name == "objectId" ? cls.id_form != IdForm::none : cls.role(name) != nullptr;
    if (is_common_field(name) && !is_there && cls.find(name) == nullptr) {
      columns::refuse_field(name, cls);
    }
  }
}

struct QueryRows {
  Selection selection;
  Clauses clauses;  // limit: the caller's
};

QueryRows read_query(const Request& request, const ExportRequest& what, const ClassView& cls) {
  QueryRows rows{select_fields(request, cls, paths_of(what)), {}};
  refuse_absent_columns(what, cls);
  rows.clauses.where = requested_where(request, cls);
  rows.clauses.order = requested_order(request, cls);
  const auto limit = requested_bound(request, "limit", kAllRows, 1);
  if (limit < kAllRows) rows.clauses.limit = static_cast<std::uint64_t>(limit);
  rows.clauses.skip = static_cast<std::uint64_t>(requested_bound(request, "skip", 0, 0));
  return rows;
}

// The number of rows of the query; empty if they cannot be counted in the remaining time.
std::optional<std::uint64_t> count_all(Lease& lease, const ClassView& cls, const Clauses& clauses) {
  auto cursor = lease.prepare(count_rows(cls, {clauses.where, {}, 0, {}}));
  if (!cursor || !(*cursor)->next()) return std::nullopt;
  const auto all = static_cast<std::uint64_t>((*cursor)->row()[0].integer);
  const std::uint64_t after_skip = all - std::min(all, clauses.skip);
  return std::min(after_skip, clauses.limit.value_or(after_skip));
}

bool is_below(std::string_view path, std::string_view root) {
  return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '.';
}

// Whether the caller requested the object itself, and not only a nested field in another column.
bool asks_for_object(const Request& request, std::string_view path) {
  const auto include = optional_strings(request, "include", kMostIncludes);
  const auto keys = optional_strings(request, "keys", kMostKeyArguments);
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
std::optional<std::vector<std::size_t>> plain_entries(const Selection& selection,
                                                      const std::vector<Column>& columns) {
  if (!selection.includes.empty() || !selection.parts.empty()) return std::nullopt;
  const auto reader = ValueReader::compile(*selection.cls, selection.fields);
  const std::vector<std::string>& names = reader.names();
  if (!std::all_of(names.begin(), names.end(), is_utf8)) return std::nullopt;
  return entries_of(columns, names);
}

void read_rows(const Request& request, Lease& lease, const Selection& selection,
               const Clauses& clauses, Filling& filling) {
  RowReader reader(lease);
  const auto entries = plain_entries(selection, filling.what.columns);
  if (!entries) {
    show_pointers(request, selection, filling);
    return reader.visit(selection, clauses, [&](std::string_view row) {
      if (!filling.next()) return false;
      filling.builder.add(row);
      return true;
    });
  }
  reader.visit_plain(selection, clauses, [&](const RowPrinter& printer, Row row) {
    if (!filling.next()) return false;
    if (filling.builder.columns() == nullptr) {
      filling.builder.begin(Columns(columns_of(printer.names(), *entries)));
    }
    filling.builder.add(RowCells(printer, *entries, row));
    return true;
  });
}

ExportedRows fill_from_query(const Request& request, const ClassView& cls, Filling filling) {
  const ExportRequest& what = filling.what;
  const QueryRows rows = read_query(request, what, cls);
  Clauses clauses = rows.clauses;
  // One row more than the cap, to detect further rows.
  const std::uint64_t most = what.row_cap + 1;
  clauses.limit = std::min(clauses.limit.value_or(most), most);
  const LeasePtr lease = lease_as_seen(request);
  ScanBound bound = ScanBound::of(clauses);
  if (*clauses.limit >= static_cast<std::uint64_t>(kAllRows)) bound.limit.reset();
  refuse_scan(request, *lease, cls, clauses, bound);
  read_rows(request, *lease, rows.selection, clauses, filling);
  ExportedRows shown = filling.shown;
  // Counting may need a full scan even if the read did not.
  const bool may_count = !clauses.where.empty() || !refuses_scan(request, cls);
  if (shown.is_cut && may_count) shown.available = count_all(*lease, cls, rows.clauses);
  return shown;
}

}  // namespace

ExportedRows fill_table(const Request& request, const ExportRequest& what, TableBuilder& builder,
                        const TellRows& tell) {
  const Filling filling{what, builder, tell};
  if (what.is_pipeline) {
    const Value stages = requested_stages(request);
    const ClassView* cls = class_of_stages(request, stages);
    return fill_from_pipeline(request, cls, stages, filling);
  }
  const ClassView& cls = requested_class(request);
  if (!cls.is_document()) return fill_from_query(request, cls, filling);
  return fill_from_pipeline(request, &cls, stages_of_query(request, what), filling);
}

}  // namespace gantry::data
