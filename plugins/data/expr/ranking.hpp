// expr/ranking.hpp: the n lowest or highest of many values: $topN, $bottomN, $minN, $maxN.
//
// One thread. Errors are thrown as QueryError.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "expr/accumulator.hpp"

namespace gantry::data::expr {

// {a: 1, "b.c": -1}: the order of documents by paths, as $sort has it. An array counts by its least
// element where the order ascends, by its greatest where it descends.
class SortOrder {
 public:
  using Key = std::vector<Value>;

  // Refuses what is no such object, naming `op`.
  SortOrder(std::string_view op, const Value& spec);
  // The order of the values themselves: keys of one value.
  SortOrder() : parts_{Part{}} {}

  Key key_of(const Value& document) const;
  // Below, at or above zero.
  int compare_keys(const Key& a, const Key& b) const;
  void add_paths(std::set<std::string>& paths) const;

 private:
  struct Part {
    std::vector<std::string> names;
    bool descends = false;
  };
  std::vector<Part> parts_;
};

enum class Side { top, bottom };

// Keeps the outputs of the n first or n last keys. Of equal keys the earlier ones stay.
class Ranking final : public Accumulator {
 public:
  enum class Shape { array, reversed, single };
  // `order` must outlive the ranking.
  Ranking(const SortOrder& order, Side side, std::size_t n, Shape shape)
      : side_(side), most_(n), shape_(shape), kept_(Below{&order}) {}

  // The value is key and output in one; null and missing do not count.
  void add(Value value) override;
  void add_keyed(SortOrder::Key key, Value output);
  // In the order of the keys; `single`: the one value, or null.
  Value result() const override;
  std::size_t weight() const override { return weight_; }

 private:
  struct Below {
    const SortOrder* order;
    bool operator()(const SortOrder::Key& a, const SortOrder::Key& b) const {
      return order->compare_keys(a, b) < 0;
    }
  };
  Side side_;
  std::size_t most_;
  Shape shape_;
  std::multimap<SortOrder::Key, Value, Below> kept_;
  std::size_t weight_ = 0;
};

}  // namespace gantry::data::expr
