#include "expr/accumulators/gather_values.hpp"

#include "expr/registry.hpp"

namespace gantry::data::expr {

void EndValue::add(Value value) {
  if (is_set_ && end_ == End::first) return;
  is_set_ = true;
  value_ = std::move(value);
}

void EndValues::add(Value value) {
  if (values_.size() == most_) {
    if (end_ == End::first) return;
    values_.pop_front();
  }
  values_.push_back(value.is_missing() ? Value::null() : std::move(value));
}

void ExtremeValue::add(Value value) {
  if (value.is_nullish()) return;
  const int order = value_.is_missing() ? 0 : compare(value, value_);
  const bool is_better = extreme_ == Extreme::least ? order < 0 : order > 0;
  if (!is_better && !value_.is_missing()) return;
  value_ = std::move(value);
}

void Listed::add(Value value) {
  if (value.is_missing()) return;
  values_.push_back(std::move(value));
}

void Distinct::add(Value value) {
  if (value.is_missing() || !seen_.insert(value).second) return;
  values_.push_back(std::move(value));
}

template <class Kept>
void Elements<Kept>::add(Value value) {
  if (value.is_missing()) return;
  if (!value.is_array()) refuse_type(op_, "arrays", value);
  for (const Value& element : value.elements()) {
    Spending::step_current();
    kept_.add(element);
  }
}
template class Elements<Listed>;
template class Elements<Distinct>;

void MergedObject::add(Value value) {
  if (value.is_nullish()) return;
  if (!value.is_object()) refuse_type("$mergeObjects", "objects", value);
  merged_.set_all(value.members());
}

Value MergedObject::result() const { return merged_.copy(); }

}  // namespace gantry::data::expr
