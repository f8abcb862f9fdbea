#include "ops/plan_matcher.hpp"

#include <span>

#include "pipeline/streams.hpp"
#include "rows/value_writer.hpp"
#include "values/iso_date.hpp"

namespace gantry::data {
namespace {

class ConditionMatcher final : public Matcher {
 public:
  ConditionMatcher(ValueReader reader, const Value& filter) : reader_(std::move(reader)) {
    expr::Variables variables;
    condition_ = match::parse_condition(filter, variables);
    slots_.resize(variables.slots());
  }

  bool match(const StoredValue& value) const override {
    expr::Context context;
    context.slots = slots_;
    pipeline::look_at(context, reader_.read(std::span(&value, 1)));
    return condition_->passes(context);
  }

 private:
  ValueReader reader_;
  match::ConditionPtr condition_;
  Array slots_;
};

class ShapeMatcher final : public Matcher {
 public:
  explicit ShapeMatcher(std::string shape) : shape_(std::move(shape)) {}
  bool match(const StoredValue& value) const override {
    return value.is_text() && iso_shape(value.bytes) == shape_ &&
           instant_of(value, DateForm::iso_text).has_value();
  }

 private:
  std::string shape_;
};

}  // namespace

std::shared_ptr<const Matcher> condition_matcher(ValueReader reader, const Value& filter) {
  return std::make_shared<ConditionMatcher>(std::move(reader), filter);
}

std::shared_ptr<const Matcher> shape_matcher(std::string shape) {
  return std::make_shared<ShapeMatcher>(std::move(shape));
}

}  // namespace gantry::data
