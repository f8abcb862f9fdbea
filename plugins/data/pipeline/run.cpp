#include <algorithm>
#include <string>

#include "pipeline/spec.hpp"
#include "pipeline/stage.hpp"

namespace gantry::data::pipeline {

void Run::keep(std::size_t bytes, std::string_view stage) {
  if (bytes > memory_left) {
    refuse(stage,
           "has to keep more documents than the memory of one query allows; put a $match or $limit "
           "before it, or keep fewer fields with $project");
  }
  memory_left -= bytes;
}

expr::Context make_context(const Run& run, const std::vector<Value>& slots) {
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

StreamPtr open_pipeline(const Stages& stages, StreamPtr input, Run& run,
                        const std::vector<Value>& slots) {
  for (const auto& stage : stages) input = stage->open(std::move(input), run, slots);
  return input;
}

}  // namespace gantry::data::pipeline
