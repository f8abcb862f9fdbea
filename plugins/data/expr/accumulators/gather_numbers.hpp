// expr/accumulators/gather_numbers.hpp: numeric accumulators: sums, averages, deviations,
// quantiles.
//
// The same classes serve $group and the expressions that take an array. Values other than numbers
// are ignored. Each is a value type; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/accumulators/accumulator.hpp"
#include "expr/numbers.hpp"

namespace gantry::data::expr {

// The exact sum of ints and longs; a compensated floating-point sum once a double is added.
class Sum final : public Accumulator {
 public:
  void add(Value value) override;
  Value result() const override;

 private:
  Value::Type type_ = Value::Type::int32;
  std::int64_t high_ = 0;  // the sum of the integers is high · 2^32 + low
  std::int64_t low_ = 0;
  CompensatedSum real_;
};

// null if there are no numbers, else a double.
class Average final : public Accumulator {
 public:
  // Expressions convert longs to doubles, groups add them exactly.
  enum class Longs { exact, as_doubles };
  explicit Average(Longs longs) : longs_(longs) {}
  void add(Value value) override;
  Value result() const override;

 private:
  Longs longs_;
  std::int64_t count_ = 0;
  CompensatedSum sum_;
};

// The standard deviation: of the whole population, or estimated from a sample of it.
class Deviation final : public Accumulator {
 public:
  enum class Of { population, sample };
  explicit Deviation(Of of) : of_(of) {}
  void add(Value value) override;
  Value result() const override;

 private:
  Of of_;
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// Counts values, missing ones included.
class Count final : public Accumulator {
 public:
  void add(Value /*value*/) override { ++count_; }
  Value result() const override { return Value::integer(count_); }

 private:
  std::int64_t count_ = 0;
};

// For each p, the least number that at least the share p of all numbers does not exceed. Exact,
// although "approximate" would not require it. NaN is ignored.
class Quantiles final : public Accumulator {
 public:
  enum class Shape { array, single };
  Quantiles(std::vector<double> shares, Shape shape) : shares_(std::move(shares)), shape_(shape) {}
  void add(Value value) override;
  Value result() const override;

 private:
  std::vector<double> shares_;
  Shape shape_;
  std::vector<double, Metered<double>> numbers_;
};

}  // namespace gantry::data::expr
