#include "ops/aggregate_ops.hpp"

#include "ops/documents_reply.hpp"
#include "ops/explain_ops.hpp"
#include "ops/group_spec.hpp"
#include "ops/pipeline_arguments.hpp"
#include "pipeline/stages.hpp"
#include "plan/pipeline_run.hpp"
#include "plan/printed_pipeline.hpp"
#include "plan/text_match.hpp"
#include "plan/typed_stages.hpp"
#include "rows/document_dialect.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::uint64_t kAutoLimit = 200, kMostDocuments = 10'000;

// The maximum number of returned documents; empty: the pipeline has its own bound.
std::optional<std::uint64_t> bound_of(const Value& stages) {
  if (stages.elements().empty()) return kAutoLimit;
  const Value& last = stages.elements().back();
  if (!last.find("$count").is_missing()) return std::nullopt;
  const Value& limit = last.find("$limit");
  if (limit.is_missing()) return kAutoLimit;
  if (pipeline::read_limit(limit) <= kMostDocuments) return std::nullopt;
  return kMostDocuments;
}

std::string bound_note(std::uint64_t bound) {
  const std::string number = std::to_string(bound);
  const std::string hint =
      bound == kMostDocuments
          ? "There are more than the 10000 documents that one call gives. Narrow the $match, or "
            "read on with $sort, $skip and $limit."
          : "Only the first " + number +
                " documents are here. End the pipeline with {\"$limit\": n} (up to 10000) for "
                "more, or with $group or $count to sum them up.";
  return ",\"auto_limited\":true,\"auto_limit\":" + number + ",\"hint\":" + quoted_json(hint);
}

std::string classes_member(const std::map<std::string, std::string>& classes) {
  std::string json;
  for (const auto& [field, name] : classes) {
    json += (json.empty() ? ",\"pointer_classes\":{" : ",") + quoted_json(field) + ":" +
            quoted_json(name);
  }
  return json.empty() ? json : json + "}";
}

// `owns_id`: a stage of the pipeline made _id.
DirectAnswer answer_of(const Request& request, const Pipeline& pipeline, std::uint64_t most,
                       bool owns_id) {
  const JsonDialect dialect = dialect_of(pipeline.cls);
  const bool is_typed = dialect == JsonDialect::parse;
  const bool is_compact = optional_flag(request, "compact_pointers", is_typed);
  std::optional<DirectAnswer> printed;
  const auto print = [&](ClassSource& source, const Plan& plan) {
    if (!is_typed || owns_id) return false;
    printed = direct_aggregate(request, pipeline, source, plan, most,
                               is_compact ? Pointers::ids : Pointers::objects);
    return printed.has_value();
  };
  Documents found = run_pipeline(request, pipeline, most, print);
  if (printed) return std::move(*printed);
  if (is_typed) apply_dialect(found.list, owns_id);
  DirectAnswer answer;
  if (is_compact) answer.classes = compact_pointers(found.list);
  answer.rows = documents_json(request, found.list, dialect);
  answer.count = found.list.size();
  answer.has_more = found.has_more;
  return answer;
}

}  // namespace

Reply aggregate(const Request& request) {
  const Value stages = requested_stages(request);
  Pipeline pipeline;
  pipeline.cls = class_of_stages(request, stages);
  TextMatch text = take_text(request, pipeline.cls, stages);
  const BoundStages typed = bind_literals(text.stages, pipeline.cls, request.scope);
  pipeline.where = std::move(text.where);
  pipeline.stages = typed.stages;
  const auto bound = bound_of(stages);
  const std::uint64_t most = bound.value_or(std::numeric_limits<std::uint64_t>::max());
  if (optional_flag(request, "plan", false)) {
    return explain_pipeline(request, pipeline, most, text.pushed);
  }
  DirectAnswer found = answer_of(request, pipeline, most, typed.owns_id);
  Reply reply;
  reply.rows = std::move(found.rows);
  reply.meta = "{\"pipeline_stages\":" + std::to_string(stages.elements().size()) +
               ",\"result_count\":" + std::to_string(found.count) + classes_member(found.classes);
  if (bound && found.has_more) reply.meta += bound_note(*bound);
  reply.meta += "}";
  return reply;
}

}  // namespace gantry::data
