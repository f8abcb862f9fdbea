#include "expr/accumulators/ranking.hpp"

#include <algorithm>
#include <iterator>

namespace gantry::data::expr {

void Ranking::add(Value value) {
  if (value.is_nullish() || is_beyond(value)) return;
  SortKey key{value};
  add_keyed(std::move(key), std::move(value));
}

void Ranking::add_keyed(SortKey key, Value output) {
  if (kept_.size() == most_) {
    const auto worst = side_ == Side::top ? std::prev(kept_.end()) : kept_.begin();
    const Below below = kept_.key_comp();
    if (side_ == Side::top ? !below(key, worst->first) : !below(worst->first, key)) return;
    kept_.erase(worst);
  }
  if (output.is_missing()) output = Value::null();
  kept_.emplace(std::move(key), std::move(output));
}

// Whether a value that is its own key would not be kept; checked before a key is built.
bool Ranking::is_beyond(const Value& value) const {
  if (kept_.size() < most_) return false;
  if (side_ == Side::top) return compare(value, std::prev(kept_.end())->first.front()) >= 0;
  return compare(value, kept_.begin()->first.front()) <= 0;
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
