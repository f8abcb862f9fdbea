#include "ops/explain_ops.hpp"

#include <algorithm>

#include "ops/document_near.hpp"
#include "ops/document_where.hpp"
#include "ops/field_check.hpp"
#include "ops/group_spec.hpp"
#include "ops/plan_run.hpp"
#include "ops/scan.hpp"
#include "ops/text_match.hpp"
#include "pipeline/stages.hpp"
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

ScanReport report_or_throw(const Request& request, ClassSource& source, const ClassInfo& cls,
                           const Fragment& sql, const ScanBound& bound) {
  return value_or_throw(scan_report(request.scope, source.lease(), cls, sql, bound));
}

// The plan of query_class and its statement.
struct Found {
  ScanReport report;
  Fragment sql;
};

Found explain_rows(const Request& request, const ClassInfo& cls, std::int64_t limit) {
  const Fragment where = value_or_throw(requested_where(request, cls));
  const std::string_view text = value_or_throw(optional_string(request, "order"));
  auto order = compile_order(text, cls, request.scope, {});
  if (!order) throw QueryError(of_argument(order.error()));
  *order = settled_order(cls, std::move(*order));
  const auto sql = [&](const Fragment& by) { return query_sql(cls, where, by, limit + 1); };
  const OrderedRead read{cls, sql, {!where.empty(), static_cast<std::uint64_t>(limit) + 1}};
  ClassSource source(request);
  auto report = request.settings.refuse_collscan
                    ? guarded_report(request.scope, source.lease(), read, *order)
                    : scan_report(request.scope, source.lease(), cls, sql(*order), read.bound);
  return {value_or_throw(std::move(report)), sql(*order)};
}

Found explain_documents(const Request& request, const ClassInfo& cls, std::int64_t limit) {
  Finding finding;
  finding.limit = limit + 1;
  finding.where = document_where(request);
  finding.order = value_or_throw(optional_string(request, "order"));
  ClassSource source(request);
  if (is_near(finding)) {
    check_near(request, cls, finding);
    Fragment sql = rows_sql(cls, "*", {}, {});
    return {report_or_throw(request, source, cls, sql, {}), sql};
  }
  const Pipeline pipeline = finding_pipeline(cls, finding);
  check_pipeline(request, pipeline);
  const Plan plan = plan_for(request, pipeline, source);
  Fragment sql = plan_sql(plan, pipeline, "*");
  ScanReport report =
      report_or_throw(request, source, cls, sql, bound_of(pipeline, plan, kAllDocuments));
  return {std::move(report), std::move(sql)};
}

}  // namespace

// refuse_collscan applies as the operator's setting of that name: sub-queries over documents, which
// run before the outer query is planned, are refused too.
Reply explain(const Request& request) {
  const ClassInfo& cls = *value_or_throw(requested_class(request));
  const std::int64_t limit =
      value_or_throw(optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit));
  Request asked = request;
  const bool refuses = requested_flag(request, "refuse_collscan", false);
  asked.settings.refuse_collscan = refuses || request.settings.refuse_collscan;
  const Found found =
      cls.document.empty() ? explain_rows(asked, cls, limit) : explain_documents(asked, cls, limit);
  if (found.report.is_refusable && refuses) {
    throw QueryError(full_scan_error(request, cls, found.report));
  }
  return {{}, "{" + report_members(request, found.report, found.sql) + "}"};
}

Reply explain_pipeline(const Request& request, const Pipeline& pipeline, std::uint64_t most,
                       const Value& text) {
  check_pipeline(request, pipeline);
  ClassSource source(request);
  const Plan plan = plan_for(request, pipeline, source, most);
  Reply reply;
  reply.meta = R"({"pipeline_stages":)" + std::to_string(pipeline.stages.elements().size()) +
               R"(,"pushed":)" + stages_json(with_text(text, plan.pushed)) + R"(,"residual":)" +
               stages_json(plan.residual) + ",";
  if (pipeline.cls == nullptr) {
    reply.meta += R"("full_scan":false,"indexes_used":[],"estimated_rows":0})";
    return reply;
  }
  const Fragment sql = plan_sql(plan, pipeline, "*");
  const ScanReport report =
      report_or_throw(request, source, *pipeline.cls, sql, bound_of(pipeline, plan, most));
  reply.meta += report_members(request, report, sql) + "}";
  return reply;
}

void refuse_planned_scan(const Request& request, const Pipeline& pipeline, const Plan& plan,
                         ClassSource& source, std::uint64_t most) {
  if (pipeline.cls == nullptr || !request.settings.refuse_collscan) return;
  auto refused = refused_scan(request, source.lease(), *pipeline.cls, plan_sql(plan, pipeline, "*"),
                              bound_of(pipeline, plan, most));
  if (refused) throw QueryError(std::move(*refused));
}

}  // namespace gantry::data
