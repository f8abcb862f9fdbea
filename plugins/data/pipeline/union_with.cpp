// $unionWith: the documents of the input, then those of another class.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/sub_pipeline.hpp"

namespace gantry::data::pipeline {
namespace {

class UnionStream final : public Stream {
 public:
  UnionStream(StreamPtr input, Run& run, const SubPipeline& other, Array slots)
      : input_(std::move(input)), run_(run), other_(other), slots_(std::move(slots)) {}
  bool next(Value& document) override {
    if (input_->next(document)) return true;
    if (is_other_) return false;
    is_other_ = true;
    input_ = other_.open(other_.scan(run_, slots_), run_, slots_);
    return input_->next(document);
  }

 private:
  StreamPtr input_;
  Run& run_;
  const SubPipeline& other_;
  Array slots_;
  bool is_other_ = false;
};

class UnionStage final : public Stage {
 public:
  explicit UnionStage(SubPipeline other) : other_(std::move(other)) {}
  std::string_view name() const override { return "$unionWith"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<UnionStream>(std::move(input), run, other_, slots);
  }
  bool add_paths(std::set<std::string>&) const override { return true; }
  bool passes_others() const override { return true; }
  std::vector<StageList> inner() const override { return {other_.all()}; }

 private:
  SubPipeline other_;
};

}  // namespace

StagePtr parse_union_with(std::string_view name, const Value& spec, Reading& reading) {
  if (spec.is_string()) {
    read_class(name, "coll", spec);
    return std::make_unique<UnionStage>(SubPipeline(name, spec, Value(), reading));
  }
  const Options options(name, spec, {"coll", "pipeline"});
  if (options.has("coll")) read_class(name, "coll", options["coll"]);
  if (options.has("pipeline") && !options["pipeline"].is_array()) {
    refuse(name, "'pipeline' must be an array of stages, not " + kind_of(options["pipeline"]));
  }
  return std::make_unique<UnionStage>(
      SubPipeline(name, options["coll"], options["pipeline"], reading));
}

}  // namespace gantry::data::pipeline
