#include "ops/plan_run.hpp"

#include <algorithm>

#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

Fragment both(const Fragment& a, const Fragment& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  Fragment sql = a;
  return std::move(sql.add(" AND ").add(b));
}

bool is_found(ClassSource& source, const Fragment& sql) {
  const CursorPtr cursor = source.prepare(sql);
  const bool is_there = cursor->next();
  if (!cursor->status()) throw QueryError(statement_error(cursor->status()));
  return is_there;
}

// True if a row violates the assumption. The first request checks only the rows that match `where`,
// which costs less than the sort. A repeated request checks the whole table; a negative result is
// cached until the next commit.
bool has_row(const Request& request, ClassSource& source, const ClassInfo& cls,
             const Fragment& where, const Fragment& exception) {
  Fragment all{"SELECT 1 FROM " + cls.table + " WHERE (", {}};
  all.add(exception).add(")");
  Fragment some = all;
  if (!where.empty()) some.add(" AND ").add(where);
  some.add(" LIMIT 1");
  all.add(" LIMIT 1");
  if (request.memory == nullptr) return is_found(source, some);
  const std::uint64_t commits = request.store.commits_seen();
  VerifiedAssumptions& memory = *request.memory;
  if (memory.found_nothing(all.text, commits)) return false;
  const std::string once = "once: " + all.text;
  const bool is_first = !where.empty() && !memory.found_nothing(once, commits);
  memory.keep(once, commits);
  if (is_first) return is_found(source, some);
  if (!is_found(source, all)) return memory.keep(all.text, commits), false;
  return where.empty() || is_found(source, some);
}

bool has_exception(const Request& request, ClassSource& source, const Pipeline& what,
                   const Plan& plan) {
  const Fragment where = both(what.where, plan.where);
  return std::any_of(plan.exceptions.begin(), plan.exceptions.end(), [&](const Fragment& one) {
    return has_row(request, source, *what.cls, where, one);
  });
}

pipeline::StreamPtr open_count(ClassSource& source, const Pipeline& what, const Plan& plan) {
  const CursorPtr cursor = source.prepare(plan_sql(plan, what, {}));
  const std::int64_t count = cursor->next() ? cursor->row()[0].integer : 0;
  if (!cursor->status()) throw QueryError(statement_error(cursor->status()));
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
  if (plan.limit) return plan.skip + *plan.limit;
  if (!plan.count.empty()) return std::nullopt;
  for (const Value& stage : plan.residual) {
    const auto& [name, spec] = stage.members().front();
    if (name == "$limit") return plan.skip + pipeline::read_limit(spec);
    if (!is_one_to_one(name)) return std::nullopt;
  }
  return most < kAllDocuments - 1 ? std::optional(plan.skip + most + 1) : std::nullopt;
}

// Where an index search and a sort avoid a full scan in the requested order, uses them.
void spare_scan(const Request& request, const Pipeline& what, ClassSource& source, Plan& plan,
                std::uint64_t most) {
  if (!plan.count.empty()) return;
  Fragment order{plan.order.empty() ? own_order(*what.cls) : plan.order, {}};
  const auto sql = [&](const Fragment& by) {
    Plan ordered = plan;
    ordered.order = by.text;
    return plan_sql(ordered, what, "*");
  };
  const ScanBound bound = bound_of(what, plan, most);
  const auto report = guarded_report(request.scope, source.lease(), {*what.cls, sql, bound}, order);
  if (report && !report->is_refusable) plan.order = order.text;
}

}  // namespace

ScanBound bound_of(const Pipeline& what, const Plan& plan, std::uint64_t most) {
  return {!what.where.empty() || !plan.where.empty(), rows_of(plan, most)};
}

Plan plan_for(const Request& request, const Pipeline& what, ClassSource& source,
              std::uint64_t most) {
  if (what.cls == nullptr || !request.settings.pushdown) return no_plan(what.stages);
  Plan plan = make_plan(what.stages, *what.cls, request.scope);
  if (has_exception(request, source, what, plan)) {
    plan = make_plan(what.stages, *what.cls, request.scope, false);
  }
  // One document more than requested, to detect further ones.
  const bool is_all = plan.residual.empty() && plan.count.empty();
  if (is_all && most < kAllDocuments - 1) {
    plan.limit = std::min(plan.limit.value_or(kAllDocuments), most + 1);
  }
  if (request.settings.refuse_collscan) spare_scan(request, what, source, plan, most);
  return plan;
}

Fragment plan_sql(const Plan& plan, const Pipeline& what, std::string_view columns) {
  const Fragment where = both(what.where, plan.where);
  if (plan.count.empty()) {
    return rows_sql(*what.cls, columns, where, {plan.order, plan.skip, plan.limit});
  }
  Fragment sql{"SELECT count(*) FROM ", {}};
  if (!plan.limit && plan.skip == 0) {
    sql.add(what.cls->table);
    return where.empty() ? sql : std::move(sql.add(" WHERE ").add(where));
  }
  ClassInfo unordered = *what.cls;
  unordered.rowid.clear();
  unordered.id_fields.clear();
  unordered.order_tells = false;
  sql.add("(").add(rows_sql(unordered, "1", where, {{}, plan.skip, plan.limit}));
  return std::move(sql.add(")"));
}

pipeline::StreamPtr open_plan(ClassSource& source, const Pipeline& what, const Plan& plan,
                              const pipeline::Stages& residual) {
  if (what.cls == nullptr) return nullptr;  // $documents reads no rows
  if (!plan.count.empty()) return open_count(source, what, plan);
  std::set<std::string> paths;
  const bool is_some = pipeline::add_pipeline_paths(residual, paths);
  return source.scan_where(*what.cls, both(what.where, plan.where), is_some ? &paths : nullptr,
                           {plan.order, plan.skip, plan.limit});
}

}  // namespace gantry::data
