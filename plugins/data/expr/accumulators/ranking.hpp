// expr/accumulators/ranking.hpp: the n lowest or highest of many values: $topN, $bottomN, $minN,
// $maxN.
//
// One thread. Errors are thrown as QueryError.
#pragma once

#include <cstddef>
#include <map>

#include "expr/accumulators/accumulator.hpp"
#include "expr/sort_order.hpp"

namespace gantry::data::expr {

enum class Side { top, bottom };

// Keeps the outputs with the n first or n last keys. Among equal keys the earlier ones are kept.
class Ranking final : public Accumulator {
 public:
  enum class Shape { array, reversed, single };
  // `order` must outlive the ranking; null: each value is its own key.
  Ranking(const SortOrder* order, Side side, std::size_t n, Shape shape)
      : side_(side), most_(n), shape_(shape), kept_(Below{order}) {}

  // Adds a value that is both key and output; null and missing are ignored.
  void add(Value value) override;
  void add_keyed(SortKey key, Value output);
  // In the order of the keys; `single`: the only value, or null.
  Value result() const override;

 private:
  bool is_beyond(const Value& value) const;
  struct Below {
    const SortOrder* order;
    bool operator()(const SortKey& a, const SortKey& b) const {
      return (order != nullptr ? order->compare(a, b) : compare(a.front(), b.front())) < 0;
    }
  };
  Side side_;
  std::size_t most_;
  Shape shape_;
  std::multimap<SortKey, Value, Below, Metered<std::pair<const SortKey, Value>>> kept_;
};

}  // namespace gantry::data::expr
