#include <algorithm>

#include "pipeline/apply.hpp"
#include "pipeline/densify.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr std::string_view kDensify = "$densify";

void read_step(const Options& range, DensifyPlan& plan) {
  plan.step = range.require("step");
  if (!plan.step.is_number() || !(plan.step.number() > 0)) {
    refuse(kDensify, "wants a number above zero as step");
  }
  if (!range.has("unit")) return;
  plan.unit = expr::unit_of(kDensify, range["unit"]);
  whole_number(kDensify, "'step' with a unit", plan.step);
}

void read_named_bounds(std::string_view text, DensifyPlan& plan) {
  if (text == "full") return;
  if (text != "partition")
    refuse(kDensify, "wants \"full\", \"partition\" or two values as bounds");
  if (plan.partition_fields.empty()) {
    refuse(kDensify,
           "with bounds \"partition\" wants fields in partitionByFields; \"full\" is all");
  }
  plan.bounds = DensifyPlan::Bounds::partition;
}

void read_bounds(const Value& bounds, DensifyPlan& plan) {
  if (bounds.is_string()) return read_named_bounds(bounds.text(), plan);
  if (!bounds.is_array() || bounds.elements().size() != 2) {
    refuse(kDensify, "wants \"full\", \"partition\" or two values as bounds");
  }
  plan.bounds = DensifyPlan::Bounds::range;
  plan.low = bounds.elements()[0];
  plan.high = bounds.elements()[1];
  for (const Value* bound : {&plan.low, &plan.high}) {
    const bool fits = plan.unit ? bound->is_date() : bound->is_number();
    if (!fits) refuse(kDensify, "wants two numbers as bounds, or two dates and a unit");
  }
  if (compare(plan.low, plan.high) > 0) refuse(kDensify, "wants the lower of its bounds first");
}

void read_partition_fields(const Value& fields, DensifyPlan& plan) {
  if (fields.is_nullish()) return;
  if (!fields.is_array()) {
    refuse(kDensify, "wants an array of names as partitionByFields, not " + kind_of(fields));
  }
  for (const Value& field : fields.elements()) {
    if (!field.is_string()) refuse(kDensify, "wants names of fields in partitionByFields");
    plan.partition_fields.push_back(
        parse_path(kDensify, "a name in partitionByFields", field.text()));
    const Path& path = plan.partition_fields.back();
    const auto common = std::ptrdiff_t(std::min(path.size(), plan.field.size()));
    if (std::equal(path.begin(), path.begin() + common, plan.field.begin())) {
      refuse(kDensify,
             "cannot partition by the field that it fills up, or by one inside or around it");
    }
  }
}

}  // namespace

void DensifyPlan::check_type(const Value& value) const {
  if (unit && !value.is_date()) {
    refuse(kDensify, "with a unit wants dates in its field, not " + kind_of(value));
  }
  if (!unit && !value.is_number()) {
    refuse(kDensify, "wants numbers in its field, or dates and a unit, not " + kind_of(value));
  }
}

// Dates are computed from `value`, not from step to step, so that the 31st returns after a shorter
// month.
Value DensifyPlan::after(const Value& value, std::int64_t steps) const {
  std::int64_t amount = 0;
  if (unit) {
    if (__builtin_mul_overflow(*expr::whole_number(step), steps, &amount)) {
      expr::refuse_out_of_range(kDensify);
    }
    return Value::date(expr::date_add(kDensify, value.integer(), *unit, amount, {}));
  }
  return apply("$add", value, apply("$multiply", step, Value::integer(steps)));
}

DensifyPlan read_densify(std::string_view name, const Value& spec) {
  const Options options(name, spec, {"field", "partitionByFields", "range"});
  DensifyPlan plan;
  plan.field = parse_path(name, "'field'", options.text("field"));
  read_partition_fields(options["partitionByFields"], plan);
  const Options range(name, options.require("range"), {"step", "unit", "bounds"});
  read_step(range, plan);
  read_bounds(range.require("bounds"), plan);
  return plan;
}

}  // namespace gantry::data::pipeline
