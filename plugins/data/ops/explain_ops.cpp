#include "ops/explain_ops.hpp"

#include <algorithm>

#include "ops/field_check.hpp"
#include "ops/group_spec.hpp"
#include "ops/plan_run.hpp"
#include "ops/scan.hpp"
#include "pipeline/stages.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kDefaultLimit = 100, kMaxLimit = 1000;

// Stages that give one document for each of theirs.
bool is_one_to_one(std::string_view name) {
  constexpr std::string_view kNames[] = {"$addFields",   "$lookup", "$project", "$replaceRoot",
                                         "$replaceWith", "$set",    "$unset"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// How many rows are read at most, where that follows from the stages.
std::optional<std::uint64_t> rows_of(const Plan& plan, std::uint64_t most) {
  if (plan.limit) return plan.skip + *plan.limit;
  if (!plan.count.empty()) return std::nullopt;
  for (const Value& stage : plan.residual) {
    const auto& [name, spec] = stage.members().front();
    if (name == "$limit") return plan.skip + pipeline::read_limit(spec);
    if (!is_one_to_one(name)) return std::nullopt;
  }
  return most < kAllDocuments - 1 ? std::optional(plan.skip + most + 1) : std::nullopt;
}

ScanBound bound_of(const Pipeline& pipeline, const Plan& plan, std::uint64_t most) {
  return {!pipeline.where.empty() || !plan.where.empty(), rows_of(plan, most)};
}

std::string stages_json(const Array& stages) {
  std::string json;
  append_value_json(Value::array(stages), Dress::parse, json);
  return json;
}

ScanReport report_or_throw(ClassSource& source, const ClassInfo& cls, const Fragment& sql,
                           const ScanBound& bound) {
  return value_or_throw(scan_report(source.lease(), cls, sql, bound));
}

Value stage(std::string_view name, Value spec) {
  return ObjectBuilder().add(std::string(name), std::move(spec)).build();
}

// "-createdAt,name" as a $sort.
Value sort_of(std::string_view order) {
  ObjectBuilder keys;
  while (!order.empty()) {
    const auto comma = order.find(',');
    std::string_view key = order.substr(0, comma);
    const bool is_down = key.starts_with('-');
    if (is_down || key.starts_with('+')) key.remove_prefix(1);
    keys.set(key, Value::int32(is_down ? -1 : 1));
    order = comma == std::string_view::npos ? std::string_view() : order.substr(comma + 1);
  }
  return keys.build();
}

// What query_class reads of a typed class.
struct Query {
  const ClassInfo* cls = nullptr;
  Fragment sql;
  ScanBound bound;
};

Query typed_query(const Request& request, const ClassInfo& cls, std::int64_t limit) {
  Query query{&cls, {}, {}};
  const Fragment where = value_or_throw(requested_where(request, cls));
  const std::string_view order = value_or_throw(optional_string(request, "order"));
  auto order_sql = compile_order(order, cls, request.scope, {});
  if (!order_sql) throw QueryError(of_argument(order_sql.error()));
  query.sql = query_sql(cls, where, *order_sql, limit + 1);
  query.bound = {!where.empty(), static_cast<std::uint64_t>(limit) + 1};
  return query;
}

Query document_query(const Request& request, const ClassInfo& cls, std::int64_t limit,
                     ClassSource& source) {
  Array stages;
  const auto* where = value_or_throw(optional_object(request, "where"));
  if (where != nullptr && !where->ObjectEmpty()) {
    stages.push_back(stage("$match", value_of(*where)));
  }
  const std::string_view order = value_or_throw(optional_string(request, "order"));
  if (!order.empty()) stages.push_back(stage("$sort", sort_of(order)));
  stages.push_back(stage("$limit", Value::integer(limit + 1)));
  const Pipeline pipeline{&cls, {}, Value::array(std::move(stages))};
  check_pipeline(request, pipeline);
  const Plan plan = plan_for(request, pipeline, source);
  return {&cls, plan_sql(plan, pipeline, "*"), bound_of(pipeline, plan, kAllDocuments)};
}

Reply run_explain(const Request& request) {
  const ClassInfo& cls = *value_or_throw(requested_class(request));
  const std::int64_t limit =
      value_or_throw(optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit));
  ClassSource source(request);
  const Query query = cls.document.empty() ? typed_query(request, cls, limit)
                                           : document_query(request, cls, limit, source);
  const ScanReport report = report_or_throw(source, cls, query.sql, query.bound);
  if (report.full_scan && requested_flag(request, "refuse_collscan", false)) {
    throw QueryError(full_scan_error(request, cls, report));
  }
  return {{}, "{" + report_members(request, report, query.sql) + "}"};
}

}  // namespace

Outcome<Reply> explain(const Request& request) { return answer_or_error(request, run_explain); }

Reply explain_pipeline(const Request& request, const Pipeline& pipeline, std::uint64_t most) {
  check_pipeline(request, pipeline);
  ClassSource source(request);
  const Plan plan = plan_for(request, pipeline, source, most);
  Reply reply;
  reply.meta = R"({"pipeline_stages":)" + std::to_string(pipeline.stages.elements().size()) +
               R"(,"pushed":)" + stages_json(plan.pushed) + R"(,"residual":)" +
               stages_json(plan.residual) + ",";
  if (pipeline.cls == nullptr) {
    reply.meta += R"("full_scan":false,"indexes_used":[],"estimated_rows":0})";
    return reply;
  }
  const Fragment sql = plan_sql(plan, pipeline, "*");
  const ScanReport report =
      report_or_throw(source, *pipeline.cls, sql, bound_of(pipeline, plan, most));
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
