// expr/accumulators/gather_values.hpp: accumulators that keep values: ends, extremes, lists, sets,
// merged objects.
//
// The same classes serve $group and the expressions that take an array. One thread.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "expr/accumulators/accumulator.hpp"
#include "expr/merged.hpp"

namespace gantry::data::expr {

enum class End { first, last };

// The value of the first or last document; null if that one is missing.
class EndValue final : public Accumulator {
 public:
  explicit EndValue(End end) : end_(end) {}
  void add(Value value) override;
  Value result() const override { return value_.is_missing() ? Value::null() : value_; }

 private:
  End end_;
  bool is_set_ = false;
  Value value_;
};

// The first or last n values, in their order; missing ones become null.
class EndValues final : public Accumulator {
 public:
  EndValues(End end, std::size_t n) : end_(end), most_(n) {}
  void add(Value value) override;
  Value result() const override { return Value::array(Array(values_.begin(), values_.end())); }

 private:
  End end_;
  std::size_t most_;
  std::deque<Value, Metered<Value>> values_;
};

enum class Extreme { least, greatest };

// The extreme by MongoDB's total order, ignoring null and missing; the first one of equal values.
class ExtremeValue final : public Accumulator {
 public:
  explicit ExtremeValue(Extreme extreme) : extreme_(extreme) {}
  void add(Value value) override;
  Value result() const override { return value_.is_missing() ? Value::null() : value_; }

 private:
  Extreme extreme_;
  Value value_;
};

// All values in their order, except missing ones.
class Listed final : public Accumulator {
 public:
  void add(Value value) override;
  Value result() const override { return Value::array(values_); }

 private:
  Array values_;
};

// As Listed, but keeps only the first of equal values.
class Distinct final : public Accumulator {
 public:
  void add(Value value) override;
  Value result() const override { return Value::array(values_); }

 private:
  Array values_;
  ValueSet seen_;
};

// The elements of all arrays; with Kept = Distinct each value once. Refuses values other than
// arrays.
template <class Kept>
class Elements final : public Accumulator {
 public:
  explicit Elements(std::string_view op) : op_(op) {}
  void add(Value value) override;
  Value result() const override { return kept_.result(); }

 private:
  std::string_view op_;
  Kept kept_;
};

// The members of all objects; of two members with one name the later one is used. Refuses values
// other than objects and null.
class MergedObject final : public Accumulator {
 public:
  void add(Value value) override;
  Value result() const override;

 private:
  Merged merged_;
};

}  // namespace gantry::data::expr
