#include "pipeline/sub_pipeline.hpp"

#include "pipeline/spec.hpp"

namespace gantry::data::pipeline {
namespace {

bool begins_with_documents(const Value& json) {
  if (!json.is_array() || json.elements().empty()) return false;
  return !json.elements().front().find("$documents").is_missing();
}

// The leading $match stages of a pipeline, combined into one filter; null: none.
filter::ConditionPtr first_filters(const Stages& stages) {
  filter::Condition all;
  for (const auto& stage : stages) {
    filter::ConditionPtr filter = stage->filter();
    if (filter == nullptr) break;
    all.children.push_back(std::move(filter));
  }
  if (all.children.empty()) return nullptr;
  return std::make_shared<const filter::Condition>(std::move(all));
}

}  // namespace

std::string read_class(std::string_view stage, std::string_view option, const Value& from) {
  const std::string what = "'" + std::string(option) + "'";
  if (from.is_missing()) refuse(stage, "wants " + what + ", the name of a class");
  if (!from.is_string()) refuse(stage, what + " must be a class's name, not " + kind_of(from));
  if (from.text().empty()) refuse(stage, what + " must be a class's name; it must not be empty");
  return std::string(from.text());
}

SubPipeline::SubPipeline(std::string_view stage, const Value& from, const Value& json,
                         Reading& reading) {
  if (from.is_missing() != begins_with_documents(json)) {
    refuse(stage, from.is_missing()
                      ? "wants the name of a class, or a pipeline that begins with $documents"
                      : "begins with $documents, which takes the place of a class; leave one out");
  }
  if (!from.is_missing()) {
    from_ = std::string(from.text());
    reading.classes.check(from_);
  }
  if (json.is_missing()) return;
  Reading inner{reading.classes, reading.variables, reading.depth + 1, false};
  stages_ = parse_pipeline(json, inner);
  if (has_class()) {
    filter_ = first_filters(stages_);
    std::set<std::string> paths;
    if (add_pipeline_paths(stages_, paths)) paths_ = std::move(paths);
    return;
  }
  documents_ = std::move(stages_.front());
  stages_.erase(stages_.begin());
}

StreamPtr SubPipeline::scan(Run& run, const Array& slots) const {
  return has_class() ? run.classes.scan(from_, wanted()) : documents_->open(nullptr, run, slots);
}

ScanHint SubPipeline::wanted() const { return {{}, nullptr, filter_, paths_ ? &*paths_ : nullptr}; }

void SubPipeline::also_read(std::string_view path) {
  if (paths_) paths_->emplace(path);
}

StageList SubPipeline::all() const {
  StageList stages = listed(stages_);
  if (documents_) stages.insert(stages.begin(), documents_.get());
  return stages;
}

}  // namespace gantry::data::pipeline
