// $match: the documents that satisfy a condition.
#include "filter/condition.hpp"
#include "filter/geo/near.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class MatchStream final : public Stream {
 public:
  MatchStream(StreamPtr input, expr::Context context, filter::ConditionPtr filter)
      : input_(std::move(input)), context_(std::move(context)), filter_(std::move(filter)) {}
  bool next(Value& document) override {
    while (input_->next(document)) {
      context_.step();
      look_at(context_, document);
      if (filter_->passes(context_)) return true;
    }
    return false;
  }

 private:
  StreamPtr input_;
  expr::Context context_;
  filter::ConditionPtr filter_;
};

class MatchStage final : public Stage {
 public:
  explicit MatchStage(filter::ConditionPtr filter) : filter_(std::move(filter)) {}
  std::string_view name() const override { return "$match"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<MatchStream>(std::move(input), make_context(run, slots), filter_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    filter_->add_paths(paths);
    return true;
  }
  bool passes_others() const override { return true; }
  filter::ConditionPtr filter() const override { return filter_; }

 private:
  filter::ConditionPtr filter_;
};

}  // namespace

StagePtr parse_match(std::string_view name, const Value& spec, Reading& reading) {
  if (!spec.is_object()) refuse(name, "wants an object of conditions, not " + kind_of(spec));
  if (filter::near_of(spec)) {
    refuse(name, "takes no $near or $nearSphere, which sort; use $geoWithin with $centerSphere");
  }
  return match_stage(filter::parse_condition(spec, reading.variables));
}

StagePtr match_stage(filter::ConditionPtr filter) {
  return std::make_unique<MatchStage>(std::move(filter));
}

}  // namespace gantry::data::pipeline
