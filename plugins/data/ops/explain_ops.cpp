#include "ops/explain_ops.hpp"

#include <algorithm>

#include "ops/document_near.hpp"
#include "ops/document_where.hpp"
#include "ops/group_spec.hpp"
#include "pipeline/stages.hpp"
#include "plan/field_check.hpp"
#include "plan/plan_run.hpp"
#include "plan/scan.hpp"
#include "plan/text_match.hpp"
#include "sql/row_order.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kDefaultLimit = 100, kMaxLimit = 1000;

std::string stages_json(const Array& stages) {
  std::string json;
  append_value_json(Value::array(stages), JsonDialect::parse, json);
  return json;
}

// The plan of query_class and its statement.
struct Found {
  ScanReport report;
  Fragment sql;
};

Found explain_rows(const Request& request, const ClassView& cls, std::int64_t limit) {
  Clauses clauses{requested_where(request, cls), requested_order(request, cls), 0,
                  static_cast<std::uint64_t>(limit) + 1};
  const ScanBound bound = ScanBound::of(clauses);
  ClassSource source(request);
  ScanReport report =
      request.settings.refuse_collscan
          ? guarded_report(request.scope, source.lease(), cls, clauses, bound)
          : scan_report(request.scope, source.lease(), cls, select_rows(cls, "*", clauses), bound);
  return {std::move(report), select_rows(cls, "*", clauses)};
}

Plan checked_plan(const Request& request, const Pipeline& pipeline, ClassSource& source,
                  std::uint64_t most) {
  expr::Variables variables;
  pipeline::Reading reading{source, variables};
  return plan_for(request, pipeline, parse_checked(request, pipeline, reading), source, most);
}

Found explain_documents(const Request& request, const ClassView& cls, std::int64_t limit) {
  Finding finding;
  finding.limit = limit + 1;
  finding.where = document_where(request);
  finding.order = optional_string(request, "order");
  ClassSource source(request);
  if (is_near(finding)) {
    check_near(cls, finding);
    Fragment sql = select_rows(cls, "*", in_own_order(cls, {}));
    return {scan_report(request.scope, source.lease(), cls, sql, {}), sql};
  }
  const Pipeline pipeline = finding_pipeline(cls, finding);
  const Plan plan = checked_plan(request, pipeline, source, kAllDocuments);
  Fragment sql = plan_sql(plan, cls, "*");
  return {scan_report(request.scope, source.lease(), cls, sql, bound_of(plan, kAllDocuments)), sql};
}

}  // namespace

// refuse_collscan applies as the operator's setting of that name: sub-queries over documents, which
// run before the outer query is planned, are refused too.
Reply explain(const Request& request) {
  const ClassView& cls = requested_class(request);
  const std::int64_t limit = optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit);
  Request asked = request;
  const bool refuses = optional_flag(request, "refuse_collscan", false);
  asked.settings.refuse_collscan = refuses || request.settings.refuse_collscan;
  const Found found =
      cls.is_document() ? explain_documents(asked, cls, limit) : explain_rows(asked, cls, limit);
  if (found.report.is_refusable && refuses) refuse_full_scan(request, cls, found.report);
  return {{}, "{" + report_members(request, found.report, found.sql) + "}"};
}

Reply explain_pipeline(const Request& request, const Pipeline& pipeline, std::uint64_t most,
                       const Value& text) {
  ClassSource source(request);
  const Plan plan = checked_plan(request, pipeline, source, most);
  Reply reply;
  reply.meta = R"({"pipeline_stages":)" + std::to_string(pipeline.stages.elements().size()) +
               R"(,"pushed":)" + stages_json(with_text(text, plan.pushed)) + R"(,"residual":)" +
               stages_json(plan.residual) + ",";
  if (pipeline.cls == nullptr) {
    reply.meta += R"("full_scan":false,"indexes_used":[],"estimated_rows":0})";
    return reply;
  }
  const Fragment sql = plan_sql(plan, *pipeline.cls, "*");
  const ScanReport report =
      scan_report(request.scope, source.lease(), *pipeline.cls, sql, bound_of(plan, most));
  reply.meta += report_members(request, report, sql) + "}";
  return reply;
}

}  // namespace gantry::data
