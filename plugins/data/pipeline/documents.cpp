// $documents: a pipeline's first documents, given literally.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

class DocumentsStage final : public Stage {
 public:
  explicit DocumentsStage(expr::ExpressionPtr list) : list_(std::move(list)) {}
  std::string_view name() const override { return "$documents"; }

  // The input is ignored.
  StreamPtr open(StreamPtr, Run& run, const Array& slots) const override {
    expr::Context context = make_context(run, slots);
    look_at(context, ObjectBuilder().build());
    const Value list = list_->evaluate(context);
    if (!list.is_array()) refuse(name(), "wants an array of objects, not " + kind_of(list));
    for (const Value& document : list.elements()) {
      if (!document.is_object()) {
        refuse(name(), "each element must be an object, one is " + kind_of(document));
      }
    }
    return std::make_unique<ListStream>(list.elements());
  }
  bool add_paths(std::set<std::string>&) const override { return true; }

 private:
  expr::ExpressionPtr list_;
};

}  // namespace

StagePtr parse_documents(std::string_view, const Value& spec, Reading& reading) {
  return std::make_unique<DocumentsStage>(expr::parse_expression(spec, reading.variables));
}

}  // namespace gantry::data::pipeline
