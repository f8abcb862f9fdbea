#include "ops/sql_ops.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "ops/page.hpp"
#include "ops/query_text.hpp"
#include "ops/read_arguments.hpp"
#include "ops/sql_statement.hpp"
#include "plan/scan.hpp"
#include "statement/class_query.hpp"
#include "tables/json_rows.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {
namespace {

// Writes one column of the answer.
struct SqlColumn {
  const FieldView* field = nullptr;  // null: the value itself
  const ClassView* document = nullptr;

  void write(const StoredValue& value, JsonAppender& out) const {
    if (document != nullptr) {
      return write_json(value, document->classes.get(), JsonDialect::plain, out);
    }
    if (field != nullptr) return field->form.write(value, JsonDialect::plain, out);
    write_value(value, JsonDialect::plain, out);
  }
};

// Booleans, JSON, texts that may be JSON and redacted pointers have a form of their own. Dates
// already are ISO texts.
bool has_own_form(const FieldView& field) {
  using Form = FieldForm::Type;
  return field.form.is(Form::plain) || field.form.is(Form::boolean) || field.form.is(Form::json) ||
         field.form.is(Form::redacted);
}

SqlColumn column_of(const StatementShape::Column& column, const SqlStatement& statement) {
  const auto& classes = statement.classes;
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const ClassView* cls) { return cls->name == column.cls; });
  if (found == classes.end()) return {};
  if ((*found)->is_open()) return {nullptr, column.field == kDocumentColumn ? *found : nullptr};
  const FieldView* const field = (*found)->find(column.field);
  return {field != nullptr && has_own_form(*field) ? field : nullptr, nullptr};
}

struct SqlRows {
  std::string text = "[";
  std::size_t count = 0;
  bool has_more = false;  // than the limit
  bool is_large = false;  // the rest did not fit
};

class SqlReader {
 public:
  SqlReader(const SqlStatement& statement, std::size_t room) : room_(room) {
    for (const auto& column : statement.shape.columns) {
      columns_.push_back(column_of(column, statement));
    }
  }

  // Throws if the statement yields other columns than those that were judged.
  SqlRows read(Cursor& cursor, std::size_t limit) const {
    SqlRows rows;
    while (cursor.next()) {
      rows.has_more = rows.count == limit;
      if (rows.has_more || !add(cursor.row(), rows)) return rows;
    }
    check_end(cursor);
    return rows;
  }

 private:
  bool add(Row row, SqlRows& rows) const {
    if (row.size() != columns_.size()) throw QueryError("The statement changed while it ran.");
    const std::size_t before = rows.text.size();
    {
      JsonAppender out(rows.text);
      out.put(rows.count == 0 ? "[" : ",[");
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i != 0) out.put(',');
        columns_[i].write(row[i], out);
      }
      out.put(']');
      out.flush();
    }
    rows.is_large = rows.text.size() > room_;
    if (rows.is_large) rows.text.resize(before);
    rows.count += rows.is_large ? 0 : 1;
    return !rows.is_large;
  }

  std::vector<SqlColumn> columns_;
  std::size_t room_;
};

std::vector<std::string> column_names(const StatementShape& shape) {
  std::vector<std::string> names;
  for (const auto& column : shape.columns) names.push_back(column.name);
  return names;
}

std::string truncation_of(const SqlRows& rows) {
  std::string_view hint;
  if (rows.has_more) {
    hint = "There are more rows: raise limit (1000 at most), or add ORDER BY with LIMIT and OFFSET";
  }
  if (rows.is_large) {
    hint =
        "The next row does not fit the answer: name fewer columns, or take parts of long texts "
        "with substr()";
  }
  return hint.empty() ? "" : ",\"truncated\":true,\"hint\":" + quoted_json(hint);
}

Reply as_text(const Request& request, const SqlRows& rows, const std::vector<std::string>& names,
              std::string_view format) {
  JsonRows cells;
  cells.headers = names;
  const auto parsed = Json::parse(rows.text);
  if (!parsed)
    throw QueryError(invalid_argument("The rows are nested too deeply; use format json"));
  for (const Json& row : parsed->elements()) {
    Cells line;
    for (const Json& value : row.elements()) line.emplace_back(value);
    cells.rows.push_back(std::move(line));
  }
  Reply reply;
  reply.meta = R"({"format":)" + quoted_json(format) + R"(,"headers":)" + quoted_list(names) +
               R"(,"row_count":)" + std::to_string(rows.count) + R"(,"output":)" +
               quoted_json(rendered_rows(cells, format, request.max_bytes)) + truncation_of(rows) +
               "}";
  if (reply.meta.size() > request.room_for_rows()) refuse_text_size(format, reply.meta.size());
  return reply;
}

void refuse_scans(const Request& request, Lease& lease, const SqlStatement& statement, bool asked) {
  if (statement.classes.empty() || !(asked || request.settings.refuse_collscan)) return;
  const ScanReport report =
      statement_report(request.scope, lease, statement.classes, statement.composed.sql);
  if (report.is_refusable) refuse_full_scan(request, *statement.classes.front(), report);
}

CursorPtr prepared_sql(Lease& lease, const SqlStatement& statement) {
  auto cursor = lease.prepare_for_caller(statement.composed);
  if (!cursor) throw QueryError(statement_error(cursor.status()));
  return std::move(*cursor);
}

}  // namespace

Reply run_sql(const Request& request) {
  const auto limit = static_cast<std::uint64_t>(capped_rows(
      request,
      static_cast<std::uint64_t>(optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit))));
  std::string_view format = optional_string(request, "format");
  if (format.empty()) format = "json";
  if (format != "json" && format != "csv" && format != "markdown" && format != "table") {
    throw QueryError(invalid_argument("'format' must be json, csv, markdown or table"));
  }
  const SqlStatement statement = sql_statement(request, limit + 1);
  const LeasePtr lease = lease_as_seen(request);
  refuse_scans(request, *lease, statement, false);
  const CursorPtr cursor = prepared_sql(*lease, statement);
  SqlRows rows = SqlReader(statement, request.room_for_rows()).read(*cursor, limit);
  rows.text += ']';
  const std::vector<std::string> names = column_names(statement.shape);
  if (format != "json") return as_text(request, rows, names, format);
  return {std::move(rows.text), R"({"columns":)" + quoted_list(names) + R"(,"row_count":)" +
                                    std::to_string(rows.count) + truncation_of(rows) + "}"};
}

Reply explain_sql(const Request& request) {
  const SqlStatement statement = sql_statement(request, kMaxLimit, false);
  const LeasePtr lease = lease_as_seen(request);
  const bool refuses = optional_flag(request, "refuse_collscan", false);
  refuse_scans(request, *lease, statement, refuses);
  const ScanReport report =
      statement.classes.empty()
          ? ScanReport()
          : statement_report(request.scope, *lease, statement.classes, statement.composed.sql);
  return {{}, "{" + report_members(request, report, statement.composed.sql) + "}"};
}

}  // namespace gantry::data
