#include "ops/sql/sql_ops.hpp"

#include "errors/query_error.hpp"
#include "ops/next_call.hpp"
#include "ops/page.hpp"
#include "ops/query_text.hpp"
#include "ops/read_arguments.hpp"
#include "ops/sql/sql_rows.hpp"
#include "ops/sql/sql_statement.hpp"
#include "plan/scan.hpp"
#include "tables/json_rows.hpp"

namespace gantry::data {
namespace {

std::vector<std::string> column_names(const StatementShape& shape) {
  std::vector<std::string> names;
  for (const auto& column : shape.columns) names.push_back(column.name);
  return names;
}

std::string more_rows_hint(const Request& request, const PageOrder& pages) {
  const bool is_most = optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit) == kMaxLimit;
  const std::string raise = is_most ? "" : ", or raise limit (1000 at most)";
  if (pages.advice.empty()) {
    return "There are more rows: add ORDER BY with LIMIT and OFFSET" + raise;
  }
  return "There are more rows. " + pages.advice + ": then the answer has the next_call" + raise;
}

// The members of an answer that is not whole.
std::string truncation_of(const Request& request, const SqlStatement& statement,
                          const SqlRows& rows) {
  if (!rows.has_more && !rows.is_large) return {};
  constexpr std::string_view kTruncated = ",\"truncated\":true,";
  if (!rows.last_keys.empty()) {
    const std::vector<NextArgument> after = {{"after", quoted_json(rows.last_keys)}};
    return std::string(kTruncated) +
           "\"next_call\":" + next_call("query_sql", request.arguments, after);
  }
  const std::string hint =
      rows.is_large ? "The next row does not fit the answer: name fewer columns, or take parts of "
                      "long texts with substr()"
                    : more_rows_hint(request, statement.known->pages);
  return std::string(kTruncated) + "\"hint\":" + quoted_json(hint);
}

Reply as_text(const Request& request, const SqlRows& rows, const std::vector<std::string>& names,
              const std::string& truncation) {
  const std::string_view format = optional_string(request, "format");
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
               quoted_json(rendered_rows(cells, format, request.max_bytes)) + truncation + "}";
  if (reply.meta.size() > request.room_for_rows()) refuse_text_size(format, reply.meta.size());
  return reply;
}

// One SELECT of the fields of one class, without conditions, reads no more rows than its LIMIT
// says.
ScanBound scan_bound_of(const SqlStatement& statement) {
  const StatementShape& shape = statement.known->shape;
  const StatementClauses& clauses = statement.known->clauses;
  const bool returns_all_that_it_reads = shape.is_simple && shape.is_flat && clauses.is_single &&
                                         statement.classes.size() == 1 &&
                                         !statement.known->is_ruled && !clauses.is_filtered &&
                                         !clauses.is_grouped && !clauses.is_distinct;
  if (!returns_all_that_it_reads) return {true, std::nullopt, false};
  return {false, clauses.stated_rows, false};
}

ScanReport report_of(const Request& request, Lease& lease, const SqlStatement& statement) {
  if (statement.classes.empty()) return {};
  return statement_report(request.scope, lease, statement.classes, statement.composed.sql,
                          scan_bound_of(statement));
}

void refuse_scan(const Request& request, const SqlStatement& statement, const ScanReport& report) {
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
  if (request.settings.refuse_collscan) {
    refuse_scan(request, statement, report_of(request, *lease, statement));
  }
  const CursorPtr cursor = prepared_sql(*lease, statement);
  SqlRows rows = SqlReader(statement, request.room_for_rows()).read(*cursor, limit);
  rows.text += ']';
  const std::vector<std::string> names = column_names(statement.known->shape);
  const std::string truncation = truncation_of(request, statement, rows);
  if (format != "json") return as_text(request, rows, names, truncation);
  return {std::move(rows.text), R"({"columns":)" + quoted_list(names) + R"(,"row_count":)" +
                                    std::to_string(rows.count) + truncation + "}"};
}

Reply explain_sql(const Request& request) {
  const SqlStatement statement = sql_statement(request, kMaxLimit, false);
  const LeasePtr lease = lease_as_seen(request);
  const ScanReport report = report_of(request, *lease, statement);
  if (optional_flag(request, "refuse_collscan", false)) refuse_scan(request, statement, report);
  return {{}, "{" + report_members(request, report, statement.composed.sql) + "}"};
}

}  // namespace gantry::data
