#include "plan/plan_run.hpp"

#include <algorithm>

#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

bool is_found(ClassSource& source, const ClassView& cls, const Predicate& where) {
  const CursorPtr cursor = source.prepare(select_rows(cls, "1", {where, {}, 0, 1}));
  const bool is_there = cursor->next();
  check_end(*cursor);
  return is_there;
}

// True if a row violates the assumption. The first request checks only the rows that match `where`,
// which costs less than the sort. A repeated request checks the whole table; a negative result is
// cached until the next commit.
bool has_row(const ReadContext& context, ClassSource& source, const ClassView& cls,
             const Predicate& where, const Predicate& exception) {
  const Predicate some = Predicate(exception).also(where);
  if (context.memory == nullptr) return is_found(source, cls, some);
  const std::uint64_t commits = context.store.commits_seen();
  VerifiedAssumptions& memory = *context.memory;
  const std::string all = context.scope.rules().fingerprint() + cls.name + '\0' +
                          exception.plain.text + exception.matched.text;
  if (memory.found_nothing(all, commits)) return false;
  const std::string once = "once: " + all;
  const bool is_first = !where.empty() && !memory.found_nothing(once, commits);
  memory.keep(once, commits);
  if (is_first) return is_found(source, cls, some);
  if (!is_found(source, cls, exception)) return memory.keep(all, commits), false;
  return where.empty() || is_found(source, cls, some);
}

bool has_exception(const ReadContext& context, ClassSource& source, const Pipeline& what,
                   const Plan& plan) {
  const Predicate where = Predicate(what.where).also(plan.clauses.where);
  return std::any_of(plan.exceptions.begin(), plan.exceptions.end(), [&](const Predicate& one) {
    return has_row(context, source, *what.cls, where, one);
  });
}

pipeline::StreamPtr open_count(ClassSource& source, const Pipeline& what, const Plan& plan) {
  const CursorPtr cursor = source.prepare(plan_sql(plan, *what.cls, {}));
  const std::int64_t count = cursor->next() ? cursor->row()[0].integer : 0;
  check_end(*cursor);
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

// Where an index search and a sort avoid a full scan in the requested order, uses them.
void spare_scan(const ReadContext& context, const Pipeline& what, ClassSource& source, Plan& plan,
                std::uint64_t most) {
  if (!plan.count.empty()) return;
  Clauses clauses = in_own_order(*what.cls, plan.clauses);
  const ScanBound bound = bound_of(plan, most);
  const auto report = guarded_report(context.scope, source.lease(), *what.cls, clauses, bound);
  if (!report.is_refusable) plan.clauses.order = std::move(clauses.order);
}

}  // namespace

ScanBound bound_of(const Plan& plan, std::uint64_t most) {
  ScanBound bound = ScanBound::of(plan.clauses);
  bound.limit = rows_of(plan, most);
  return bound;
}

Plan plan_for(const ReadContext& context, const Pipeline& what, const pipeline::Stages& parsed,
              ClassSource& source, std::uint64_t most) {
  if (what.cls == nullptr) return no_plan(what.stages);
  const auto plan_of = [&](bool may_trust) {
    return make_plan(what.stages, parsed, *what.cls, context.store.dialect(), may_trust);
  };
  Plan plan = context.settings.pushdown ? plan_of(true) : no_plan(what.stages);
  if (has_exception(context, source, what, plan)) plan = plan_of(false);
  plan.clauses.where = Predicate(what.where).also(plan.clauses.where);
  // One document more than requested, to detect further ones.
  const bool is_all = plan.residual.empty() && plan.count.empty();
  if (context.settings.pushdown && is_all && most < kAllDocuments - 1) {
    plan.clauses.limit = std::min(plan.clauses.limit.value_or(kAllDocuments), most + 1);
  }
  if (context.settings.refuse_collscan) spare_scan(context, what, source, plan, most);
  return plan;
}

Fragment plan_sql(const Plan& plan, const ClassView& cls, std::string_view columns) {
  if (!plan.count.empty()) return count_rows(cls, plan.clauses);
  return select_rows(cls, columns, in_own_order(cls, plan.clauses));
}

void refuse_planned_scan(const ReadContext& context, const Pipeline& what, const Plan& plan,
                         ClassSource& source, std::uint64_t most) {
  if (what.cls == nullptr || !context.settings.refuse_collscan) return;
  refuse_scan(context, source.lease(), *what.cls, plan_sql(plan, *what.cls, "*"),
              bound_of(plan, most));
}

pipeline::StreamPtr open_plan(ClassSource& source, const Pipeline& what, const Plan& plan,
                              const pipeline::Stages& residual) {
  if (what.cls == nullptr) return nullptr;  // $documents reads no rows
  if (!plan.count.empty()) return open_count(source, what, plan);
  std::set<std::string> paths;
  const bool is_some = pipeline::add_pipeline_paths(residual, paths);
  return source.scan_where(*what.cls, is_some ? &paths : nullptr, plan.clauses);
}

}  // namespace gantry::data
