// $group: one document for each value of _id.
#include "pipeline/group_table.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"

namespace gantry::data::pipeline {
namespace {

class GroupStream final : public Stream {
 public:
  GroupStream(StreamPtr input, Run& run, expr::Context context, const expr::Expression& id,
              const Outputs& outputs)
      : input_(std::move(input)),
        context_(std::move(context)),
        id_(id),
        table_(outputs, run, "$group") {}

  bool next(Value& document) override {
    if (input_) gather();
    if (at_ == results_.size()) return false;
    document = std::move(results_[at_++]);
    return true;
  }

 private:
  void gather() {
    Value document;
    while (input_->next(document)) {
      context_.step();
      look_at(context_, document);
      const Value id = id_.evaluate(context_);
      table_.feed(id.is_missing() ? Value::null() : id, context_);
    }
    input_.reset();
    results_ = table_.finish();
  }

  StreamPtr input_;
  expr::Context context_;
  const expr::Expression& id_;
  GroupTable table_;
  Array results_;
  std::size_t at_ = 0;
};

class GroupStage final : public Stage {
 public:
  GroupStage(expr::ExpressionPtr id, Outputs outputs)
      : id_(std::move(id)), outputs_(std::move(outputs)) {}
  std::string_view name() const override { return "$group"; }
  StreamPtr open(StreamPtr input, Run& run, const std::vector<Value>& slots) const override {
    return std::make_unique<GroupStream>(std::move(input), run, make_context(run, slots), *id_,
                                         outputs_);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    id_->add_paths(paths);
    outputs_.add_paths(paths);
    return true;
  }

 private:
  expr::ExpressionPtr id_;
  Outputs outputs_;
};

}  // namespace

StagePtr parse_group(std::string_view name, const Value& spec, Reading& reading) {
  if (!spec.is_object()) refuse(name, "wants an object with _id, not " + kind_of(spec));
  const Value& id = spec.find("_id");
  if (id.is_missing()) {
    refuse(name, "wants an _id: an expression to group by, or null for all documents together");
  }
  expr::ExpressionPtr id_expression = expr::parse_expression(id, reading.variables);
  return std::make_unique<GroupStage>(std::move(id_expression),
                                      Outputs(name, spec, "_id", reading.variables));
}

}  // namespace gantry::data::pipeline
