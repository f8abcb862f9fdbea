// $replaceRoot and $replaceWith: the result of an expression replaces the document.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class ReplaceStage final : public Stage {
 public:
  ReplaceStage(std::string_view name, expr::ExpressionPtr root)
      : name_(name), root_(std::move(root)) {}
  std::string_view name() const override { return name_; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return change_each(
        std::move(input), make_context(run, slots),
        [this](Value& document, expr::Context& context) { replace(document, context); });
  }
  bool add_paths(std::set<std::string>& paths) const override {
    root_->add_paths(paths);
    return true;
  }

 private:
  void replace(Value& document, expr::Context& context) const {
    look_at(context, document);
    document = root_->evaluate(context);
    if (document.is_object()) return;
    refuse(name_, "the new document must be an object, but for one document it is " +
                      kind_of(document) +
                      "; leave such documents out with $match, or give a default with $ifNull or "
                      "$mergeObjects");
  }

  std::string name_;
  expr::ExpressionPtr root_;
};

}  // namespace

StagePtr parse_replace_root(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec, {"newRoot"});
  return parse_replace_with(name, options.require("newRoot"), reading);
}

StagePtr parse_replace_with(std::string_view name, const Value& spec, Reading& reading) {
  return std::make_unique<ReplaceStage>(name, expr::parse_expression(spec, reading.variables));
}

}  // namespace gantry::data::pipeline
