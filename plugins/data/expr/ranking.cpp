#include "expr/ranking.hpp"

#include <algorithm>
#include <iterator>

namespace gantry::data::expr {
namespace {

std::size_t entry_weight(const SortKey& key, const Value& output) {
  std::size_t weight = weight_of(output);
  for (const Value& part : key) weight += weight_of(part);
  return weight;
}

}  // namespace

void Ranking::add(Value value) {
  if (value.is_nullish()) return;
  SortKey key{value};
  add_keyed(std::move(key), std::move(value));
}

void Ranking::add_keyed(SortKey key, Value output) {
  if (kept_.size() == most_) {
    const auto worst = side_ == Side::top ? std::prev(kept_.end()) : kept_.begin();
    const Below below = kept_.key_comp();
    if (side_ == Side::top ? !below(key, worst->first) : !below(worst->first, key)) return;
    weight_ -= entry_weight(worst->first, worst->second);
    kept_.erase(worst);
  }
  if (output.is_missing()) output = Value::null();
  weight_ += entry_weight(key, output);
  kept_.emplace(std::move(key), std::move(output));
}

Value Ranking::result() const {
  if (shape_ == Shape::single) return kept_.empty() ? Value::null() : kept_.begin()->second;
  Array outputs;
  outputs.reserve(kept_.size());
  for (const auto& [key, output] : kept_) outputs.push_back(output);
  if (shape_ == Shape::reversed) std::reverse(outputs.begin(), outputs.end());
  return Value::array(std::move(outputs));
}

}  // namespace gantry::data::expr
