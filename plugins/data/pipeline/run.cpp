#include <algorithm>
#include <string>

#include "pipeline/stage.hpp"

namespace gantry::data::pipeline {
namespace {

// Adds the stage's name to a MemorySpent that was thrown outside of an operator.
class NamedStream final : public Stream {
 public:
  NamedStream(std::string_view stage, StreamPtr stream)
      : stage_(stage), stream_(std::move(stream)) {}
  bool next(Value& document) override {
    return in_name_of(stage_, [&] { return stream_->next(document); });
  }

 private:
  std::string_view stage_;
  StreamPtr stream_;
};

}  // namespace

std::size_t Run::spare() const {
  constexpr std::size_t kShare = 4;
  return (base.spending == nullptr ? Budget::kBytes : base.spending->left()) / kShare;
}

expr::Context make_context(const Run& run, const Array& slots) {
  expr::Context context = run.base;
  const std::size_t size = std::max(slots.size(), context.slots.size());
  context.slots = slots;
  context.slots.resize(size);
  return context;
}

bool add_pipeline_paths(const Stages& stages, std::set<std::string>& paths) {
  for (const auto& stage : stages) {
    if (!stage->add_paths(paths)) return false;
    if (!stage->passes_others()) return true;
  }
  return false;
}

StageList listed(const Stages& stages) {
  StageList all;
  for (const auto& stage : stages) all.push_back(stage.get());
  return all;
}

StreamPtr open_pipeline(const Stages& stages, StreamPtr input, Run& run, const Array& slots) {
  for (const auto& stage : stages) {
    input = in_name_of(stage->name(), [&] { return stage->open(std::move(input), run, slots); });
    input = std::make_unique<NamedStream>(stage->name(), std::move(input));
  }
  return input;
}

}  // namespace gantry::data::pipeline
