// $group: one document for each value of _id.
#include "pipeline/group_table.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"

namespace gantry::data::pipeline {
namespace {

class ByExpression final : public GroupStream {
 public:
  ByExpression(StreamPtr input, expr::Context context, const expr::Expression& id,
               const Outputs& outputs)
      : GroupStream(std::move(input), std::move(context), outputs, "$group"), id_(id) {}

 private:
  Value id_of(expr::Context& context) const override {
    Value id = id_.evaluate(context);
    return id.is_missing() ? Value::null() : id;
  }

  const expr::Expression& id_;
};

class GroupStage final : public Stage {
 public:
  GroupStage(expr::ExpressionPtr id, Outputs outputs)
      : id_(std::move(id)), outputs_(std::move(outputs)) {}
  std::string_view name() const override { return "$group"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<ByExpression>(std::move(input), make_context(run, slots), *id_,
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
