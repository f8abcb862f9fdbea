#include "ops/explain_ops.hpp"

#include "ops/model_echo.hpp"
#include "ops/read_arguments.hpp"
#include "ops/sql/sql_ops.hpp"
#include "plan/bound_read.hpp"
#include "plan/plan_run.hpp"
#include "plan/scan.hpp"
#include "plan/text_match.hpp"
#include "rows/class_reader.hpp"

namespace gantry::data {
namespace {

std::string stages_json(const Array& stages, JsonDialect form) {
  std::string json;
  append_value_json(Value::array(stages), form, json);
  return json;
}

// The plan of a read without running it.
Plan checked_plan(const Request& request, const Read& read, ClassSource& source,
                  std::uint64_t most) {
  expr::Variables variables;
  pipeline::Reading reading{source, variables};
  const BoundRead bound = bind(request, read);
  return plan_for(request, bound, parse_checked(request, bound, reading), source, most);
}

}  // namespace

// refuse_collscan applies as the operator's setting of that name: sub-queries over documents, which
// run before the outer query is planned, are refused too.
Reply explain(const Request& request) {
  if (!optional_string(request, "sql").empty()) return explain_sql(request);
  Read read = requested_read(request);
  const std::int64_t limit = optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit);
  read.order = optional_string(request, "order");
  read.limit = static_cast<std::uint64_t>(limit) + 1;
  Request asked = request;
  const bool refuses = optional_flag(request, "refuse_collscan", false);
  asked.settings.refuse_collscan = refuses || request.settings.refuse_collscan;
  ClassSource source(asked);
  Plan plan = checked_plan(asked, read, source, kAllDocuments);
  const auto [report, sql] = explain_plan(asked, *read.view, plan, source, kAllDocuments);
  if (report.is_refusable && refuses) refuse_full_scan(request, *read.view, report);
  return {{}, "{" + report_members(request, report, sql) + "}"};
}

Reply explain_pipeline(const Request& request, const Read& read, std::uint64_t most) {
  ClassSource source(request);
  Plan plan = checked_plan(request, read, source, most);
  const JsonDialect form = dialect_of(read.view, request.settings.row_form);
  Reply reply;
  reply.meta = R"({"pipeline_stages":)" + std::to_string(read.stages.elements().size()) +
               R"(,"pushed":)" +
               stages_json(with_canonical(read.view, with_text(read.filter, plan.pushed)), form) +
               R"(,"residual":)" + stages_json(plan.residual, form) + ",";
  if (read.view == nullptr) {
    reply.meta += R"("full_scan":false,"indexes_used":[],"estimated_rows":0})";
    return reply;
  }
  const auto [report, sql] = explain_plan(request, *read.view, plan, source, most);
  reply.meta += report_members(request, report, sql) + "}";
  return reply;
}

}  // namespace gantry::data
