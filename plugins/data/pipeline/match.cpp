// $match: the documents that satisfy a condition.
#include "match/condition.hpp"
#include "match/near.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class MatchStream final : public Stream {
 public:
  MatchStream(StreamPtr input, expr::Context context, const match::Condition& condition)
      : input_(std::move(input)), context_(std::move(context)), condition_(condition) {}
  bool next(Value& document) override {
    while (input_->next(document)) {
      context_.step();
      look_at(context_, document);
      if (condition_.passes(context_)) return true;
    }
    return false;
  }

 private:
  StreamPtr input_;
  expr::Context context_;
  const match::Condition& condition_;
};

class MatchStage final : public Stage {
 public:
  explicit MatchStage(match::ConditionPtr condition) : condition_(std::move(condition)) {}
  std::string_view name() const override { return "$match"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<MatchStream>(std::move(input), make_context(run, slots), *condition_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    condition_->add_paths(paths);
    return true;
  }
  bool passes_others() const override { return true; }

 private:
  match::ConditionPtr condition_;
};

}  // namespace

StagePtr parse_match(std::string_view name, const Value& spec, Reading& reading) {
  if (!spec.is_object()) refuse(name, "wants an object of conditions, not " + kind_of(spec));
  if (match::near_of(spec)) {
    refuse(name, "takes no $near or $nearSphere, which sort; use $geoWithin with $centerSphere");
  }
  return std::make_unique<MatchStage>(match::parse_condition(spec, reading.variables));
}

}  // namespace gantry::data::pipeline
