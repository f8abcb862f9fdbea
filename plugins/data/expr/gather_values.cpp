#include "expr/gather_values.hpp"

#include "expr/registry.hpp"

namespace gantry::data::expr {

void EndValue::add(Value value) {
  if (is_set_ && end_ == End::first) return;
  is_set_ = true;
  value_ = std::move(value);
  weight_ = weight_of(value_);
}

void EndValues::add(Value value) {
  if (values_.size() == most_) {
    if (end_ == End::first) return;
    weight_ -= weight_of(values_.front());
    values_.pop_front();
  }
  values_.push_back(value.is_missing() ? Value::null() : std::move(value));
  weight_ += weight_of(values_.back());
}

void ExtremeValue::add(Value value) {
  if (value.is_nullish()) return;
  const int order = value_.is_missing() ? 0 : compare(value, value_);
  const bool is_better = extreme_ == Extreme::least ? order < 0 : order > 0;
  if (!is_better && !value_.is_missing()) return;
  value_ = std::move(value);
  weight_ = weight_of(value_);
}

void Listed::add(Value value) {
  if (value.is_missing()) return;
  weight_ += weight_of(value);
  values_.push_back(std::move(value));
}

void Distinct::add(Value value) {
  if (value.is_missing() || !seen_.insert(value).second) return;
  weight_ += weight_of(value) + sizeof(Value) + 2 * sizeof(void*);
  values_.push_back(std::move(value));
}

template <class Kept>
void Elements<Kept>::add(Value value) {
  if (value.is_missing()) return;
  if (!value.is_array()) refuse_type(op_, "arrays", value);
  for (const Value& element : value.elements()) kept_.add(element);
}
template class Elements<Listed>;
template class Elements<Distinct>;

void MergedObject::add(Value value) {
  if (value.is_nullish()) return;
  if (!value.is_object()) refuse_type("$mergeObjects", "objects", value);
  weight_ += weight_of(value);
  for (const Member& member : value.members()) merged_.set(member.name, member.value);
}

Value MergedObject::result() const {
  ObjectBuilder copy = merged_;
  return copy.build();
}

}  // namespace gantry::data::expr
