#include "plan/plan_run.hpp"

#include <algorithm>

#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"
#include "plan/assumption.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

bool has_exception(const ReadContext& context, ClassSource& source, const ClassView& cls,
                   const Predicate& where, const std::vector<Predicate>& exceptions) {
  return std::any_of(exceptions.begin(), exceptions.end(), [&](const Predicate& one) {
    return has_row(context, source, cls, where, one);
  });
}

bool hides_nothing(const ReadContext& context, const ClassView& cls,
                   const std::vector<Predicate>& exceptions) {
  return std::all_of(exceptions.begin(), exceptions.end(), [&](const Predicate& one) {
    return short_look(context, cls, one) == Look::nothing;
  });
}

// Whether rows of the read sort otherwise than their stored values do.
bool sorts_otherwise(const ReadContext& context, const BoundRead& read, ClassSource& source) {
  const ClassView& cls = *read.cls;
  const auto& [sql, exceptions, doubts, exact] = read.order;
  if (cls.is_ruled()) {
    return has_exception(context, source, cls, read.clauses.where, exceptions);
  }
  return !hides_nothing(context, cls, exceptions) ||
         std::any_of(doubts.begin(), doubts.end(), [&](const Predicate& doubt) {
           return short_look(context, cls, doubt) == Look::row;
         });
}

// The read in the exact order, if it has to be.
std::optional<BoundRead> in_exact_order(const ReadContext& context, const BoundRead& read,
                                        ClassSource& source) {
  if (read.order.exact.empty() || !sorts_otherwise(context, read, source)) return {};
  BoundRead exact = read;
  exact.clauses.order = read.order.exact;
  return exact;
}

pipeline::StreamPtr open_count(ClassSource& source, const ClassView& cls, const Plan& plan) {
  const std::uint64_t count = count_rows(source, cls, plan.clauses);
  Array documents;
  if (count > 0) {
    documents.push_back(ObjectBuilder().add(plan.count, Value::integer(count)).build());
  }
  return std::make_unique<pipeline::ListStream>(std::move(documents));
}

// Stages with one output document per input document.
bool is_one_to_one(std::string_view name) {
  constexpr std::string_view kNames[] = {"$addFields",   "$lookup", "$project", "$replaceRoot",
                                         "$replaceWith", "$set",    "$unset"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// The maximum number of rows read, if the stages determine it.
std::optional<std::uint64_t> rows_of(const Plan& plan, std::uint64_t most) {
  const Clauses& clauses = plan.clauses;
  if (clauses.limit) return clauses.skip + *clauses.limit;
  if (!plan.count.empty()) return std::nullopt;
  for (const Value& stage : plan.residual) {
    const auto& [name, spec] = stage.members().front();
    if (name == "$limit") return clauses.skip + pipeline::read_limit(spec);
    if (!is_one_to_one(name)) return std::nullopt;
  }
  return most < kAllDocuments - 1 ? std::optional(clauses.skip + most + 1) : std::nullopt;
}

}  // namespace

ScanBound bound_of(const Plan& plan, std::uint64_t most) {
  ScanBound bound = ScanBound::of(plan.clauses);
  bound.limit = rows_of(plan, most);
  return bound;
}

Plan plan_for(const ReadContext& context, const BoundRead& read, const ParsedRead& parsed,
              ClassSource& source, std::uint64_t most) {
  if (read.cls == nullptr) return no_plan(read, parsed);
  const Dialect& dialect = context.store.dialect();
  const bool pushes = context.settings.pushdown;
  const auto exact = in_exact_order(context, read, source);
  const BoundRead& ordered = exact ? *exact : read;
  Plan plan = pushes ? make_plan(ordered, parsed, dialect) : no_plan(ordered, parsed);
  if (has_exception(context, source, *read.cls, plan.clauses.where, plan.exceptions)) {
    plan = make_plan(ordered, parsed, dialect, false);
  }
  // One document more than requested, to detect further ones.
  const bool is_all = plan.residual.empty() && plan.count.empty();
  if (pushes && is_all && most < kAllDocuments - 1) {
    plan.clauses.limit = std::min(plan.clauses.limit.value_or(kAllDocuments), most + 1);
  }
  if (!read.is_ordered) plan.clauses = in_own_order(*read.cls, std::move(plan.clauses));
  return plan;
}

Fragment plan_sql(const Plan& plan, const ClassView& cls, std::string_view columns) {
  if (!plan.count.empty()) return count_rows(cls, plan.clauses);
  return select_rows(cls, columns, plan.clauses);
}

void refuse_planned_scan(const ReadContext& context, const BoundRead& read, Plan& plan,
                         ClassSource& source, std::uint64_t most) {
  if (read.cls == nullptr || !context.settings.refuse_collscan) return;
  const ClassView& cls = *read.cls;
  const ScanBound bound = bound_of(plan, most);
  if (plan.count.empty()) return refuse_scan(context, source.lease(), cls, plan.clauses, bound);
  refuse_scan(context, source.lease(), cls, plan_sql(plan, cls, {}), bound);
}

ExplainedPlan explain_plan(const ReadContext& context, const ClassView& cls, Plan& plan,
                           ClassSource& source, std::uint64_t most) {
  const ScanBound bound = bound_of(plan, most);
  const bool may_reorder = context.settings.refuse_collscan && plan.count.empty();
  ScanReport report =
      may_reorder
          ? guarded_report(context.scope, source.lease(), cls, plan.clauses, bound)
          : scan_report(context.scope, source.lease(), cls, plan_sql(plan, cls, "*"), bound);
  return {std::move(report), plan_sql(plan, cls, "*")};
}

pipeline::StreamPtr open_plan(ClassSource& source, const BoundRead& read, const Plan& plan,
                              const pipeline::Stages& residual) {
  if (read.cls == nullptr) return nullptr;  // $documents reads no rows
  if (!plan.count.empty()) return open_count(source, *read.cls, plan);
  std::set<std::string> paths;
  const bool is_some = pipeline::add_pipeline_paths(residual, paths);
  return source.scan_where(*read.cls, is_some ? &paths : nullptr, plan.clauses);
}

}  // namespace gantry::data
