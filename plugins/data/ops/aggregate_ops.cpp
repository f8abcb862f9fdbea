#include "ops/aggregate_ops.hpp"

#include "ops/documents_reply.hpp"
#include "ops/explain_ops.hpp"
#include "ops/pipeline_arguments.hpp"
#include "pipeline/stages.hpp"
#include "plan/printed_pipeline.hpp"
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

// The agent's cap bounds pipelines with a bound of their own too.
std::optional<std::uint64_t> capped_bound(const Request& request,
                                          std::optional<std::uint64_t> bound) {
  const std::uint64_t most = capped_rows(request, bound.value_or(kAllDocuments));
  return most < kAllDocuments ? std::optional(most) : bound;
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

// Writes the answer from the plan's rows if it can, else collects documents.
class AnswerSink final : public DocumentList {
 public:
  AnswerSink(const Request& request, const Read& read, std::uint64_t most)
      : DocumentList(request, most),
        request_(request),
        read_(read),
        most_(most),
        dialect_(dialect_of(read.view, request.settings.row_form)),
        is_compact_(optional_flag(request, "compact_pointers", dialect_ == JsonDialect::parse)) {}

  bool take(ClassSource& source, const Plan& plan) override {
    if (dialect_ != JsonDialect::plain || is_compact_) return false;
    printed_ = direct_aggregate(request_, read_.view, source, plan, most_);
    return printed_.has_value();
  }

  DirectAnswer answer() {
    if (printed_) return std::move(*printed_);
    Documents found = take_found();
    if (dialect_ == JsonDialect::parse) put_in_parse_form(request_, read_, found.list);
    DirectAnswer answer;
    if (is_compact_) classes_ = compact_pointers(found.list);
    answer.rows = documents_json(request_, found.list, dialect_);
    answer.count = found.list.size();
    answer.has_more = found.has_more;
    return answer;
  }
  // The classes of pointers that were written as ids, by field.
  const std::map<std::string, std::string>& classes() const { return classes_; }

 private:
  const Request& request_;
  const Read& read_;
  const std::uint64_t most_;
  const JsonDialect dialect_;
  const bool is_compact_;
  std::optional<DirectAnswer> printed_;
  std::map<std::string, std::string> classes_;
};

}  // namespace

Reply aggregate(const Request& request) {
  const Value stages = requested_stages(request);
  const Read read = pipeline_read(request, stages);
  const auto bound = capped_bound(request, bound_of(stages));
  const std::uint64_t most = bound.value_or(kAllDocuments);
  if (optional_flag(request, "plan", false)) {
    return explain_pipeline(request, read, most);
  }
  AnswerSink sink(request, read, most);
  run_read(request, read, sink, most);
  DirectAnswer found = sink.answer();
  Reply reply;
  reply.rows = std::move(found.rows);
  reply.meta = "{\"pipeline_stages\":" + std::to_string(stages.elements().size()) +
               ",\"result_count\":" + std::to_string(found.count) + classes_member(sink.classes());
  if (bound && found.has_more) reply.meta += bound_note(*bound);
  reply.meta += "}";
  return reply;
}

}  // namespace gantry::data
