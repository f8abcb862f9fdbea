// $project, $addFields (also $set) and $unset.
#include "pipeline/projection.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class ProjectStage final : public Stage {
 public:
  ProjectStage(std::string_view name, Projection projection)
      : name_(name), projection_(std::move(projection)) {}
  std::string_view name() const override { return name_; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return change_each(
        std::move(input), make_context(run, slots),
        [this](Value& document, expr::Context& context) { projection_.apply(document, context); });
  }
  bool add_paths(std::set<std::string>& paths) const override {
    projection_.add_paths(paths);
    return true;
  }
  bool passes_others() const override { return projection_.kind() != Projection::Kind::inclusion; }

 private:
  std::string name_;
  Projection projection_;
};

Path unset_path(std::string_view stage, const Value& value) {
  if (!value.is_string()) {
    refuse(stage, "wants a field's name or an array of names, not " + kind_of(value));
  }
  return parse_path(stage, "a field's name", value.text());
}

}  // namespace

StagePtr parse_project(std::string_view name, const Value& spec, Reading& reading) {
  return std::make_unique<ProjectStage>(name,
                                        Projection::of_project(name, spec, reading.variables));
}

StagePtr parse_add_fields(std::string_view name, const Value& spec, Reading& reading) {
  return std::make_unique<ProjectStage>(name,
                                        Projection::of_add_fields(name, spec, reading.variables));
}

StagePtr parse_unset(std::string_view name, const Value& spec, Reading&) {
  std::vector<Path> paths;
  if (spec.is_array()) {
    for (const Value& element : spec.elements()) paths.push_back(unset_path(name, element));
  } else {
    paths.push_back(unset_path(name, spec));
  }
  if (paths.empty()) refuse(name, "wants at least one field's name");
  return std::make_unique<ProjectStage>(name, Projection::of_unset(name, paths));
}

}  // namespace gantry::data::pipeline
