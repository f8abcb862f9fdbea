#include "plan/pipeline_run.hpp"

#include <chrono>
#include <optional>
#include <random>

#include "plan/class_source.hpp"
#include "plan/field_check.hpp"
#include "plan/plan_run.hpp"

namespace gantry::data {
namespace {

std::int64_t milliseconds_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Limits the memory of collected documents; far above any answer that fits.
void refuse_if_too_heavy(const ReadContext& context, std::size_t weight) {
  const std::size_t most = std::max<std::size_t>(64u << 20, 16 * context.max_bytes);
  if (weight <= most) return;
  throw QueryError(invalid_argument(
      "The answer would be far larger than the " + std::to_string(context.max_bytes) +
      " bytes allowed. Keep fewer fields with $project, or fewer documents with $limit."));
}

}  // namespace

pipeline::Stages parse_checked(const ReadContext& context, const Pipeline& what,
                               pipeline::Reading& reading) {
  pipeline::Stages stages = pipeline::parse_pipeline(what.stages, reading);
  check_fields(what.stages, stages, what.cls, context.scope, reading);
  if (!reading.variables.is_deterministic()) context.scope.lose_determinism();
  return stages;
}

void check_pipeline(const ReadContext& context, const Pipeline& what) {
  ClassSource source(context);
  expr::Variables variables;
  pipeline::Reading reading{source, variables};
  (void)parse_checked(context, what, reading);
}

void visit_pipeline(const ReadContext& context, const Pipeline& what, const VisitDocument& visit,
                    std::uint64_t most) {
  visit_pipeline_beside(
      context, what, [&](Value& document, ClassSource&) { return visit(document); }, most);
}

void visit_pipeline_beside(const ReadContext& context, const Pipeline& what,
                           const VisitBeside& visit, std::uint64_t most, const TakePlan& take) {
  ClassSource source(context,
                     what.shows_ids ? DocumentReader::Ids::shown : DocumentReader::Ids::none);
  expr::Variables variables;
  pipeline::Reading reading{source, variables};
  pipeline::Stages stages = parse_checked(context, what, reading);
  const Plan plan = plan_for(context, what, stages, source, most);
  refuse_planned_scan(context, what, plan, source, most);
  if (take && take(source, plan)) return source.confirm();
  stages = residual_stages(std::move(stages), plan);

  expr::Context base;
  base.slots.resize(variables.slots());
  base.now = milliseconds_now();
  // Its construction costs more than a small answer, and few pipelines need it.
  std::optional<std::mt19937_64> generator;
  pipeline::Run run{source, base, [&] {
                      context.scope.lose_determinism();
                      if (!generator) generator.emplace(std::random_device{}());
                      return std::uniform_real_distribution<double>(0, 1)(*generator);
                    }};
  const pipeline::StreamPtr stream =
      pipeline::open_pipeline(stages, open_plan(source, what, plan, stages), run, base.slots);
  for (Value document; stream->next(document);) {
    run.tick();
    if (!visit(document, source)) break;
  }
  source.confirm();
}

Documents run_pipeline(const ReadContext& context, const Pipeline& what, std::uint64_t most,
                       const TakePlan& take) {
  Documents found;
  std::size_t weight = 0;
  const auto keep = [&](Value& document, ClassSource&) {
    found.has_more = found.list.size() == most;
    if (found.has_more) return false;
    refuse_if_too_heavy(context, weight += weight_of(document));
    found.list.push_back(std::move(document));
    return true;
  };
  visit_pipeline_beside(context, what, keep, most, take);
  return found;
}

}  // namespace gantry::data
