#include "ops/export/export_rows.hpp"

#include <algorithm>

#include "filter/columns/refusal.hpp"
#include "ops/export/export_filling.hpp"
#include "ops/export/row_cells.hpp"
#include "ops/read_arguments.hpp"
#include "ops/row_reader.hpp"
#include "plan/row_printers.hpp"
#include "plan/scan.hpp"
#include "rows/class_reader.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

// createdAt is always a known field, but not every class has one.
void refuse_absent_columns(const ExportRequest& what, const ClassView& cls) {
  for (const Column& column : what.columns) {
    const std::string& name = column.path;
    const bool is_there = cls.is_id_alias(name) || cls.role(name) != nullptr;
    if (is_common_field(name) && !is_there && cls.find(name) == nullptr) {
      columns::refuse_field(name, cls);
    }
  }
}

// The number of rows that the caller asked for; empty if they cannot be counted in the remaining
// time.
std::optional<std::uint64_t> count_all(ClassSource& source, const Read& asked,
                                       const Predicate& where) try {
  const std::uint64_t all = count_rows(source, *asked.view, {where, {}, 0, {}});
  const std::uint64_t after_skip = all - std::min(all, asked.skip);
  return std::min(after_skip, asked.limit.value_or(after_skip));
} catch (const QueryError&) {
  return std::nullopt;
}

bool is_below(std::string_view path, std::string_view root) {
  return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '.';
}

// Whether the caller requested the object itself, and not only a nested field in another column.
bool asks_for_object(const Shape& asked, std::string_view path) {
  const auto& keys = asked.keys;
  const auto& includes = asked.includes;
  return std::any_of(includes.begin(), includes.end(),
                     [&](auto one) { return one == path || is_below(one, path); }) ||
         std::any_of(keys.begin(), keys.end(), [&](auto one) { return is_below(one, path); });
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
void show_pointers(const Shape& asked, const Selection& selection, const Filling& filling) {
  const auto& columns = filling.what.columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& path = columns[i].path;
    if (is_included(selection, path) && !asks_for_object(asked, path)) {
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
std::optional<std::vector<std::size_t>> plain_entries(const ReadContext& context,
                                                      const Selection& selection,
                                                      const std::vector<Column>& columns) {
  if (!selection.includes.empty() || !selection.parts.empty()) return std::nullopt;
  const RowPrinterPtr printer = row_printer(
      context, {*selection.cls, selection.common, selection.fields, JsonDialect::plain});
  const std::vector<std::string>& names = printer->names();
  if (!std::all_of(names.begin(), names.end(), is_utf8)) return std::nullopt;
  return entries_of(columns, names);
}

void fill_from_rows(ClassSource& source, const Shape& asked, const Selection& selection,
                    const Clauses& clauses, Filling& filling) {
  RowReader reader(source);
  const auto entries = plain_entries(source.context(), selection, filling.what.columns);
  if (!entries) {
    show_pointers(asked, selection, filling);
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

// `asked` has the caller's own limit.
ExportedRows fill_from_columns(const Request& request, const Read& asked, Filling filling) {
  const ExportRequest& what = filling.what;
  if (!what.computed.is_missing()) {
    Read documents = asked;
    documents.shape = {};
    return fill_from_documents(request, documents, filling);
  }
  const ClassView& cls = *asked.view;
  Shape shape = asked.shape;
  shape.with_nulls = true;  // each row has the same columns
  for (const Column& column : what.columns) shape.keys.push_back(column.path);
  const Selection selection = select_fields(request, cls, shape);
  refuse_absent_columns(what, cls);
  Read read = asked;
  // One row more than the cap, to detect further rows.
  if (what.row_cap < kAllRows) {
    const std::uint64_t most = what.row_cap + 1;
    read.limit = std::min(asked.limit.value_or(most), most);
  }
  read_rows(request, read, [&](ClassSource& source, const Clauses& clauses) {
    fill_from_rows(source, asked.shape, selection, clauses, filling);
    // Counting may need a full scan even if the read did not.
    const bool may_count = !clauses.where.empty() || !refuses_scan(request, cls);
    ExportedRows& shown = filling.shown;
    if (shown.is_cut && may_count) shown.available = count_all(source, asked, clauses.where);
  });
  return filling.shown;
}

// The arguments of a query; exports have no upper limit of their own.
Read query_read(const Request& request) {
  Read read = requested_read(request);
  read.order = optional_string(request, "order");
  read.skip = static_cast<std::uint64_t>(optional_integer(request, "skip", 0, 0, kAllRows));
  const auto limit = optional_integer(request, "limit", kAllRows, 1, kAllRows);
  if (limit < kAllRows) read.limit = static_cast<std::uint64_t>(limit);
  read.shape = requested_shape(request);
  return read;
}

}  // namespace

ExportedRows fill_table(const Request& request, const ExportRequest& what, TableBuilder& builder,
                        const TellRows& tell) {
  const Filling filling{what, builder, tell};
  if (what.is_pipeline) return fill_from_pipeline(request, filling);
  const Read read = query_read(request);
  return by_storage(
      *read.view, [&] { return fill_from_columns(request, read, filling); },
      [&] { return fill_from_documents(request, read, filling); });
}

}  // namespace gantry::data
